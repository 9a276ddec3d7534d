/// The result of sending a message.
public enum Delivery: Hashable, Sendable {
    /// The message has taken effect. `seq` is its number in the room.
    case acknowledged(seq: Int64)
    /// The message is queued, and sent until it is acknowledged or cancelled.
    case queued
    /// The message was sent once, without waiting for its outcome.
    case sent
    /// The message was dropped: it was `fireAndForget`, and there was no connection.
    case dropped
}
