/// The ales that a member has not been sent: those that others sent while none of the member's devices was in
/// the room.
struct UnheardAles: Sendable {
    /// The ranges of numbers in ascending order, which do not touch.
    private var ranges: [ClosedRange<Int64>] = []

    /// Adds the ales after `since` up to `last`, during which the member was away. Ales older than `capacity`
    /// ales can no longer be recovered, and are forgotten.
    mutating func add(after since: Int64, upTo last: Int64, capacity: Int) {
        ranges.removeAll { $0.upperBound <= last - Int64(capacity) }
        if since < last { ranges.append(since + 1...last) }
    }

    /// Removes the ales after `since`, which are being sent to the member. Returns the number of ales
    /// removed.
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
