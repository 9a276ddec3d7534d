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
    /// The next attempt is at that wall-clock time, or earlier if the network changes.
    case waiting(until: Timestamp)
    /// The connection is closed for good.
    case closed(CloseReason)
}
