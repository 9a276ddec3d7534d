/// Somebody who is to be matched, known by the index in the list of people.
package struct Person: Hashable, Sendable {
    /// A number for each different tag of the slot: from 0, below the number of people. Nil: no tag.
    package let tag: Int32?
    /// When this one was left alone last, in seconds since 1970. Nil: never.
    package let aloneAt: Int64?
    /// Whether this one was left alone the last time, and is therefore not to be left alone again while there
    /// is anybody else.
    package let wasAloneLast: Bool

    package init(tag: Int32? = nil, aloneAt: Int64? = nil, wasAloneLast: Bool = false) {
        self.tag = tag
        self.aloneAt = aloneAt
        self.wasAloneLast = wasAloneLast
    }

    /// With the tag's number among those seen so far.
    func numberingTags(_ numbers: inout [Int32: Int32]) -> Person {
        guard let tag else { return self }
        let number = numbers[tag] ?? Int32(numbers.count)
        numbers[tag] = number
        return Person(tag: number, aloneAt: aloneAt, wasAloneLast: wasAloneLast)
    }
}
