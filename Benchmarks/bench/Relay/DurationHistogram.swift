/// A histogram of durations in nanoseconds, with 128 steps for each doubling, so that a result is off by less
/// than 0.8 %.
struct DurationHistogram {
    private static let steps = 128
    private var counts = [UInt64](repeating: 0, count: 58 * steps)
    private(set) var count: UInt64 = 0
    private var sum: UInt64 = 0
    private(set) var largest: UInt64 = 0

    mutating func add(_ value: UInt64) {
        counts[Self.bucket(of: value)] &+= 1
        count &+= 1
        sum &+= value
        if value > largest { largest = value }
    }

    var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

    /// Returns the smallest value that at least `share` of all values do not exceed.
    func percentile(_ share: Double) -> UInt64 {
        let wanted = UInt64((share * Double(count)).rounded(.up))
        var passed: UInt64 = 0
        for (bucket, count) in counts.enumerated() {
            passed += count
            if count > 0 && passed >= wanted { return min(Self.upperBound(of: bucket), largest) }
        }
        return largest
    }

    /// Returns the bucket of a value: one for each value below 128; above, by the highest set bit and the
    /// seven bits after it.
    private static func bucket(of value: UInt64) -> Int {
        if value < UInt64(steps) { return Int(value) }
        let doubling = 63 - value.leadingZeroBitCount - 7
        return (doubling + 1) * steps + Int(value >> UInt64(doubling)) & (steps - 1)
    }

    private static func upperBound(of bucket: Int) -> UInt64 {
        if bucket < steps { return UInt64(bucket) }
        let doubling = UInt64(bucket / steps - 1)
        return (UInt64(bucket % steps + steps + 1) << doubling) &- 1
    }
}
