/// Who meets whom when a slot opens.
package struct SlotMatch: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable {
        /// The cost is the bound, and nothing can be better.
        case bound
        /// As few as possible alone, and the pairs as cheap as they can be. A third then joined where it
        /// costs least.
        case optimal
        /// Made by chance and bettered in places: nothing is known but the distance from the bound.
        case repaired
    }

    /// Everybody is in one of them. Rooms of one come last.
    package let rooms: RoomList
    package let cost: Int64
    /// What any answer costs that leaves as few alone. Never above `cost`.
    package let bound: Int64
    package let method: Method

    package init(rooms: RoomList, cost: Int64, bound: Int64, method: Method) {
        self.rooms = rooms
        self.cost = cost
        self.bound = bound
        self.method = method
    }

    /// Those who are in a room of their own.
    package var alone: [Int32] {
        rooms.reversed().prefix { $0.count == 1 }.compactMap(\.first).reversed()
    }
}
