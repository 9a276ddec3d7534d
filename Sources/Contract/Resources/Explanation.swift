extension Routes {
    public static func explanation(ofRoom id: Identifier) -> String { "\(room(id))/explanation" }
}

/// The answer of `GET /v1/rooms/{id}/explanation`: the reasons for which the caller meets these people, as
/// things stood when they met.
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

/// A member of a room, with the reasons for which the caller meets them.
public struct ExplainedMember: Codable, Hashable, Sendable {
    /// The id of this member's registration, never of the user.
    public var id: Identifier
    public var name: String
    /// The reasons that reveal nothing private about others; may be empty for a former user.
    public var reasons: [MeetingReason]

    public init(id: Identifier, name: String, reasons: [MeetingReason]) {
        self.id = id
        self.name = name
        self.reasons = reasons
    }
}

/// A reason for which two people meet, or a fact about their meeting.
public struct MeetingReason: Codable, Hashable, Sendable {
    /// The raw value of a `Kind`, or a reason that later servers add.
    public var reason: String
    /// A sentence for the caller.
    public var text: String
    /// The start of the last session that both attended, with `met-before`; left out with other reasons.
    public var lastMetAt: Timestamp?

    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case firstMeeting = "first-meeting"
        case metBefore = "met-before"
        case sameTag = "same-tag"
        /// The other member is a favourite of the caller's. Whether that is mutual is not told.
        case favourite
        /// One of the two has used the other's invite.
        case invited
        /// The caller meets favourites only. Whether others do is not told.
        case favouritesOnly = "favourites-only"
        /// No other person in this slot was left to choose.
        case onlyOneLeft = "only-one-left"
        /// One of the two registered after the slot had opened.
        case late
        /// A member had left before the two met.
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
