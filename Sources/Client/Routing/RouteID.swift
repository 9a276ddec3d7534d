/// The id of a handler that was registered with `RoomConnection.on`.
public struct RouteID: Hashable, Sendable {
    let number: UInt64
}
