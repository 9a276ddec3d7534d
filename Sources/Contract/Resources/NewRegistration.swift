/// The body of `POST /v1/registrations`: one task for 1 to 48 slots, all or none, or for the slot of an
/// invite.
public struct NewRegistration: RequestBody {
    /// The slots of a new registration, in one of three forms.
    public enum Slots: Hashable, Sendable {
        /// The starts of slots as instants: member `slots`.
        case instants([Timestamp])
        /// The starts of slots as local times: members `localSlots` and `timeZone`, by default the account's.
        case local([LocalDateTime], timeZone: String?)
        /// The slot of the invite with this code: member `invite`.
        case invite(String)
    }

    /// The task: 1 to 200 characters.
    public var task: String
    /// The tag: 1 to 32 characters. People with the same tag are preferred as partners.
    public var tag: String?
    public var slots: Slots
    /// The length of the slots in minutes, one of `SlotList.lengths`; nil for the first of these.
    public var minutes: Int?
    /// The permitted partners; nil for anyone.
    public var with: Company?
    /// Whether the user receives no ales; nil for false.
    public var quiet: Bool?

    public static let members: [BodyMember] = [
        .text("task", .task), .text("tag", .tag),
        .words("slots", BodyMember.instant, times: Limits.slotsAtOnce.upperBound),
        .text("timeZone", .timeZone), .scalar("minutes"), .word("with", BodyMember.name), .scalar("quiet"),
    ]

    public init(
        task: String, tag: String? = nil, slots: Slots, minutes: Int? = nil, with: Company? = nil,
        quiet: Bool? = nil
    ) {
        self.task = task
        self.tag = tag
        self.slots = slots
        self.minutes = minutes
        self.with = with
        self.quiet = quiet
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        try self.init(&reader, hasLengths: true)
    }

    /// Reads a body. Without `hasLengths` there is no member `minutes`: the server has slots of one length.
    package init(_ reader: inout RequestReader, hasLengths: Bool) throws(RequestError) {
        task = reader.text("task", .task)
        tag = reader.optionalText("tag", .tag)
        let instants = reader.list("slots", Limits.slotsAtOnce, of: Self.instant)
        let local = reader.list("localSlots", Limits.slotsAtOnce, of: Self.localTime)
        let timeZone = reader.optionalText("timeZone", .timeZone)
        if hasLengths { minutes = reader.optionalInteger("minutes") }
        let invite = reader.optionalText("invite", .inviteCode)
        with = reader.company()
        quiet = reader.flag("quiet")
        if let invite {
            for (name, isGiven) in [
                ("slots", instants != nil), ("localSlots", local != nil), ("timeZone", timeZone != nil),
                ("minutes", minutes != nil),
            ] where isGiven { reader.refuse(name, "invite has a slot already: leave \(name) out.") }
            slots = .invite(invite)
            return
        }
        switch (instants, local) {
        case (let instants?, nil):
            if timeZone != nil {
                reader.refuse("timeZone", "timeZone goes with localSlots; slots are instants.")
            }
            slots = .instants(instants)
        case (nil, let local?):
            slots = .local(local, timeZone: timeZone)
        case (_?, _?):
            reader.refuse("localSlots", "Give either slots or localSlots, not both.")
            slots = .instants([])
        case (nil, nil):
            reader.missing("slots", "slots is missing: give slots, localSlots or invite.")
            slots = .instants([])
        }
    }

    private static func instant(_ json: JSONValue) throws(ValidationError) -> Timestamp {
        try json.string.flatMap { Timestamp($0) }.orThrow(
            ValidationError(
                "This has to be a time with an offset as in RFC 3339, like 2027-03-28T09:30:00Z."))
    }

    private static func localTime(_ json: JSONValue) throws(ValidationError) -> LocalDateTime {
        try json.string.flatMap { LocalDateTime($0) }.orThrow(
            ValidationError("This has to be a local time without an offset, like 2027-03-28T09:30."))
    }
}

extension NewRegistration: Encodable {
    private enum Key: String, CodingKey {
        case task, tag, slots, localSlots, timeZone, invite, minutes, with, quiet
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(task, forKey: .task)
        try container.encodeIfPresent(tag, forKey: .tag)
        switch slots {
        case .instants(let instants):
            try container.encode(instants, forKey: .slots)
        case .local(let times, let timeZone):
            try container.encode(times, forKey: .localSlots)
            try container.encodeIfPresent(timeZone, forKey: .timeZone)
        case .invite(let code):
            try container.encode(code, forKey: .invite)
        }
        try container.encodeIfPresent(minutes, forKey: .minutes)
        try container.encodeIfPresent(with, forKey: .with)
        try container.encodeIfPresent(quiet, forKey: .quiet)
    }
}
