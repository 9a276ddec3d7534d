public import Contract

/// Where a `RoomConnection` is.
///
///     idle ──start──▶ connecting ──▶ connected ──▶ waiting ──▶ connecting …
///                         │              └─────────────┴──▶ closed
///                         └──▶ waiting, closed
public enum ConnectionState: Hashable, Sendable {
    /// Not started.
    case idle
    /// On its way into the room.
    case connecting
    /// In the room.
    case connected
    /// The next attempt comes then, by the clock on the wall, or when something speaks for trying earlier.
    case waiting(until: Timestamp)
    /// For good.
    case closed(CloseReason)
}
