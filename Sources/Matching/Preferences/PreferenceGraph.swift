/// Everybody of a slot with what they know of each other, laid out for looking up.
///
/// Building takes time and memory in proportion to people and edges: 30 bytes for one, 16 for the
/// other.
package struct PreferenceGraph: Sendable {
    package let people: [Person]
    /// Only of those whose tag somebody else has; else -1.
    let tags: [Int32]
    let edges: AdjacencyLists
    /// The most marks between this one and somebody else whom it may meet, 0…2.
    let bestFavourites: [UInt8]

    /// Edges name different people by their index; where two are listed twice, the stronger word
    /// counts.
    package init(_ people: [Person], _ edges: [PreferenceEdge]) {
        self.people = people
        self.edges = AdjacencyLists(people: people.count, edges)
        tags = Self.sharedTags(people)
        var best = [UInt8](repeating: 0, count: people.count)
        for edge in edges where edge.favourites > 0 {
            let (first, second) = (Int(edge.first), Int(edge.second))
            let attributes = self.edges.attributes(edge.first, edge.second)
            if attributes.isBlocked { continue }
            best[first] = max(best[first], UInt8(attributes.favourites))
            best[second] = max(best[second], UInt8(attributes.favourites))
        }
        bestFavourites = best
    }

    package func mayMeet(_ first: Int32, _ second: Int32) -> Bool {
        first != second && !edges.attributes(first, second).isBlocked
    }

    /// What it costs that the two share a room of their own. They may meet.
    package func cost(_ first: Int32, _ second: Int32) -> Int32 {
        let attributes = edges.attributes(first, second)
        return apart(first, second, attributes) + apart(second, first, attributes) + attributes.meetings
    }

    /// More than any two people cost; so much that the sum of two fits into 32 bits too.
    static let never: Int32 = 1 << 29

    /// The cost of the pair, or `never`.
    func price(_ first: Int32, _ second: Int32) -> Int32 {
        let attributes = edges.attributes(first, second)
        if attributes.isBlocked { return Self.never }
        return apart(first, second, attributes) + apart(second, first, attributes) + attributes.meetings
    }

    func priceOfStrangers(_ first: Int32, _ second: Int32) -> Int32 {
        apart(first, second, .strangers) + apart(second, first, .strangers)
    }

    /// What the members' company costs; nothing for somebody alone. All of them may meet.
    package func cost(ofRoom members: some Collection<Int32>) -> Int64 {
        RoomReasons(members, in: self).cost
    }

    /// The part of `cost` that is the first one's.
    func apart(_ person: Int32, _ other: Int32, _ attributes: EdgeAttributes) -> Int32 {
        let tag = tags[Int(person)]
        return (tag >= 0 && tag != tags[Int(other)] ? MatchWeights.tagApart : 0)
            + (Int32(bestFavourites[Int(person)]) - attributes.favourites) * MatchWeights.favouriteApart
    }

    private static func sharedTags(_ people: [Person]) -> [Int32] {
        var counts = [Int32](repeating: 0, count: people.count)
        for case let tag? in people.lazy.map(\.tag) { counts[Int(tag)] += 1 }
        return people.map { person in
            guard let tag = person.tag, counts[Int(tag)] > 1 else { return -1 }
            return tag
        }
    }
}
