/// A histogram: the number of values below each bound.
struct Histogram: Sendable {
    let bounds: [Double]
    private(set) var buckets: [Int]
    private(set) var count = 0
    private(set) var sum = 0.0

    /// Creates a histogram; the bounds must ascend.
    init(bounds: [Double]) {
        self.bounds = bounds
        buckets = Array(repeating: 0, count: bounds.count)
    }

    mutating func add(_ value: Double) {
        count += 1
        sum += value
        if let index = bounds.firstIndex(where: { value <= $0 }) { buckets[index] += 1 }
    }
}
