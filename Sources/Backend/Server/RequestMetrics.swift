import Reactor

/// Requests by method and status, and how long they took.
final class RequestMetrics: Sendable {
    struct Key: Hashable {
        let method: String
        let status: Int
    }

    /// Upper bounds of the histogram, in seconds.
    static let bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5]

    struct Values {
        var counts: [Key: Int] = [:]
        var buckets = [Int](repeating: 0, count: RequestMetrics.bounds.count)
        var seconds = 0.0
        var total = 0
    }

    private let values = Lock(Values())

    func add(method: String, status: Int, seconds: Double) {
        values.withLock { values in
            values.counts[Key(method: method, status: status), default: 0] += 1
            values.seconds += seconds
            values.total += 1
            if let index = Self.bounds.firstIndex(where: { seconds <= $0 }) { values.buckets[index] += 1 }
        }
    }

    var current: Values { values.withLock { $0 } }
}
