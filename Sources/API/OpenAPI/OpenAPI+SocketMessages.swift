import Contract

/// The schemas of the messages of a room's socket. A text frame, or a binary one of version 1, carries one
/// message.
extension OpenAPI {
    static var socketSchemas: [String: JSONNode] {
        var schemas: [String: JSONNode] = [
            "MemberStatus": open(MemberStatus.self),
            "SocketClientMessageV1": sent("ale", ["id": uuid]).adding([
                "description": "What a client sends in version 1; `id` is the room's."
            ]),
            "SocketServerMessageV1": oneOf(
                "What the server sends in version 1.", ["SocketHandshakeV1", "SocketAleResponseV1"]),
            "SocketHandshakeV1": message("handshake"),
            "SocketAleResponseV1": message("aleResponse"),
            "SocketClientMessage": oneOf(
                "What a client sends in version 2.", clientMessages.keys.sorted()),
            "SocketServerMessage": [
                // Merged ales have all members of an ale, and more.
                "anyOf": .array(
                    (["SocketMergedAles"] + serverMessages.keys.sorted().filter { $0 != "SocketMergedAles" })
                        .map { reference($0) }),
                "description":
                    "What the server sends in version 2. Ignore types and members that you do not know.",
            ],
        ]
        schemas.merge(clientMessages) { one, _ in one }
        schemas.merge(serverMessages) { one, _ in one }
        return schemas
    }

    private static var messageId: JSONNode {
        let length = Limits.messageIdCharacters
        return [
            "type": "string", "minLength": .integer(length.lowerBound),
            "maxLength": .integer(length.upperBound),
        ]
    }

    private static var status: JSONNode { nullable(reference("MemberStatus")) }

    private static var clientMessages: [String: JSONNode] {
        [
            "SocketAle": sent("ale", optional: ["id": uuid, "messageId": messageId]).adding([
                "description": "An ale for the others; with a `messageId` it is acknowledged, and once only."
            ]),
            "SocketStatusChange": sent(
                "status", ["status": nullable(choice(MemberStatus.allCases.map(\.rawValue)))],
                optional: ["messageId": messageId]
            ).adding([
                "description": .string(
                    "What you are doing, told to everybody in the room; null takes it back. `messageId` "
                        + "comes back in an `error` only.")
            ]),
            "SocketPing": sent("ping", optional: ["messageId": messageId]).adding([
                "description": "A question whether the connection lives; the answer is `pong`."
            ]),
        ]
    }

    private static var serverMessages: [String: JSONNode] {
        [
            "SocketHandshake": message(
                "handshake",
                [
                    "room": uuid, "you": uuid, "epoch": string, "seq": count, "recovered": bool, "now": time,
                    "startsAt": time, "closesAt": time, "pingSeconds": count,
                    "members": list(reference("Member")),
                ]),
            "SocketAck": message("ack", ["messageId": messageId, "seq": count]),
            "SocketAleResponse": message("aleResponse", ["from": uuid, "seq": count, "at": time]),
            "SocketMergedAles": message(
                "aleResponse",
                ["from": uuid, "seq": count, "at": time, "first": count, "count": count],
                optional: ["since": count]
            ).adding(["description": .string(aboutMerging)]),
            "SocketPresence": message("presence", ["member": uuid, "present": bool]),
            "SocketMembers": message("members", ["members": list(reference("Member"))]),
            "SocketCheckIn": message("checkIn", ["member": uuid, "checkIn": nullable(string)]),
            "SocketOutcome": message(
                "outcome", ["member": uuid, "outcome": nullable(open(SessionOutcome.self))],
                optional: ["note": string]),
            "SocketStatus": message("status", ["member": uuid, "status": status]),
            "SocketMoved": message("moved", ["id": uuid, "socketUrl": string]),
            "SocketRoomClosed": message("roomClosed"),
            "SocketAnnouncement": message("announcement", ["text": string, "at": time]),
            "SocketPong": message("pong"),
            "SocketError": message(
                "error", ["code": open(SocketErrorCode.self), "detail": string],
                optional: ["messageId": messageId]),
        ]
    }

    private static let aboutMerging = """
        `count` ales of one member, which waited for a slow reader with `merge=1`: `first` is the number of \
        the first, `seq` and `at` are those of the last. If there is a `since`, come back with that instead \
        of `seq` until the next message of an ale, and drop an ale whose `seq` is not above the last one of \
        the same member: ales of others with lower numbers are still to come.
        """

    /// Returns the schema of a message of the server: a type, and these members.
    private static func message(
        _ type: String, _ required: [String: JSONNode] = [:], optional: [String: JSONNode] = [:]
    ) -> JSONNode {
        object(required.merging(["type": choice([type])]) { one, _ in one }, optional: optional)
    }

    /// Returns the schema of a message of a client.
    private static func sent(
        _ type: String, _ required: [String: JSONNode] = [:], optional: [String: JSONNode] = [:]
    ) -> JSONNode {
        message(type, required, optional: optional).adding(["additionalProperties": false])
    }

    private static func nullable(_ schema: JSONNode) -> JSONNode { ["oneOf": [schema, ["type": "null"]]] }

    private static func oneOf(_ description: String, _ names: [String]) -> JSONNode {
        ["oneOf": .array(names.map { reference($0) }), "description": .string(description)]
    }
}
