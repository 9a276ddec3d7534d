/// The ales that a member has not been sent: those that others sent while none of the member's devices was in
/// the room.
struct UnheardAles: Sendable {
    /// In order, with something between each two.
    private var ranges: [ClosedRange<Int64>] = []

    /// The member was away after the ale `since`, until the ale `last`. What is older than `capacity` ales
    /// can no longer be recovered, and is forgotten.
    mutating func add(after since: Int64, upTo last: Int64, capacity: Int) {
        ranges.removeAll { $0.upperBound <= last - Int64(capacity) }
        if since < last { ranges.append(since + 1...last) }
    }

    /// The ales after `since` are being sent to the member. Returns how many of them are new to the member.
    mutating func take(after since: Int64) -> Int64 {
        var count: Int64 = 0
        while let range = ranges.last, range.upperBound > since {
            ranges.removeLast()
            let first = max(range.lowerBound, since + 1)
            count += range.upperBound - first + 1
            if range.lowerBound < first { ranges.append(range.lowerBound...first - 1) }
        }
        return count
    }
}
