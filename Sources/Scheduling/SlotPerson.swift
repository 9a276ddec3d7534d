package import Contract
import Matching

/// Somebody who is registered for a slot, with what the matching needs to know.
package struct SlotPerson: Equatable, Sendable {
    package var registration: Identifier
    package var user: Identifier
    package var tag: String?
    /// The slot in which this one was left alone last.
    package var aloneAt: Timestamp?
    /// That was the last slot in which this one was matched.
    package var wasAloneLast = false

    package init(
        registration: Identifier, user: Identifier, tag: String? = nil, aloneAt: Timestamp? = nil,
        wasAloneLast: Bool = false
    ) {
        self.registration = registration
        self.user = user
        self.tag = tag
        self.aloneAt = aloneAt
        self.wasAloneLast = wasAloneLast
    }
}

/// What two people of a slot, by their registrations, know of each other. What several edges of the same two
/// say adds up, except for `meetings`, of which there is one.
package struct SlotEdge: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Either has blocked the other.
        case block
        /// The first has marked the second.
        case favourite
        /// What their meetings cost, as `MatchWeights.meetings` says.
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
