import Codecs

/// Matches a slot in rooms for more than two: by chance and repair.
struct GroupMatcher {
    private let graph: PreferenceGraph
    private let roomSize: RoomSize
    private var random: SplitMix64

    init(_ graph: PreferenceGraph, roomSize: RoomSize, using random: SplitMix64) {
        self.graph = graph
        self.roomSize = roomSize
        self.random = random
    }

    mutating func match() -> SlotMatch {
        let order = graph.people.indices.map { Int32($0) }.shuffled(using: &random)
        var seating = Seating(graph, roomSize: roomSize, order: order)
        seating.seatInTurn()
        seating.seatStanding()
        // A look at two larger rooms takes the longer.
        let attempts = (50_000 + order.count) / (roomSize.people * roomSize.people)
        seating.repair(attempts: attempts, using: &random)
        // Each of many may have its wishes from different people: no cost but none is known to be the least.
        let isProven = seating.cost == 0 && seating.isRegular
        return SlotMatch(
            rooms: seating.list, cost: seating.cost, bound: 0, method: isProven ? .bound : .repaired)
    }
}
