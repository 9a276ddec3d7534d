import Contract

/// The instants at which rooms end, with the number of rooms for each. Rooms end with their slots, of which
/// few are open at once, so that the first end is found without a look at the rooms.
struct RoomEnds {
    private var counts: [Timestamp: Int] = [:]

    mutating func add(_ end: Timestamp) { counts[end, default: 0] += 1 }

    mutating func remove(_ end: Timestamp) {
        guard let count = counts[end] else { return }
        counts[end] = count > 1 ? count - 1 : nil
    }

    var first: Timestamp? { counts.keys.min() }

    /// The number of instants.
    var count: Int { counts.count }
}
