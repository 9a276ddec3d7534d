import Reactor

/// The connections of this process that run, for news that concern all of them.
enum LiveConnections {
    private struct Entry {
        weak var connection: RoomConnection?
    }

    private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

    static var all: [RoomConnection] { entries.withLock { $0.values.compactMap(\.connection) } }

    static func add(_ connection: RoomConnection) {
        entries.withLock { $0[ObjectIdentifier(connection)] = Entry(connection: connection) }
    }

    static func remove(_ connection: RoomConnection) {
        entries.withLock { $0[ObjectIdentifier(connection)] = nil }
    }
}
