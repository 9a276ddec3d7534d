import Contract
import Matching

/// Somebody who is registered for a slot, with what the matching needs to know.
struct SlotPerson: Equatable, Sendable {
    var registration: UUID
    var user: UUID
    var tag: String?
    /// The slot in which this one was left alone last.
    var aloneAt: Timestamp?
    /// That was the last slot in which this one was matched.
    var wasAloneLast = false
}

/// What two people of a slot, by their registrations, know of each other. What several ties of the same two say adds up,
/// except for `meetings`, of which there is one.
struct SlotTie: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Either has blocked the other.
        case block
        /// The first has marked the second.
        case favourite
        /// What their meetings cost, as `MatchWeights.meetings` says.
        case meetings(Int32)
    }

    var first: UUID
    var second: UUID
    var kind: Kind
}
