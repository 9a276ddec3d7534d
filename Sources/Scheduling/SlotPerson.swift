package import Contract
import Matching

/// A person who is registered for a slot, with the data that the matching needs.
package struct SlotPerson: Equatable, Sendable {
    package var registration: Identifier
    package var user: Identifier
    package var tag: String?
    /// The slot in which this person was last left alone.
    package var aloneAt: Timestamp?
    /// Whether that was the last slot in which this person was matched.
    package var wasAloneLast = false
    package var intent = SlotIntent()

    package init(
        registration: Identifier, user: Identifier, tag: String? = nil, aloneAt: Timestamp? = nil,
        wasAloneLast: Bool = false, intent: SlotIntent = SlotIntent()
    ) {
        self.registration = registration
        self.user = user
        self.tag = tag
        self.aloneAt = aloneAt
        self.wasAloneLast = wasAloneLast
        self.intent = intent
    }
}

/// The people that a registered person wants to meet, if that differs from the default.
package struct SlotIntent: Hashable, Sendable {
    /// Whether the person meets favourites only.
    package var favouritesOnly = false
    /// The registration whose invite the person has used: the two share a room, unless either has blocked the
    /// other.
    package var invitedBy: Identifier?

    package init(favouritesOnly: Bool = false, invitedBy: Identifier? = nil) {
        self.favouritesOnly = favouritesOnly
        self.invitedBy = invitedBy
    }
}

/// An edge between two people of a slot, by their registrations. Several edges of the same two people add up,
/// except for `meetings`, of which there is one.
package struct SlotEdge: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Either has blocked the other.
        case block
        /// The first has marked the second.
        case favourite
        /// The cost of their meetings, as in `MatchWeights.meetings`.
        case meetings(Int32)
    }

    package var first: Identifier
    package var second: Identifier
    package var kind: Kind

    package init(first: Identifier, second: Identifier, kind: Kind) {
        self.first = first
        self.second = second
        self.kind = kind
    }
}
