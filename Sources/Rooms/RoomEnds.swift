import Contract

/// When rooms end: how many at each instant. Rooms end with their slots, of which few are open at once, so
/// that the first end is found without a look at the rooms.
struct RoomEnds {
    private var counts: [Timestamp: Int] = [:]

    mutating func add(_ end: Timestamp) { counts[end, default: 0] += 1 }

    mutating func remove(_ end: Timestamp) {
        guard let count = counts[end] else { return }
        counts[end] = count > 1 ? count - 1 : nil
    }

    var first: Timestamp? { counts.keys.min() }

    /// How many instants are known.
    var count: Int { counts.count }
}
