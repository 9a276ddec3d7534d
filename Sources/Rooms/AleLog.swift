import Contract

/// The last ales of a room, for those who come back. Sequence numbers are dense and begin at 1.
struct AleLog {
    struct Entry {
        let at: Timestamp
        /// Index of the sender among the room's past and present seats.
        let sender: Int32
    }

    private let capacity: Int
    private var entries: [Entry] = []
    /// The number of the latest ale; 0: none yet.
    private(set) var last: Int64 = 0

    /// `capacity` is a power of two; storage grows up to it as it is needed.
    init(capacity: Int) { self.capacity = capacity }

    mutating func append(_ entry: Entry) -> Int64 {
        if entries.count < capacity {
            entries.append(entry)
        } else {
            entries[Int(truncatingIfNeeded: last) & (capacity - 1)] = entry
        }
        last += 1
        return last
    }

    /// Whether every ale after `since` is still here. A number that was never given is not.
    func reachesBack(to since: Int64) -> Bool {
        since >= 0 && since <= last && last - since <= Int64(entries.count)
    }

    /// The ale of that number, which must still be here.
    subscript(number: Int64) -> Entry { entries[Int(truncatingIfNeeded: number - 1) & (capacity - 1)] }
}
