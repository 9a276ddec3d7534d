package import Contract

/// The people of a slot that has not opened, as of the last look, and those of them who were alone, that is,
/// without a possible partner.
package struct PartnerState: Equatable, Sendable {
    /// The number of people up to which each is looked at. If there are more, all of them count as partnered,
    /// so that a slot of many costs no more than one of few.
    package static let most = 8

    /// The people that one look at a slot finds.
    package enum Sight: Equatable, Sendable {
        /// All people, at most `most` of them, and those of them who have a possible partner.
        case few(Set<Identifier>, partnered: Set<Identifier>)
        /// More people than `most`; of those who were alone before, who is still there, and who of these
        /// meets favourites only.
        case many(remaining: Set<Identifier>, selective: Set<Identifier>)
    }

    /// The registrations to be told of a change.
    package struct Changes: Equatable, Sendable {
        package var partnered: Set<Identifier> = []
        package var alone: Set<Identifier> = []

        package init(partnered: Set<Identifier> = [], alone: Set<Identifier> = []) {
            self.partnered = partnered
            self.alone = alone
        }

        package var isEmpty: Bool { partnered.isEmpty && alone.isEmpty }

        /// All that are to be told something.
        package var registrations: Set<Identifier> { partnered.union(alone) }
    }

    /// The registrations; nil: there were more than `most`.
    package private(set) var known: Set<Identifier>?
    /// Those who were alone. With more than `most` people they are those who meet favourites only, and were
    /// alone when there were fewer.
    package private(set) var alone: Set<Identifier>

    /// Creates the state of a slot; by default of one without registrations.
    package init(known: Set<Identifier>? = [], alone: Set<Identifier> = []) {
        self.known = known
        self.alone = alone
    }

    /// Whether the slot has no registrations.
    package var isEmpty: Bool { known?.isEmpty ?? false }

    /// Sets the state to the look's result, and returns the people to notify. People who are new since the
    /// last look are not notified: they have the answer to their registration, and the list of the day.
    package mutating func update(_ sight: Sight) -> Changes {
        switch sight {
        case .few(let people, let partnered):
            let now = people.subtracting(partnered)
            let changes = Changes(
                partnered: alone.intersection(partnered),
                alone: now.filter { !alone.contains($0) && known?.contains($0) ?? true })
            (known, alone) = (people, now)
            return changes
        case .many(let remaining, let selective):
            let stay = alone.intersection(selective)
            let changes = Changes(partnered: alone.intersection(remaining).subtracting(stay))
            (known, alone) = (nil, stay.intersection(remaining))
            return changes
        }
    }
}
