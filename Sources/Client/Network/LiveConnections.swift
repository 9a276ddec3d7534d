import Reactor

/// What of this process has a connection, for events that concern all of them.
enum LiveConnections {
    private struct Entry {
        weak var connection: (any Awakened)?
    }

    private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

    static var all: [any Awakened] { entries.withLock { $0.values.compactMap(\.connection) } }

    /// From the first one on, the network is watched.
    static func add(_ connection: any Awakened) {
        entries.withLock { $0[ObjectIdentifier(connection)] = Entry(connection: connection) }
        NetworkWatcher.start()
    }

    static func remove(_ connection: any Awakened) {
        entries.withLock { $0[ObjectIdentifier(connection)] = nil }
    }
}
