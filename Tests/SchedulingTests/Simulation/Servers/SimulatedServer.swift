import Contract
import TestKit

@testable import Backend
@testable import Scheduling

/// A server of a simulation: a process that is up or not, with a clock of its own.
struct SimulatedServer {
    let index: Int
    let loop = SimulatedLoop()
    /// The number of starts: answers to an earlier process are dropped.
    var generation = 0
    var scheduler: Scheduler?
    var task: Task<Void, Never>?
    /// The offset of the wall clock from the database's, in microseconds.
    var offset: Int64 = 0
    /// The monotonic clock at the beginning, in microseconds; `drift` is what it gains, in microseconds a
    /// second.
    var origin: Int64 = 0
    var drift: Int64 = 0
    /// The current process's knowledge of the time; nil when it is not up.
    var reference: ReferenceClock?
    var alarms: [Int: @Sendable () -> Void] = [:]
    var lastAlarm = 0
    /// The entries and leavings here that are not stored yet.
    var entries: [SimulatedEntry] = []
    /// The registrations with sockets here, and their rooms.
    var present: [Identifier: Identifier] = [:]
    /// Whether it was killed and is not started again.
    var isGone = false
    /// The instant of the last kill, in microseconds.
    var killedAt: Int64 = 0
    /// The number of statements since the last check; `idleStatements` counts those in idle times only.
    var statements = 0
    var idleStatements = 0
    /// The instant since which nothing has gone wrong for the server, in microseconds; in the future while
    /// something does.
    var wellSince: Int64 = 0

    var isUp: Bool { scheduler != nil }

    init(index: Int) { self.index = index }
}
