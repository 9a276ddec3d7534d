/// The latest round-trip times, and their distribution.
struct RoundTrips: Sendable {
    static let capacity = 256

    /// The number of all round trips.
    private(set) var total = 0
    private(set) var latest: Duration?
    private var samples: [Duration] = []
    private var oldest = 0

    mutating func add(_ sample: Duration) {
        total += 1
        latest = sample
        if samples.count < Self.capacity {
            samples.append(sample)
        } else {
            samples[oldest] = sample
            oldest = (oldest + 1) % Self.capacity
        }
    }

    /// Returns the smallest sample that is not below that share of all (nearest rank); `share` is from 0 to
    /// 1.
    func quantile(_ share: Double) -> Duration? {
        guard !samples.isEmpty else { return nil }
        let rank = Int((share * Double(samples.count)).rounded(.up))
        return samples.sorted()[min(max(rank, 1), samples.count) - 1]
    }
}
