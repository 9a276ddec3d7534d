/// The options of a connection to a room, in the query of its URL.
public struct SocketOptions: Hashable, Sendable {
    /// Whether the server merges ales of one member that wait for this connection (`merge=1`). Version 2
    /// only. Missed ales are not merged.
    public var mergesAles = false
    /// The seconds between two pings of the server (`ping=N`), in `Limits.pingSeconds`; nil for the server's
    /// default.
    public var pingSeconds: Int?

    public init(mergesAles: Bool = false, pingSeconds: Int? = nil) {
        self.mergesAles = mergesAles
        self.pingSeconds = pingSeconds
    }

    /// The items of the query, with nil for defaults.
    public var query: [(name: String, value: String?)] {
        [("merge", mergesAles ? "1" : nil), ("ping", pingSeconds.map { String($0) })]
    }
}
