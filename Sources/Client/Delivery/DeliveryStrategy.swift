/// The treatment of a message with and without a connection.
///
/// | strategy | connected | not connected |
/// |---|---|---|
/// | `liveOnly` | sent; fails if the connection is lost meanwhile | refused at once |
/// | `liveElseQueued` | sent, after the queued messages | queued, in order |
/// | `liveElseLatest` | sent | kept instead of the earlier ones of its type |
/// | `queuedOnly` | queued, and sent when the queue is next processed | queued, in order |
/// | `latestOnly` | kept instead of the earlier ones of its type | the same |
/// | `fireAndForget` | sent once, and never again | dropped |
///
/// All messages but those of `fireAndForget` are sent again until the server acknowledges them, with the same
/// messageId, so that they take effect once; those of `liveOnly` on one connection only, and no longer than
/// the sender waits.
public enum DeliveryStrategy: Hashable, Sendable, CaseIterable {
    /// Sends now and waits for the acknowledgement. Fails without a connection, or if it is lost.
    case liveOnly
    /// Sends now, after the queued messages. Queues the message without a connection.
    case liveElseQueued
    /// Sends now. Without a connection, keeps the message instead of earlier ones of its type.
    case liveElseLatest
    /// Queues the message and does not wait for its acknowledgement.
    case queuedOnly
    /// Keeps the message instead of earlier ones of its type and does not wait for its acknowledgement.
    case latestOnly
    /// Sends once, without an acknowledgement. Drops the message without a connection.
    case fireAndForget

    /// Whether the message waits in order, and in the queue's file if there is one.
    var isQueued: Bool {
        switch self {
        case .liveElseQueued, .queuedOnly: true
        case .liveOnly, .liveElseLatest, .latestOnly, .fireAndForget: false
        }
    }
}
