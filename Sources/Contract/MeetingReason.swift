/// One reason for which two people meet, or something that is worth knowing about it.
public struct MeetingReason: Codable, Hashable, Sendable {
    /// One of `Kind`, and others that later servers know.
    public var reason: String
    /// A sentence for the caller.
    public var text: String
    /// With `met-before`: the start of the last session that both came to. Left out elsewhere.
    public var lastMetAt: Timestamp?

    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case firstMeeting = "first-meeting"
        case metBefore = "met-before"
        case sameTag = "same-tag"
        /// The other one is a favourite of the caller's. Whether it is mutual is not told.
        case favourite
        /// Nobody else was there in this slot.
        case onlyOneLeft = "only-one-left"
        /// One of the two registered after the slot had opened.
        case late
        /// Somebody had left before the two met.
        case replacement
    }

    public init(_ kind: Kind, _ text: String, lastMetAt: Timestamp? = nil) {
        reason = kind.rawValue
        self.text = text
        self.lastMetAt = lastMetAt
    }

    /// Nil for a reason that this version does not know.
    public var kind: Kind? { Kind(rawValue: reason) }
}
