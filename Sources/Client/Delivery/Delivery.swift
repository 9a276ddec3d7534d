/// The result of sending a message.
public enum Delivery: Hashable, Sendable {
    /// The message has taken effect, with that number.
    case acknowledged(seq: Int64)
    /// The message waits, and is sent until it is acknowledged or cancelled.
    case queued
    /// The message was sent once, without waiting for its outcome.
    case sent
    /// The message was fire and forget, and there was no connection.
    case dropped
}
