import Codecs
import Contract

/// The size of a world of servers and its faults, drawn from a seed.
struct ClusterPlan: Sendable {
    /// A fault, and how long it lasts, in microseconds.
    enum Fault: Sendable {
        /// Nothing passes from the first to the second; the database comes after the last server.
        case cut(from: Int, to: Int)
        /// Nothing passes in either direction.
        case cutBoth(Int, Int)
        /// Connections from the first to the second are refused, though it runs.
        case refusing(from: Int, to: Int)
        /// A server is cut from the database, and no other can connect to it, though it reaches them.
        case deaf(Int)
        /// A server is cut from the database and from all others.
        case isolated(Int)
        /// The process is killed, and started again.
        case kill(Int)
        /// The machine is lost without a word, and started again.
        case lose(Int)
        /// The process stands still.
        case pause(Int)
        /// The server is told to end, and started again.
        case drain(Int)
        /// The database answers no server.
        case outage
    }

    struct PlannedFault: Sendable {
        var at: Int64
        var length: Int64
        var fault: Fault
    }

    /// An operator has a room moved to a server.
    struct PlannedMove: Sendable {
        var at: Int64
        var room: Int
        var to: Int
    }

    static let second: Int64 = 1_000_000

    let seed: UInt64
    let servers: Int
    let rooms: Int
    let members: Int
    /// The instant from which on everything is well.
    let calmAt: Int64
    let faults: [PlannedFault]
    let moves: [PlannedMove]
    /// The probability that an answer of the database is lost.
    let lostAnswers: Double
    /// The probability that a message takes long.
    let slowness: Double
    /// The mean time between two ales of a client, and between two of its connections, in microseconds.
    let alePause: Int64
    let dropPause: Int64
    /// The servers that keep their rooms on a disk.
    let disks: Set<Int>

    /// The time in which all members of a room are together again, once everything is well.
    static let recovery = 10 * second

    init(seed: UInt64) {
        self.seed = seed
        var random = SplitMix64(seed: seed)
        servers = [2, 3, 4].drawn([35, 50, 15], using: &random)
        rooms = Int.random(in: 1...3, using: &random)
        members = Int.random(in: 2...3, using: &random)
        let length = Int64.random(in: 10...40, using: &random) * Self.second
        calmAt = length
        lostAnswers = [0, 0.02, 0.2].drawn([50, 30, 20], using: &random)
        slowness = [0, 0.02, 0.2].drawn([40, 40, 20], using: &random)
        alePause = Int64.random(in: 200_000...1_000_000, using: &random)
        dropPause = Int64.random(in: 2...15, using: &random) * Self.second
        disks = Set((0..<servers).filter { _ in Int.random(in: 0..<2, using: &random) == 0 })
        var faults: [PlannedFault] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let at = Int64.random(in: Self.second...length, using: &random)
            let fault = Fault(servers: servers, using: &random)
            faults.append(PlannedFault(at: at, length: fault.length(using: &random), fault: fault))
        }
        // Half of the worlds have none. They come with faults, which often begin while a room is moved.
        let moves = Bool.random(using: &random) ? Int.random(in: 1...12, using: &random) : 0
        self.moves = (0..<moves).map { [rooms, servers] _ in
            let fault = faults[Int.random(in: 0..<faults.count, using: &random)]
            let near = fault.at + Int64.random(in: -50_000...50_000, using: &random)
            let anyTime = Int64.random(in: Self.second...length, using: &random)
            let at = Bool.random(using: &random) ? near : anyTime
            return PlannedMove(
                at: min(max(Self.second, at), length - Self.second / 10),
                room: Int.random(in: 0..<rooms, using: &random),
                to: Int.random(in: 0..<servers, using: &random))
        }
        // The database often goes away while the row of a room is written.
        for move in self.moves where Int.random(in: 0..<3, using: &random) == 0 {
            let at = move.at + Int64.random(in: 500...10_000, using: &random)
            let length = Int64.random(in: 100_000...3_000_000, using: &random)
            faults.append(PlannedFault(at: at, length: length, fault: .outage))
        }
        self.faults = faults
    }
}

extension ClusterPlan.Fault {
    init(servers: Int, using random: inout SplitMix64) {
        let one = Int.random(in: 0..<servers, using: &random)
        // The database is a likely end of a cut.
        let isDatabase = Int.random(in: 0..<5, using: &random) < 3
        let step = Int.random(in: 1..<servers, using: &random)
        let other = isDatabase ? servers : (one + step) % servers
        let flips = Bool.random(using: &random)
        let (from, to) = flips ? (one, other) : (other, one)
        switch Array(0...9).drawn([8, 14, 4, 12, 14, 8, 14, 14, 10, 4], using: &random) {
        case 0: self = .cut(from: from, to: to)
        case 1: self = .cutBoth(one, other)
        case 2: self = .refusing(from: one, to: (one + step) % servers)
        case 3: self = .isolated(one)
        case 4: self = .kill(one)
        case 5: self = .lose(one)
        case 6: self = .pause(one)
        case 7: self = .drain(one)
        case 8: self = .deaf(one)
        default: self = .outage
        }
    }

    fileprivate func length(using random: inout SplitMix64) -> Int64 {
        let short = Int64.random(in: 100_000...2_000_000, using: &random)
        let long = Int64.random(in: 2_000_000...20_000_000, using: &random)
        switch self {
        case .kill, .lose, .drain: return Int64.random(in: 300_000...8_000_000, using: &random)
        case .deaf: return long
        case .cut, .cutBoth, .refusing, .isolated, .pause, .outage:
            return Int.random(in: 0..<3, using: &random) == 0 ? short : long
        }
    }
}

extension Array {
    /// Returns one of the elements, with the probabilities of its weights.
    fileprivate func drawn(_ weights: [Int], using random: inout SplitMix64) -> Element {
        var point = Int.random(in: 0..<weights.reduce(0, +), using: &random)
        for (element, weight) in zip(self, weights) {
            if point < weight { return element }
            point -= weight
        }
        preconditionFailure("a weight for each element")
    }
}
