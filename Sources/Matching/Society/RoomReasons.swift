/// What a room's company costs, by reason.
package struct RoomReasons: Hashable, Sendable {
    /// The sum of what the members' earlier meetings cost.
    package private(set) var meetings: Int64 = 0
    /// For members who have the tag of somebody elsewhere, and of nobody here.
    package private(set) var tags: Int64 = 0
    /// For members who have a favourite elsewhere, and a lesser one or none here.
    package private(set) var favourites: Int64 = 0

    package var cost: Int64 { meetings + tags + favourites }

    package init(_ members: some Collection<Int32>, in society: Society) {
        guard members.count > 1 else { return }
        for person in members {
            var sharesTag = false
            var favourites: Int32 = 0
            for other in members where other != person {
                let relation = society.acquaintances.relation(person, other)
                sharesTag = sharesTag || society.tags[Int(other)] == society.tags[Int(person)]
                favourites = max(favourites, relation.favourites)
                if person < other { meetings += Int64(relation.meetings) }
            }
            if society.tags[Int(person)] >= 0, !sharesTag { tags += Int64(MatchWeights.tagApart) }
            let missing = Int32(society.bestFavourites[Int(person)]) - favourites
            self.favourites += Int64(max(0, missing) * MatchWeights.favouriteApart)
        }
    }
}
