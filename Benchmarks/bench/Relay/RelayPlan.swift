import Contract

/// The plan of a run of `bench relay`.
struct RelayPlan {
    enum Load {
        /// Every sender keeps that many ales in flight.
        case closed(inFlight: Int)
        /// That many ales are sent each second, whatever arrives.
        case open(perSecond: Double)
    }

    var port: UInt16
    var version: Int
    var roomSize: Int
    /// The path of each member's socket, those of a room one after the other.
    var paths: [String]
    var load: Load
    var warmUp: Double
    var duration: Double
    /// The seconds of silence before memory is measured.
    var hold: Double
    /// The number of rooms that are probed with a single ale before the load.
    var probes: Int
    /// The number of concurrent handshakes.
    var parallel: Int
    /// Whether the generator polls without sleeping, so that the server does not pay for waking it.
    var spins: Bool
    /// The processes whose CPU time and memory are measured together.
    var serverProcesses: [Int]

    var memberCount: Int { paths.count }
    var roomCount: Int { paths.count / roomSize }

    /// The number of members of a room that send at the same time: both in a room of two; in a larger one
    /// they take turns, except in the open loop, where any member may send.
    var sendersAtOnce: Int {
        switch load {
        case .closed: roomSize == 2 ? 2 : 1
        case .open: roomSize
        }
    }

    /// The number of ales of one room that can be in flight; a power of two.
    var logCapacity: Int {
        let needed =
            switch load {
            case .closed(let inFlight): inFlight * sendersAtOnce
            case .open: 4096
            }
        var capacity = 16
        while capacity < needed { capacity *= 2 }
        return capacity
    }

    /// Returns the room that a path names.
    static func room(of path: String) throws(BenchError) -> Identifier {
        guard let start = path.firstRange(of: "id=")?.upperBound,
            let room = Identifier(String(path[start...].prefix { $0 != "&" }))
        else { throw .failed("There is no id=<room> in the target \(path).") }
        return room
    }
}
