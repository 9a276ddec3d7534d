/// The counters of a connection since it was made. Durations are in milliseconds.
public struct ConnectionCounters: Codable, Hashable, Sendable {
    /// The entries into the room after the first.
    public var reconnects = 0
    /// The attempts to connect, successful or not.
    public var attempts = 0
    /// The median of the latest round trips; nil before the first, as are the other percentiles.
    public var roundTripP50: Double?
    /// The 95th percentile of the latest round trips.
    public var roundTripP95: Double?
    /// The 99th percentile of the latest round trips.
    public var roundTripP99: Double?
    /// The messages that wait to be sent or acknowledged.
    public var queueDepth = 0
    /// The bytes of frames from the room.
    public var bytesIn = 0
    /// The bytes of frames to the room.
    public var bytesOut = 0
    /// The messages sent, counting each repetition.
    public var messagesOut = 0
    /// The messages that the server has acknowledged.
    public var acknowledged = 0
    /// The repeated ales, which were not reported again.
    public var duplicates = 0
    /// The messages of an unknown type.
    public var unknownMessages = 0
    /// The messages that cannot be read.
    public var unreadableMessages = 0
    /// The errors by `ClientError.kind`, or by `close:` and the close code.
    public var errors: [String: Int] = [:]

    /// The most kinds of errors. Kinds come from the server too, so they are bounded.
    static let maximumKinds = 64

    mutating func count(_ kind: String) {
        let isKnown = errors[kind] != nil || errors.count < Self.maximumKinds
        errors[isKnown ? kind : "other", default: 0] += 1
    }
}
