/// The reason, for a version 2 client, for which its message was dropped.
public enum SocketErrorCode: String, CaseIterable, Codable, Hashable, Sendable {
    case malformed
    case unknownType
    case wrongRoom
    case rateLimited

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
