/// A member of a room, as another member sees them. A former user has neither task nor tag.
public struct Member: Codable, Hashable, Sendable {
    /// The id of the member's registration, never of the user.
    public var id: Identifier
    public var name: String
    @Nullable public var task: String?
    @Nullable public var tag: String?
    /// Whether this member is the user who receives the list.
    public var you: Bool
    public var present: Bool
    /// The words at the start; left out if there are none.
    public var checkIn: String?
    /// The outcome; left out before the member says it.
    public var outcome: Extensible<SessionOutcome>?
    /// The words on the outcome; left out if there are none.
    public var note: String?
    /// True if the member wants no ales and is sent none; left out otherwise.
    public var quiet: Bool?
    /// The status that the member said last in the open room, present or not; left out if there is none.
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

    /// The words of the member about the session. An unknown outcome is left out.
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
