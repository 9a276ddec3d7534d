/// The body of `PATCH /v1/registrations/{id}`: either what was declared before the room opens, or words about
/// the session after that.
public struct RegistrationPatch: RequestBody {
    /// The new task; nil keeps the old one.
    public var task: String?
    public var tag: Change<String>
    public var checkIn: Change<String>
    /// The outcome; without one there is no note either.
    public var outcome: Change<SessionOutcome>
    public var note: Change<String>
    /// The people that the person wants to meet from now on; nil keeps them.
    public var with: Company?
    /// Whether the person wants no ales; nil keeps it.
    public var quiet: Bool?

    public static let members: [BodyMember] = [
        .text("checkIn", .checkIn), .word("outcome", BodyMember.name), .text("note", .note),
    ]

    public init(
        task: String? = nil, tag: Change<String> = .keep, checkIn: Change<String> = .keep,
        outcome: Change<SessionOutcome> = .keep, note: Change<String> = .keep, with: Company? = nil,
        quiet: Bool? = nil
    ) {
        self.task = task
        self.tag = tag
        self.checkIn = checkIn
        self.outcome = outcome
        self.note = note
        self.with = with
        self.quiet = quiet
    }

    /// Whether the patch changes the people to meet, or whether ales are welcome.
    public var changesIntent: Bool { with != nil || quiet != nil }

    public init(json: JSONValue) throws(RequestError) {
        var reader = RequestReader(json)
        task = reader.replacement("task", .task)
        tag = reader.change("tag", .tag)
        with = reader.company()
        quiet = reader.flag("quiet")
        checkIn = reader.change("checkIn", .checkIn)
        outcome = reader.change("outcome", of: SessionOutcome.self)
        note = reader.change("note", .note)
        if hasWords, task != nil || tag != .keep || changesIntent {
            reader.refuse(
                "",
                "task, tag, with and quiet change until the room opens, and checkIn, outcome and note after "
                    + "that: send one or the other.")
        }
        if outcome == .clear, case .set = note {
            reader.refuse("note", "A note is about an outcome: give one, or leave the note out.")
        }
        try reader.finish()
    }

    /// Whether the patch is about what the member says, and not about the task.
    public var hasWords: Bool { checkIn != .keep || hasOutcome }

    /// Whether the patch changes the outcome, or the note on it.
    public var hasOutcome: Bool { outcome != .keep || note != .keep }
}
