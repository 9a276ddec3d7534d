/// The options of a connection to a room, in the address of its socket.
public struct SocketOptions: Hashable, Sendable {
    /// Whether ales of one member that wait for this device, since it reads slowly, are sent as one message
    /// (`merge=1`). Version 2 only; missed ales that come back are never merged.
    public var mergesAles = false
    /// The seconds between two pings of the server (`ping=N`), in `Limits.pingSeconds`; nil for the server's
    /// own choice.
    public var pingSeconds: Int?

    public init(mergesAles: Bool = false, pingSeconds: Int? = nil) {
        self.mergesAles = mergesAles
        self.pingSeconds = pingSeconds
    }

    /// The items of the query; nil for those that are left out.
    public var query: [(name: String, value: String?)] {
        [("merge", mergesAles ? "1" : nil), ("ping", pingSeconds.map { String($0) })]
    }
}
