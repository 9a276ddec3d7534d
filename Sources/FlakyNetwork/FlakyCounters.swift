/// The counters of a flaky transport since it began.
public struct FlakyCounters: Hashable, Sendable {
    public var connections = 0
    public var refused = 0
    public var resets = 0
    public var halfOpened = 0
    /// The number of whole WebSocket messages, or TLS records, of both directions that a decision was made
    /// on.
    public var messages = 0
    public var duplicated = 0
    public var lost = 0
    public var reordered = 0
    public var corrupted = 0
    public var bytesToServer = 0
    public var bytesToClient = 0

    public init() {}
}

extension FlakyCounters {
    static func += (left: inout FlakyCounters, right: FlakyCounters) {
        left.connections += right.connections
        left.refused += right.refused
        left.resets += right.resets
        left.halfOpened += right.halfOpened
        left.messages += right.messages
        left.duplicated += right.duplicated
        left.lost += right.lost
        left.reordered += right.reordered
        left.corrupted += right.corrupted
        left.bytesToServer += right.bytesToServer
        left.bytesToClient += right.bytesToClient
    }
}
