extension ServerMessage {
    /// The bytes of the handshake in version 1.
    public static let version1Handshake = Array(#"{"type":"handshake"}"#.utf8)
    /// The bytes of an ale in version 1.
    public static let version1Ale = Array(#"{"type":"aleResponse"}"#.utf8)

    /// The answer to a `ping` of version 2. It is no case, because only clients that send a ping receive it.
    public static let pong = Array(#"{"type":"pong"}"#.utf8)

    /// Appends an ale; allocates nothing but the buffer's own growth.
    public static func appendAle(from: Identifier, seq: Int64, at: Timestamp, to bytes: inout [UInt8]) {
        bytes.append(#"{"type":"aleResponse","from":""#)
        from.append(to: &bytes)
        bytes.append(#"","seq":"#)
        bytes.append(decimal: seq)
        bytes.append(#","at":""#)
        at.append(to: &bytes)
        bytes.append(#""}"#)
    }

    /// Appends an acknowledgement; allocates nothing but the buffer's own growth.
    public static func appendAck(messageId: String, seq: Int64, to bytes: inout [UInt8]) {
        bytes.append(#"{"type":"ack","messageId":"#)
        bytes.append(jsonString: messageId)
        bytes.append(#","seq":"#)
        bytes.append(decimal: seq)
        bytes.append("}")
    }

    /// Appends an error with that code and its usual detail.
    public static func appendError(_ code: SocketErrorCode, messageId: String?, to bytes: inout [UInt8]) {
        error(code: code.rawValue, detail: code.detail, messageId: messageId).append(to: &bytes)
    }

    /// Appends the message as JSON.
    public func append(to bytes: inout [UInt8]) {
        switch self {
        case .handshake(nil): bytes.append(contentsOf: Self.version1Handshake)
        case .aleResponse(nil): bytes.append(contentsOf: Self.version1Ale)
        case .aleResponse(let ale?) where ale.merged == nil:
            Self.appendAle(from: ale.from, seq: ale.seq, at: ale.at, to: &bytes)
        case .ack(let messageId, let seq): Self.appendAck(messageId: messageId, seq: seq, to: &bytes)
        default: json.append(to: &bytes)
        }
    }

    private var json: JSONValue {
        switch self {
        case .handshake(let handshake): handshake?.json ?? ["type": "handshake"]
        case .aleResponse(let ale): ale?.json ?? ["type": "aleResponse"]
        case .ack(let messageId, let seq):
            ["type": "ack", "messageId": .string(messageId), "seq": .integer(seq)]
        case .presence(let member, let present):
            ["type": "presence", "member": .id(member), "present": .bool(present)]
        case .checkIn(let member, let checkIn):
            ["type": "checkIn", "member": .id(member), "checkIn": .optional(checkIn)]
        case .outcome(let member, let outcome, let note):
            (["type": "outcome", "member": .id(member), "outcome": .optional(outcome?.rawValue)] as JSONValue)
                .adding("note", note.map { .string($0) })
        case .status(let member, let status):
            ["type": "status", "member": .id(member), "status": .optional(status?.rawValue)]
        case .members(let members): ["type": "members", "members": .array(members.map(\.json))]
        case .moved(let id, let socketUrl): ["type": "moved", "id": .id(id), "socketUrl": .string(socketUrl)]
        case .roomClosed: ["type": "roomClosed"]
        case .announcement(let text, let at):
            ["type": "announcement", "text": .string(text), "at": .time(at)]
        case .error(let code, let detail, let messageId):
            (["type": "error", "code": .string(code), "detail": .string(detail)] as JSONValue)
                .adding("messageId", messageId.map { .string($0) })
        case .unknown(let type): ["type": .string(type)]
        }
    }
}

extension ServerMessage.Handshake {
    fileprivate var json: JSONValue {
        [
            "type": "handshake", "room": .id(room), "you": .id(you), "epoch": .string(epoch),
            "seq": .integer(seq), "recovered": .bool(recovered), "now": .time(now),
            "startsAt": .time(startsAt), "closesAt": .time(closesAt), "pingSeconds": .integer(pingSeconds),
            "members": .array(members.map(\.json)),
        ]
    }
}

extension ServerMessage.Ale {
    fileprivate var json: JSONValue {
        let ale: JSONValue = [
            "type": "aleResponse", "from": .id(from), "seq": .integer(seq), "at": .time(at),
        ]
        guard let merged else { return ale }
        return ale.adding("first", .integer(merged.first)).adding("count", .integer(merged.count))
            .adding("since", merged.since.map { .integer($0) })
    }
}

extension Member {
    fileprivate var json: JSONValue {
        let member: JSONValue = [
            "id": .id(id), "name": .string(name), "task": .optional(task), "tag": .optional(tag),
            "you": .bool(you), "present": .bool(present),
        ]
        return member.adding("checkIn", checkIn.map { .string($0) })
            .adding("outcome", outcome.map { .string($0.rawValue) })
            .adding("note", note.map { .string($0) }).adding("quiet", quiet.map { .bool($0) })
            .adding("status", status.map { .string($0.rawValue) })
    }
}

extension JSONValue {
    fileprivate static func id(_ id: Identifier) -> JSONValue { .string(id.description) }

    /// Returns the object with one more member at its end; without it for nil.
    fileprivate func adding(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard case .object(let members) = self, let value else { return self }
        return .object(members + [Member(name: name, value: value)])
    }
}
