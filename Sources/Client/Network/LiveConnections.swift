import Reactor

/// The objects in this process that have a connection, for events that concern all of them.
enum LiveConnections {
    private struct Entry {
        weak var connection: (any Awakened)?
    }

    private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

    static var all: [any Awakened] { entries.withLock { $0.values.compactMap(\.connection) } }

    /// Adds an object. The network is watched from the first one on.
    static func add(_ connection: any Awakened) {
        entries.withLock { $0[ObjectIdentifier(connection)] = Entry(connection: connection) }
        NetworkWatcher.start()
    }

    static func remove(_ connection: any Awakened) {
        entries.withLock { $0[ObjectIdentifier(connection)] = nil }
    }
}
