/// A histogram: the number of values up to each bound.
package struct Histogram: Sendable {
    private let bounds: [Double]
    /// The number of values for each bound, without those of the bound before.
    private var buckets: [Int]
    package private(set) var count = 0
    package private(set) var sum = 0.0

    /// Creates a histogram; the bounds must ascend.
    package init(bounds: [Double]) {
        self.bounds = bounds
        buckets = Array(repeating: 0, count: bounds.count)
    }

    package mutating func add(_ value: Double) {
        count += 1
        sum += value
        if let index = bounds.firstIndex(where: { value <= $0 }) { buckets[index] += 1 }
    }

    /// Adds the values of a histogram with the same bounds.
    package static func += (left: inout Histogram, right: Histogram) {
        precondition(left.bounds == right.bounds, "only histograms with the same bounds can be added")
        left.count += right.count
        left.sum += right.sum
        for index in left.buckets.indices { left.buckets[index] += right.buckets[index] }
    }

    /// The bounds, each with the number of all values up to it.
    package var cumulative: [(bound: Double, count: Int)] {
        var below = 0
        return zip(bounds, buckets).map { bound, count in
            below += count
            return (bound, below)
        }
    }
}
