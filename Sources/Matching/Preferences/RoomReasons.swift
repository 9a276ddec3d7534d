/// The cost of a room's company, by reason.
package struct RoomReasons: Hashable, Sendable {
    /// The sum of the costs of the members' earlier meetings.
    package private(set) var meetings: Int64 = 0
    /// The cost of members who share a tag with a person in another room, but with none in this one.
    package private(set) var tags: Int64 = 0
    /// The cost of members who have a favourite elsewhere, and a lesser one or none here.
    package private(set) var favourites: Int64 = 0

    package var cost: Int64 { meetings + tags + favourites }

    package init(_ members: some Collection<Int32>, in graph: PreferenceGraph) {
        guard members.count > 1 else { return }
        for person in members {
            var sharesTag = false
            var favourites: Int32 = 0
            for other in members where other != person {
                let attributes = graph.edges.attributes(person, other)
                sharesTag = sharesTag || graph.tags[Int(other)] == graph.tags[Int(person)]
                favourites = max(favourites, attributes.favourites)
                if person < other { meetings += Int64(attributes.meetings) }
            }
            if graph.tags[Int(person)] >= 0, !sharesTag { tags += Int64(MatchWeights.tagApart) }
            let missing = Int32(graph.bestFavourites[Int(person)]) - favourites
            self.favourites += Int64(max(0, missing) * MatchWeights.favouriteApart)
        }
    }
}
