package import Contract

/// The result of one match of a slot.
package enum MatchOutcome: Sendable {
    /// The clock was set back before the opening: nothing was done.
    case tooEarly
    /// Another server has the slot until that instant: nothing was done.
    case leased(until: Timestamp)
    /// The first match of the slot. After a match in parts, members that were left over count as late.
    case opened(rooms: [Identifier], people: Int, hasLeftovers: Bool)
    /// Late members were placed. `rooms` are the new rooms, and those with new members.
    case placed(rooms: [Identifier], people: Int, lookAgainAt: Timestamp?)
    /// `people` members who were alone went to other rooms. `rooms` are those that changed. If
    /// `awaitsEntry`, members who have no partner left may meet as soon as they enter; nil if the match did
    /// not look.
    case rematched(rooms: [Identifier], people: Int, lookAgainAt: Timestamp?, awaitsEntry: Bool? = nil)
    /// No member had to be placed. At `lookAgainAt` an absent member has been waited for long enough.
    case nothing(lookAgainAt: Timestamp?, awaitsEntry: Bool? = nil)

    /// The rooms that are new, or whose members changed.
    package var rooms: [Identifier] {
        switch self {
        case .opened(let rooms, _, _), .placed(let rooms, _, _), .rematched(let rooms, _, _, _): rooms
        case .tooEarly, .leased, .nothing: []
        }
    }

    /// The number of people who got their first room.
    package var people: Int {
        switch self {
        case .opened(_, let people, _), .placed(_, let people, _): people
        case .tooEarly, .leased, .rematched, .nothing: 0
        }
    }

    /// The number of people who were alone and went to another room.
    package var rematched: Int {
        if case .rematched(_, let people, _, _) = self { people } else { 0 }
    }

    /// Whether the match opened the slot.
    package var isFirst: Bool {
        if case .opened = self { true } else { false }
    }

    /// Whether members of a match in parts were left over.
    var hasLeftovers: Bool {
        if case .opened(_, _, true) = self { true } else { false }
    }

    /// The instant at which an absent member has been waited for long enough; nil if no member is waited for.
    var lookAgainAt: Timestamp? {
        switch self {
        case .placed(_, _, let at), .rematched(_, _, let at, _), .nothing(let at, _): at
        case .tooEarly, .leased, .opened: nil
        }
    }

    /// Whether members who have no partner left may meet as soon as they enter; nil if the match did not
    /// look.
    var awaitsEntry: Bool? {
        switch self {
        case .rematched(_, _, _, let awaitsEntry), .nothing(_, let awaitsEntry): awaitsEntry
        case .tooEarly, .leased, .opened, .placed: nil
        }
    }
}
