/// A member of a room. A deleted account has neither task nor tag.
public struct Member: Codable, Hashable, Sendable {
    /// The id of the member's registration. Ids of other users are not disclosed.
    public var id: Identifier
    public var name: String
    @Nullable public var task: String?
    @Nullable public var tag: String?
    /// Whether the member is the user who receives this value.
    public var you: Bool
    /// Whether a device of the member is in the room.
    public var present: Bool
    /// The text that the member shows to the room; nil if there is none.
    public var checkIn: String?
    /// The outcome that the member has set; nil if there is none.
    public var outcome: Extensible<SessionOutcome>?
    /// The note on the outcome; nil if there is none.
    public var note: String?
    /// True if the member receives no ales; nil otherwise.
    public var quiet: Bool?
    /// The latest status that the member has set, also of a member who has left; nil if there is none.
    public var status: Extensible<MemberStatus>?

    public init(
        id: Identifier, name: String, task: String?, tag: String?, you: Bool, present: Bool,
        words: SessionWords = SessionWords(), quiet: Bool? = nil, status: MemberStatus? = nil
    ) {
        self.id = id
        self.name = name
        self.task = task
        self.tag = tag
        self.you = you
        self.present = present
        self.quiet = quiet
        self.status = status.map { .known($0) }
        self.words = words
    }

    /// The check-in, outcome and note. An outcome that this version does not know is nil.
    public var words: SessionWords {
        get { SessionWords(checkIn: checkIn, outcome: outcome?.known, note: note) }
        set {
            (checkIn, outcome, note) = (newValue.checkIn, newValue.outcome.map { .known($0) }, newValue.note)
        }
    }
}

extension [Member] {
    /// Returns the same members, with `you` set for the member with this id.
    public func seen(by id: Identifier) -> [Member] {
        map { member in
            var seen = member
            seen.you = member.id == id
            return seen
        }
    }
}
