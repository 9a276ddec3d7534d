import Codecs

/// Matches a slot in rooms for more than two: by chance and 2-opt local search.
struct GroupMatcher {
    private let graph: PreferenceGraph
    /// The people who have to share a room.
    private let parties: [[Int32]]
    private let roomSize: RoomSize
    private var random: SplitMix64

    init(_ graph: PreferenceGraph, parties: [[Int32]], roomSize: RoomSize, using random: SplitMix64) {
        self.graph = graph
        self.parties = parties
        self.roomSize = roomSize
        self.random = random
    }

    mutating func match() -> SlotMatch {
        let order = graph.people.indices.map { Int32($0) }.shuffled(using: &random)
        var seating = Seating(graph, roomSize: roomSize, order: order)
        seating.seat(parties)
        seating.seatInTurn()
        seating.seatStanding()
        seating.seatLoners()
        // Looking at two rooms takes longer the larger they are.
        let attempts = (50_000 + order.count) / (roomSize.people * roomSize.people)
        seating.repair(attempts: attempts, using: &random)
        // A person who is alone now may have been exchanged for one who had no possible partner.
        seating.seatLoners()
        // Members of a larger room may have their wishes from different people: only a cost of zero is known
        // to be the least.
        let isProven = seating.cost == 0 && seating.isRegular
        return SlotMatch(
            rooms: seating.list, cost: seating.cost, bound: 0, method: isProven ? .bound : .repaired)
    }
}
