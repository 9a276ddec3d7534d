import Contract

/// The latest ales of a room, for devices that come back. Sequence numbers are dense and begin at 1.
///
/// An ale is one word, since every ale touches new memory: the upper bits are the microseconds since
/// `origin`, the lower ones the sender.
struct AleLog {
    struct Entry {
        let at: Timestamp
        /// The index of the sender among the room's past and present members.
        let sender: Int32
    }

    private static let senderBits: UInt64 = 24
    /// The longest time since `origin` that fits, twelve days; no room is open for longer.
    private static let longest = (Int64(1) << (64 - Int64(senderBits))) - 1

    private let capacity: Int
    let origin: Timestamp
    private var entries: [UInt64] = []
    /// The number of the latest ale; 0 if there is none yet.
    private(set) var last: Int64 = 0
    /// The latest ale that an earlier process may have lost; 0 if there is none.
    private var lost: Int64 = 0

    /// Creates an empty log. `capacity` is a power of two, up to which the log grows as needed. Times before
    /// `origin` are stored as `origin`.
    init(capacity: Int, origin: Timestamp) {
        self.capacity = capacity
        self.origin = origin
    }

    /// Restores the log of an earlier process: `words` are in the order of their places in the ring.
    init(capacity: Int, origin: Timestamp, restoring words: [UInt64], last: Int64) {
        self.init(capacity: capacity, origin: origin)
        entries = words
        self.last = last
        // In a full ring the next ale may have partly overwritten the oldest.
        if words.count == capacity { lost = last - Int64(capacity) + 1 }
    }

    mutating func append(_ entry: Entry) -> Int64 {
        let elapsed = min(max(entry.at.microseconds &- origin.microseconds, 0), Self.longest)
        let sender = UInt64(truncatingIfNeeded: entry.sender) & (1 << Self.senderBits - 1)
        let word = UInt64(elapsed) << Self.senderBits | sender
        if entries.count < capacity {
            entries.append(word)
        } else {
            entries[place(of: last + 1)] = word
        }
        last += 1
        return last
    }

    /// Whether every ale after `since` is still in the log; false for a number that was never assigned.
    func reachesBack(to since: Int64) -> Bool {
        since >= lost && since <= last && last - since <= Int64(entries.count)
    }

    /// The ale of that number, which must still be in the log.
    subscript(number: Int64) -> Entry {
        let word = word(number)
        return Entry(
            at: Timestamp(microseconds: origin.microseconds &+ Int64(word >> Self.senderBits)),
            sender: Int32(Self.sender(in: word)))
    }

    /// The words of the ales, by their places in the ring.
    var words: [UInt64] { entries }

    /// Returns the word of the ale of that number.
    func word(_ number: Int64) -> UInt64 { entries[place(of: number)] }

    static func sender(in word: UInt64) -> Int { Int(word & (1 << senderBits - 1)) }

    private func place(of number: Int64) -> Int { Int(truncatingIfNeeded: number - 1) & (capacity - 1) }
}
