import Contract

@testable import Backend
@testable import Scheduling

/// A server of a simulation: a process that is up or not, with a clock of its own.
struct SimulatedServer {
    let index: Int
    let loop = SimulatedLoop()
    /// Counts the starts: what an earlier process had asked for answers nobody.
    var generation = 0
    var scheduler: Scheduler?
    var task: Task<Void, Never>?
    /// How far the clock on the wall is ahead of the database's, microseconds.
    var offset: Int64 = 0
    /// What the clock that nobody sets showed at the beginning, and how much it gains, microseconds a second.
    var origin: Int64 = 0
    var drift: Int64 = 0
    /// What the process of now knows of the time. Nil: it is not up.
    var reference: ReferenceClock?
    var alarms: [Int: @Sendable () -> Void] = [:]
    var lastAlarm = 0
    /// Who entered a room here and is not stored yet.
    var entries: [SimulatedEntry] = []
    /// Whose sockets are open here, and in which room.
    var present: [Identifier: Identifier] = [:]
    /// It was killed and is not started again.
    var isGone = false
    /// When it was killed last, microseconds.
    var killedAt: Int64 = 0
    /// What it asked of the database since the last look, and in all of the time in which there was nothing
    /// to do.
    var statements = 0
    var idleStatements = 0
    /// Since when nothing has gone wrong for it, microseconds; in the future while something does.
    var wellSince: Int64 = 0

    var isUp: Bool { scheduler != nil }

    init(index: Int) { self.index = index }
}
