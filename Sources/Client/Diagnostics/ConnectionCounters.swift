/// What a connection has counted since it was made. Durations are in milliseconds.
public struct ConnectionCounters: Codable, Hashable, Sendable {
    /// Entries into the room after the first.
    public var reconnects = 0
    /// Attempts to connect, in vain or not.
    public var attempts = 0
    /// The median of the latest round trips; nil before the first, as are the two percentiles below.
    public var roundTripP50: Double?
    public var roundTripP95: Double?
    public var roundTripP99: Double?
    /// Messages that wait to be sent or acknowledged.
    public var queueDepth = 0
    /// The bytes of frames from the room; `bytesOut` counts those to it.
    public var bytesIn = 0
    public var bytesOut = 0
    /// Messages that were sent, each time.
    public var messagesOut = 0
    public var acknowledged = 0
    /// Ales that came again, and were not told again.
    public var duplicates = 0
    /// Messages of a type that is not known, and such as cannot be read.
    public var unknownMessages = 0
    public var unreadableMessages = 0
    /// By `ClientError.kind`, or `close:` and the close code.
    public var errors: [String: Int] = [:]

    /// Kinds come from the server too, so there are only so many of them.
    static let maximumKinds = 64

    mutating func count(_ kind: String) {
        let isKnown = errors[kind] != nil || errors.count < Self.maximumKinds
        errors[isKnown ? kind : "other", default: 0] += 1
    }
}
