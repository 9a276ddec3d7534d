/// The people of a slot with their edges, laid out for looking up.
///
/// Building takes time and memory in proportion to people and edges: 30 bytes for a person, 16 for an edge.
package struct PreferenceGraph: Sendable {
    package let people: [Person]
    /// The tag of each person; -1 if no other person has it.
    let tags: [Int32]
    let edges: AdjacencyLists
    /// The most marks between each person and another one that it may meet, 0…2.
    let bestFavourites: [UInt8]
    /// Whether anybody meets favourites only.
    let hasSelective: Bool
    /// Whether any two people are certain to meet.
    let hasCertain: Bool

    /// Creates a graph. Edges name different people by their index; if two people are listed twice, the
    /// stronger attributes count.
    package init(_ people: [Person], _ edges: [PreferenceEdge]) {
        self.people = people
        self.edges = AdjacencyLists(people: people.count, edges)
        tags = Self.sharedTags(people)
        hasSelective = people.contains(where: \.meetsFavouritesOnly)
        hasCertain = edges.contains(where: \.isCertain)
        var best = [UInt8](repeating: 0, count: people.count)
        for edge in edges where edge.favourites > 0 {
            let (first, second) = (Int(edge.first), Int(edge.second))
            let attributes = self.edges.attributes(edge.first, edge.second)
            if !Self.isAllowed(people, edge.first, edge.second, attributes) { continue }
            best[first] = max(best[first], UInt8(attributes.favourites))
            best[second] = max(best[second], UInt8(attributes.favourites))
        }
        bestFavourites = best
    }

    package func mayMeet(_ first: Int32, _ second: Int32) -> Bool {
        first != second && isAllowed(first, second, edges.attributes(first, second))
    }

    /// Returns whether two people with an edge of these attributes may meet.
    func isAllowed(_ first: Int32, _ second: Int32, _ attributes: EdgeAttributes) -> Bool {
        hasSelective ? Self.isAllowed(people, first, second, attributes) : !attributes.isBlocked
    }

    private static func isAllowed(
        _ people: [Person], _ first: Int32, _ second: Int32, _ attributes: EdgeAttributes
    ) -> Bool {
        if attributes.isBlocked { return false }
        if attributes.isWelcome || attributes.isCertain { return true }
        return !people[Int(first)].meetsFavouritesOnly && !people[Int(second)].meetsFavouritesOnly
    }

    /// A cost above that of any two people, such that the sum of two fits into 32 bits too.
    static let never: Int32 = 1 << 29

    /// Returns the cost of two people in a room of their own; `never` if either has blocked the other. It is
    /// for graphs without favourites-only people (see `IntentMatcher`).
    func price(_ first: Int32, _ second: Int32) -> Int32 {
        let attributes = edges.attributes(first, second)
        if attributes.isBlocked { return Self.never }
        return apart(first, second, attributes) + apart(second, first, attributes) + attributes.meetings
    }

    func priceOfStrangers(_ first: Int32, _ second: Int32) -> Int32 {
        apart(first, second, .strangers) + apart(second, first, .strangers)
    }

    /// Returns the cost of the members' company; zero for one alone. All of the members may meet.
    package func cost(ofRoom members: some Collection<Int32>) -> Int64 {
        RoomReasons(members, in: self).cost
    }

    /// Returns the first person's part of `cost`, without the meetings.
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
