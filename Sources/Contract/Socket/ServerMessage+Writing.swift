extension ServerMessage {
    /// The bytes of the handshake in version 1.
    public static let version1Handshake = Array(#"{"type":"handshake"}"#.utf8)
    public static let version1Ale = Array(#"{"type":"aleResponse"}"#.utf8)

    /// The answer to a `ping` of version 2. It comes to nobody who sends none, so it is no case of its own.
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
        case .handshake(let handshake?):
            handshake.append(to: &bytes)
        case .handshake(nil):
            bytes.append(contentsOf: Self.version1Handshake)
        case .aleResponse(let ale?):
            Self.appendAle(from: ale.from, seq: ale.seq, at: ale.at, to: &bytes)
            guard let merged = ale.merged else { return }
            bytes.removeLast()
            bytes.append("first", merged.first)
            bytes.append("count", merged.count)
            if let since = merged.since { bytes.append("since", since) }
            bytes.append("}")
        case .aleResponse(nil):
            bytes.append(contentsOf: Self.version1Ale)
        case .ack(let messageId, let seq):
            Self.appendAck(messageId: messageId, seq: seq, to: &bytes)
        case .presence(let member, let present):
            bytes.append(#"{"type":"presence""#)
            bytes.append("member", member)
            bytes.append("present", present)
            bytes.append("}")
        case .checkIn(let member, let checkIn):
            bytes.append(#"{"type":"checkIn""#)
            bytes.append("member", member)
            bytes.append("checkIn", checkIn)
            bytes.append("}")
        case .outcome(let member, let outcome, let note):
            bytes.append(#"{"type":"outcome""#)
            bytes.append("member", member)
            bytes.append("outcome", outcome?.rawValue)
            if let note { bytes.append("note", note) }
            bytes.append("}")
        case .status(let member, let status):
            bytes.append(#"{"type":"status""#)
            bytes.append("member", member)
            bytes.append("status", status?.rawValue)
            bytes.append("}")
        case .members(let members):
            bytes.append(#"{"type":"members""#)
            bytes.append("members", members)
            bytes.append("}")
        case .moved(let id, let socketUrl):
            bytes.append(#"{"type":"moved""#)
            bytes.append("id", id)
            bytes.append("socketUrl", socketUrl)
            bytes.append("}")
        case .roomClosed:
            bytes.append(#"{"type":"roomClosed"}"#)
        case .announcement(let text, let at):
            bytes.append(#"{"type":"announcement""#)
            bytes.append("text", text)
            bytes.append("at", at)
            bytes.append("}")
        case .error(let code, let detail, let messageId):
            bytes.append(#"{"type":"error""#)
            bytes.append("code", code)
            bytes.append("detail", detail)
            if let messageId { bytes.append("messageId", messageId) }
            bytes.append("}")
        case .unknown(let type):
            bytes.append(#"{"type":"#)
            bytes.append(jsonString: type)
            bytes.append("}")
        }
    }
}

extension ServerMessage.Handshake {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(#"{"type":"handshake""#)
        bytes.append("room", room)
        bytes.append("you", you)
        bytes.append("epoch", epoch)
        bytes.append("seq", seq)
        bytes.append("recovered", recovered)
        bytes.append("now", now)
        bytes.append("startsAt", startsAt)
        bytes.append("closesAt", closesAt)
        bytes.append("pingSeconds", pingSeconds)
        bytes.append("members", members)
        bytes.append("}")
    }
}

// Functions that append a further member of an object: a comma, the name and the value.
extension [UInt8] {
    fileprivate mutating func append(name: StaticString) {
        append(",\"")
        append(name)
        append("\":")
    }

    fileprivate mutating func append(_ name: StaticString, _ text: String?) {
        append(name: name)
        if let text { append(jsonString: text) } else { append("null") }
    }

    fileprivate mutating func append(_ name: StaticString, _ number: Int64) {
        append(name: name)
        append(decimal: number)
    }

    fileprivate mutating func append(_ name: StaticString, _ flag: Bool) {
        append(name: name)
        append(flag ? "true" : "false")
    }

    fileprivate mutating func append(_ name: StaticString, _ id: Identifier) {
        append(name: name)
        append("\"")
        id.append(to: &self)
        append("\"")
    }

    fileprivate mutating func append(_ name: StaticString, _ instant: Timestamp) {
        append(name: name)
        append("\"")
        instant.append(to: &self)
        append("\"")
    }

    fileprivate mutating func append(_ name: StaticString, _ members: [Member]) {
        append(name: name)
        append("[")
        for (index, member) in members.enumerated() {
            append(index == 0 ? #"{"id":""# : #",{"id":""#)
            member.id.append(to: &self)
            append("\"")
            append("name", member.name)
            append("task", member.task)
            append("tag", member.tag)
            append("you", member.you)
            append("present", member.present)
            if let checkIn = member.checkIn { append("checkIn", checkIn) }
            if let outcome = member.outcome { append("outcome", outcome.rawValue) }
            if let note = member.note { append("note", note) }
            if let quiet = member.quiet { append("quiet", quiet) }
            if let status = member.status { append("status", status.rawValue) }
            append("}")
        }
        append("]")
    }
}
