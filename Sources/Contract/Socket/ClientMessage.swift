/// A message of a client in a room, in either version of the socket.
public enum ClientMessage: Hashable, Sendable {
    /// An ale for this room. In version 1 it has to name the room, or it is dropped.
    case ale(messageId: String?, namesRoom: Bool)
    /// An ale for another room, or with an `id` that is no room's.
    case wrongRoom(messageId: String?)
    /// A status of the member, in version 2 only; nil clears it.
    case status(MemberStatus?, messageId: String?)
    /// A ping, in version 2 only. It is for pages, which cannot send or see pings of WebSocket.
    case ping(messageId: String?)
    /// A message with an unknown `type`.
    case unknownType(messageId: String?)
    /// A message that is no JSON object, lacks its `type`, or has a member of the wrong type or length.
    case malformed

    /// Reads one message that arrived in the given room. Never traps and never keeps the bytes.
    ///
    /// The usual frames are compared as bytes, without an allocation; all others are parsed.
    public static func read(_ payload: RawSpan, room: IdentifierText) -> ClientMessage {
        if AleFrame.isPlainAle(payload, room) { return .ale(messageId: nil, namesRoom: true) }
        return read(payload, room: room.id)
    }

    /// Reads one message as above, for a caller that has the room's id only.
    public static func read(_ payload: RawSpan, room: Identifier) -> ClientMessage {
        if let frame = AleFrame(payload) {
            let messageId = frame.messageId.map { range in
                // Sound: the buffer does not leave the closure.
                payload.extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
            guard let named = frame.room else { return .ale(messageId: messageId, namesRoom: false) }
            return named == room
                ? .ale(messageId: messageId, namesRoom: true) : .wrongRoom(messageId: messageId)
        }
        guard let json = try? JSONValue.parse(payload, maximumDepth: Limits.depth) else { return .malformed }
        return read(json, room: room)
    }

    private static func read(_ json: JSONValue, room: Identifier) -> ClientMessage {
        guard let type = json["type"]?.string else { return .malformed }
        let messageId = json["messageId"]?.string
        if json["messageId"] != nil {
            guard let messageId, Limits.messageIdCharacters.contains(messageId.unicodeScalars.count)
            else { return .malformed }
        }
        if type == "status" { return status(json["status"], messageId) }
        if type == "ping" { return .ping(messageId: messageId) }
        guard type == "ale" else { return .unknownType(messageId: messageId) }
        guard let id = json["id"] else { return .ale(messageId: messageId, namesRoom: false) }
        guard let text = id.string else { return .malformed }
        return Identifier(text) == room
            ? .ale(messageId: messageId, namesRoom: true) : .wrongRoom(messageId: messageId)
    }

    private static func status(_ value: JSONValue?, _ messageId: String?) -> ClientMessage {
        if value == .null { return .status(nil, messageId: messageId) }
        guard let status = value?.string.flatMap({ MemberStatus(rawValue: $0) }) else { return .malformed }
        return .status(status, messageId: messageId)
    }
}

extension ClientMessage {
    /// Appends an ale as a client sends it.
    public static func appendAle(room: Identifier?, messageId: String?, to bytes: inout [UInt8]) {
        bytes.append("{\"type\":\"ale\"")
        if let room {
            bytes.append(",\"id\":\"")
            room.append(to: &bytes)
            bytes.append("\"")
        }
        if let messageId {
            bytes.append(",\"messageId\":")
            bytes.append(jsonString: messageId)
        }
        bytes.append("}")
    }

    /// Appends a status as a client of version 2 sends it; nil clears it.
    public static func appendStatus(_ status: MemberStatus?, to bytes: inout [UInt8]) {
        let message: JSONValue = ["type": "status", "status": .optional(status?.rawValue)]
        message.append(to: &bytes)
    }
}
