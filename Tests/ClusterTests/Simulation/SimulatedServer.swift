import Contract
import TestKit

/// One process of a server, as its requests to the world name it.
struct ProcessHandle: Hashable, Sendable, CustomStringConvertible {
    let index: Int
    let generation: Int

    var incarnation: Identifier { Identifier(value: UInt128(index + 1) << 64 | UInt128(generation)) }
    var address: String { Self.address(of: index) }
    var description: String { "\(index).\(generation)" }

    static func address(of index: Int) -> String { "http://server-\(index)" }

    /// Returns the index of the server at an address.
    static func index(at address: String) -> Int? { Int(address.dropFirst("http://server-".count)) }

    /// Returns the process of that incarnation.
    init(_ incarnation: Identifier) {
        index = Int(incarnation.value >> 64) - 1
        generation = Int(UInt64(truncatingIfNeeded: incarnation.value))
    }

    init(index: Int, generation: Int) {
        self.index = index
        self.generation = generation
    }
}

/// A server of the simulation, with the process that runs there, if one does.
struct SimulatedServer {
    enum State {
        case running
        /// The process is gone; connections are refused.
        case down
        /// The machine is gone and does not answer.
        case lost
    }

    let index: Int
    /// The loop of the cluster's service, and that of the rooms.
    let background = SimulatedLoop()
    let roomLoop = SimulatedLoop()
    var state = State.down
    var generation = 0
    var process: SimulatedProcess?
    var task: Task<Void, Never>?
    /// The rooms that it hands to others since an operator moves them.
    var moves: [Task<Void, Never>] = []
    /// The pauses that are not over.
    var pauses = 0
    var pausedAt: Int64 = 0
    /// The time for which the server stood still, for a clock that does not count it.
    var pausedFor: Int64 = 0
    /// The instant until which the server may not hear of what others claim, since it reaches no other
    /// server.
    var blindAt = Int64.min / 2
    /// The last instant at which it answered others without the database, which was too slow for it.
    var vagueAt = Int64.min / 2
    /// The instant since which the server is cut from the database; nil if it is not.
    var withoutDatabaseSince: Int64?
    /// The words of the rooms on the disk.
    var disk: [UInt64] = []
    var alarms: [Int: @Sendable () -> Void] = [:]

    init(index: Int) { self.index = index }

    var isPaused: Bool { pauses > 0 }
    var isDraining = false
}
