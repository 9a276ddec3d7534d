/// A person who is to be matched, known by the index in the list of people.
package struct Person: Hashable, Sendable {
    /// The number of the person's tag among the different tags of the slot, from 0, below the number of
    /// people; nil for no tag.
    package let tag: Int32?
    /// The time at which the person was last left alone, in seconds since 1970; nil for never.
    package let aloneAt: Int64?
    /// Whether the person was left alone the last time, and is therefore not to be left alone again while
    /// there is anybody else.
    package let wasAloneLast: Bool
    /// Whether the person meets only people it has marked as favourites, or was invited by or has invited.
    package let meetsFavouritesOnly: Bool

    package init(
        tag: Int32? = nil, aloneAt: Int64? = nil, wasAloneLast: Bool = false,
        meetsFavouritesOnly: Bool = false
    ) {
        self.tag = tag
        self.aloneAt = aloneAt
        self.wasAloneLast = wasAloneLast
        self.meetsFavouritesOnly = meetsFavouritesOnly
    }

    /// Returns the person with the tag's number among those seen so far.
    func numberingTags(_ numbers: inout [Int32: Int32]) -> Person {
        guard let tag else { return self }
        let number = numbers[tag] ?? Int32(numbers.count)
        numbers[tag] = number
        return Person(
            tag: number, aloneAt: aloneAt, wasAloneLast: wasAloneLast,
            meetsFavouritesOnly: meetsFavouritesOnly)
    }
}
