/// The id of a handler that was registered with `RoomConnection.on`.
public struct RouteID: Hashable, Sendable {
    /// The task that reads the messages for the handler.
    let task: Task<Void, Never>
}
