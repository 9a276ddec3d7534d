/// The reason for which the server has dropped a message; in version 2 only.
public enum SocketErrorCode: String, CaseIterable, Codable, Hashable, Sendable {
    /// The message is no JSON object, or a member has the wrong type or length.
    case malformed
    case unknownType
    /// The ale names another room.
    case wrongRoom
    /// The connection sends more messages than `ALES_PER_SECOND` permits.
    case rateLimited

    /// A sentence about the remedy, in English.
    public var detail: String {
        switch self {
        case .malformed:
            "Send a JSON object with a type; a messageId has 1 to 64 characters, and a status is "
                + "getting-ready, ready or null."
        case .unknownType: "This room takes messages of the types ale, status and ping."
        case .wrongRoom: "This ale names another room. Leave out id, or send it there."
        case .rateLimited: "This message was dropped. Send them more slowly."
        }
    }
}
