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
        /// No other person in this slot was left to choose.
        case onlyOneLeft = "only-one-left"
        /// One of the two registered after the slot had opened.
        case late
        /// A member had left before the two met.
        case replacement
    }

    public init(_ kind: Kind, _ text: String, lastMetAt: Timestamp? = nil) {
        reason = kind.rawValue
        self.text = text
        self.lastMetAt = lastMetAt
    }

    /// The kind; nil for a reason that this version does not know.
    public var kind: Kind? { Kind(rawValue: reason) }
}
