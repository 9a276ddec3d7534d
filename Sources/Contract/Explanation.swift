/// The answer of `GET /v1/rooms/{id}/explanation`: the reasons for which the caller meets these people, as
/// things stood when they met.
public struct Explanation: Codable, Hashable, Sendable {
    public var roomId: Identifier
    /// A sentence about the room.
    public var message: String
    /// The other members of the room.
    public var members: [ExplainedMember]

    public init(roomId: Identifier, message: String, members: [ExplainedMember]) {
        self.roomId = roomId
        self.message = message
        self.members = members
    }
}
