public import Contract

/// The state of a `RoomConnection`.
///
///     idle ──start──▶ connecting ──▶ connected ──▶ waiting ──▶ connecting …
///                         │              └─────────────┴──▶ closed
///                         └──▶ waiting, closed
public enum ConnectionState: Hashable, Sendable {
    /// The connection has not been started.
    case idle
    /// An attempt to enter the room is under way.
    case connecting
    /// The connection is in the room.
    case connected
    /// The next attempt comes at that wall-clock time, or earlier after an event that may help it.
    case waiting(until: Timestamp)
    /// The connection is closed for good.
    case closed(CloseReason)
}
