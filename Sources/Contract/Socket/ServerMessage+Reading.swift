extension ServerMessage {
    /// Reads one message; nil if it is not JSON, has no `type`, or lacks a member that its type requires.
    public static func read(_ bytes: RawSpan) -> ServerMessage? {
        guard let json = try? JSONValue.parse(bytes, maximumDepth: Limits.depth) else { return nil }
        return read(json)
    }

    private static func read(_ json: JSONValue) -> ServerMessage? {
        guard let type = json["type"]?.string else { return nil }
        switch type {
        case "handshake":
            if json["room"] == nil { return .handshake(nil) }
            return Handshake(json).map { .handshake($0) }
        case "aleResponse":
            if json["from"] == nil { return .aleResponse(nil) }
            guard let from = json.uuid("from"), let seq = json["seq"]?.int, let at = json.timestamp("at")
            else { return nil }
            guard json["count"] != nil else { return .aleResponse(Ale(from: from, seq: seq, at: at)) }
            guard let first = json["first"]?.int, let count = json["count"]?.int, first <= seq, count > 0
            else { return nil }
            let merged = Ale.Merged(first: first, count: count, since: json["since"]?.int)
            return .aleResponse(Ale(from: from, seq: seq, at: at, merged: merged))
        case "ack":
            guard let messageId = json["messageId"]?.string, let seq = json["seq"]?.int else { return nil }
            return .ack(messageId: messageId, seq: seq)
        case "presence":
            guard let member = json.uuid("member"), let present = json["present"]?.bool else { return nil }
            return .presence(member: member, present: present)
        case "checkIn":
            guard let member = json.uuid("member"), let text = json.change("checkIn") else { return nil }
            return .checkIn(member: member, checkIn: text.applied(to: nil))
        case "outcome":
            guard let member = json.uuid("member"), let text = json.change("outcome") else { return nil }
            let outcome = text.applied(to: nil).flatMap { SessionOutcome(rawValue: $0) }
            // An outcome of a later release is not one that was taken back.
            guard outcome != nil || text == .clear else { return nil }
            return .outcome(member: member, outcome: outcome, note: json["note"]?.string)
        case "status":
            guard let member = json.uuid("member"), let text = json.change("status") else { return nil }
            let status = text.applied(to: nil).flatMap { MemberStatus(rawValue: $0) }
            // A status of a later release is not one that was taken back.
            guard status != nil || text == .clear else { return nil }
            return .status(member: member, status: status)
        case "members":
            return [Member](json["members"]).map { .members($0) }
        case "moved":
            guard let id = json.uuid("id"), let socketUrl = json["socketUrl"]?.string else { return nil }
            return .moved(id: id, socketUrl: socketUrl)
        case "roomClosed":
            return .roomClosed
        case "announcement":
            guard let text = json["text"]?.string, let at = json.timestamp("at") else { return nil }
            return .announcement(text: text, at: at)
        case "error":
            guard let code = json["code"]?.string else { return nil }
            return .error(
                code: code, detail: json["detail"]?.string ?? "", messageId: json["messageId"]?.string)
        default:
            return .unknown(type: type)
        }
    }
}

extension ServerMessage.Handshake {
    fileprivate init?(_ json: JSONValue) {
        guard let room = json.uuid("room"), let you = json.uuid("you"), let epoch = json["epoch"]?.string,
            let seq = json["seq"]?.int, let recovered = json["recovered"]?.bool,
            let now = json.timestamp("now"), let startsAt = json.timestamp("startsAt"),
            let closesAt = json.timestamp("closesAt"), let pingSeconds = json["pingSeconds"]?.int,
            let members = [Member](json["members"])
        else { return nil }
        self.init(
            room: room, you: you, epoch: epoch, seq: seq, recovered: recovered, now: now, startsAt: startsAt,
            closesAt: closesAt, pingSeconds: pingSeconds, members: members)
    }
}

extension JSONValue {
    fileprivate func uuid(_ name: String) -> Identifier? {
        self[name]?.string.flatMap { Identifier($0) }
    }

    /// Returns the change that a text or null means; nil if the member is missing or something else.
    fileprivate func change(_ name: String) -> Change<String>? {
        guard let value = self[name] else { return nil }
        return value == .null ? .clear : value.string.map { .set($0) }
    }

    fileprivate func timestamp(_ name: String) -> Timestamp? {
        self[name]?.string.flatMap { Timestamp($0) }
    }
}

extension [Member] {
    /// Reads a list; nil if this is none, or an element cannot be read.
    fileprivate init?(_ json: JSONValue?) {
        guard let values = json?.array else { return nil }
        self = []
        for value in values {
            guard let id = value.uuid("id"), let name = value["name"]?.string,
                let present = value["present"]?.bool
            else { return nil }
            var member = Member(
                id: id, name: name, task: value["task"]?.string, tag: value["tag"]?.string,
                you: value["you"]?.bool ?? false, present: present, quiet: value["quiet"]?.bool)
            (member.checkIn, member.note) = (value["checkIn"]?.string, value["note"]?.string)
            member.outcome = value["outcome"]?.string.map { Extensible(rawValue: $0) }
            member.status = value["status"]?.string.map { Extensible(rawValue: $0) }
            append(member)
        }
    }
}
