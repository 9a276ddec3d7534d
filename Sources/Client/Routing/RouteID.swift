/// A handler that was registered with `RoomConnection.on`.
public struct RouteID: Hashable, Sendable {
    let number: UInt64
}
