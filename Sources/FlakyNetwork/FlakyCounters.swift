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

/// The counters of a flaky transport, which all its parts share. Loop only.
final class FlakyTally {
    var counters = FlakyCounters()
}
