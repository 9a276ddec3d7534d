/// The answer of `GET /v1/rooms`, newest first.
public struct RoomList: Codable, Hashable, Sendable {
    public var rooms: [Room]
    /// The cursor of the next page; left out on the last one.
    public var nextCursor: String?

    public init(rooms: [Room], nextCursor: String? = nil) {
        self.rooms = rooms
        self.nextCursor = nextCursor
    }
}
