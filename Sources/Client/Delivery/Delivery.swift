/// What became of a message that was to be sent.
public enum Delivery: Hashable, Sendable {
    /// It has taken effect, with that number.
    case acknowledged(seq: Int64)
    /// It waits, and is sent until it is acknowledged or cancelled.
    case queued
    /// It was sent once, and nobody asks what became of it.
    case sent
    /// There was no connection, and it was fire and forget.
    case dropped
}
