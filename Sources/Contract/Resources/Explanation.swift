extension Routes {
    public static func explanation(ofRoom id: Identifier) -> String { "\(room(id))/explanation" }
}

/// The answer of `GET /v1/rooms/{id}/explanation`: the reasons of the match, as of its time.
public struct Explanation: Codable, Hashable, Sendable {
    public var roomId: Identifier
    /// A sentence about the room.
    public var message: String
    /// The other members of the room.
    public var members: [ExplainedMember]

    public init(roomId: Identifier, message: String, members: [ExplainedMember]) {
        self.roomId = roomId
        self.message = message
        self.members = members
    }
}

/// A member of a room, with the reasons for which the caller was matched with them.
public struct ExplainedMember: Codable, Hashable, Sendable {
    /// The id of this member's registration, never of the user.
    public var id: Identifier
    public var name: String
    /// The reasons, without private facts about others; can be empty for a former user.
    public var reasons: [MeetingReason]

    public init(id: Identifier, name: String, reasons: [MeetingReason]) {
        self.id = id
        self.name = name
        self.reasons = reasons
    }
}

/// A reason for a match of two people, or a fact about it.
public struct MeetingReason: Codable, Hashable, Sendable {
    /// The raw value of a `Kind`, or a reason that a later server adds.
    public var reason: String
    /// A sentence for the caller.
    public var text: String
    /// The start of the last session that both attended; only with `metBefore`.
    public var lastMetAt: Timestamp?

    /// The reasons that this version knows.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case firstMeeting = "first-meeting"
        case metBefore = "met-before"
        case sameTag = "same-tag"
        /// The other member is a favorite of the caller. The reverse is not disclosed.
        case favourite
        /// One of the two has registered with the other's invite.
        case invited
        /// The caller meets favorites only. The choice of others is not disclosed.
        case favouritesOnly = "favourites-only"
        /// No other person of the slot was without a partner.
        case onlyOneLeft = "only-one-left"
        /// One of the two registered after the slot opened.
        case late
        /// One of the two replaces a member who left.
        case replacement
    }

    package init(
        _ kind: Kind, _ text: Text, lastMetAt: Timestamp? = nil, in language: Language = .english
    ) {
        reason = kind.rawValue
        self.text = text.said(in: language)
        self.lastMetAt = lastMetAt
    }

    /// The kind; nil for a reason that this version does not know.
    public var kind: Kind? { Kind(rawValue: reason) }
}
