/// The match of a slot that opens.
package struct SlotMatch: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable {
        /// The cost equals the bound, and nothing can be better.
        case bound
        /// As few people as possible are alone, and the pairs are as cheap as they can be. A third then
        /// joined where it costs least.
        case optimal
        /// The match was made by chance and improved in places: nothing is known but the distance from the
        /// bound.
        case repaired
    }

    /// The rooms, with each person in one of them. Rooms of one come last.
    package let rooms: RoomList
    package let cost: Int64
    /// A lower bound for the cost of any match that leaves as few people alone; never above `cost`.
    package let bound: Int64
    package let method: Method

    /// The people who are in a room of their own.
    package var alone: [Int32] {
        rooms.reversed().prefix { $0.count == 1 }.compactMap(\.first).reversed()
    }
}
