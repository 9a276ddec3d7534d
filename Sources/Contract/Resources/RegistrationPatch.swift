/// The body of `PATCH /v1/registrations/{id}`. `task`, `tag`, `with` and `quiet` can change until the room
/// opens; `checkIn`, `outcome` and `note` afterwards. One body has members of one group only.
public struct RegistrationPatch: RequestBody {
    /// The new task: 1 to 200 characters; nil keeps the old one.
    public var task: String?
    /// The new tag: 1 to 32 characters.
    public var tag: Change<String>
    /// The text that the member shows to the room while it is open: 1 to 200 characters.
    public var checkIn: Change<String>
    /// The outcome, from the start of the session until `Limits.outcomeSeconds` after its end. Clearing it
    /// clears the note.
    public var outcome: Change<SessionOutcome>
    /// The note on the outcome: 1 to 200 characters.
    public var note: Change<String>
    /// The permitted partners; nil keeps the old value.
    public var with: Company?
    /// Whether the user receives no ales; nil keeps the old value.
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

    /// Whether the patch changes `with` or `quiet`.
    public var changesIntent: Bool { with != nil || quiet != nil }

    public init(_ reader: inout RequestReader) throws(RequestError) {
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
    }

    /// Whether the patch changes the check-in, the outcome or the note.
    public var hasWords: Bool { checkIn != .keep || hasOutcome }

    /// Whether the patch changes the outcome or the note.
    public var hasOutcome: Bool { outcome != .keep || note != .keep }
}
