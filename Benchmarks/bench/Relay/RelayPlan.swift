import Contract

/// What `bench relay` is to do.
struct RelayPlan {
    enum Load {
        /// Every sender keeps that many ales under way.
        case closed(inFlight: Int)
        /// That many ales a second leave, whatever comes back.
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
    /// Seconds in which nothing is sent before memory is measured.
    var hold: Double
    /// Rooms that are tried with a single ale before the load.
    var probes: Int
    /// Handshakes under way at once.
    var parallel: Int
    /// Polls without sleeping, so that the server does not pay for waking the generator.
    var spins: Bool
    var serverProcess: Int?

    var memberCount: Int { paths.count }
    var roomCount: Int { paths.count / roomSize }

    /// How many members of a room send at the same time: in a room of two both, in a larger one they take
    /// turns, except in the open loop, where anybody may.
    var sendersAtOnce: Int {
        switch load {
        case .closed: roomSize == 2 ? 2 : 1
        case .open: roomSize
        }
    }

    /// How many ales of one room can be under way; a power of two.
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

    /// The room that a path names.
    static func room(of path: String) throws(BenchError) -> Identifier {
        guard let start = path.firstRange(of: "id=")?.upperBound,
            let room = Identifier(String(path[start...].prefix { $0 != "&" }))
        else { throw .failed("There is no id=<room> in the target \(path).") }
        return room
    }
}
