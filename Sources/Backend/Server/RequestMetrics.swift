import Reactor

/// Requests by method and status, and how long they took.
final class RequestMetrics: Sendable {
    struct Count {
        let method: String
        let status: Int
        var number = 0
    }

    /// Upper bounds of the histogram, in seconds.
    static let bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5]

    struct Values {
        /// A few, so that looking through them is faster than to hash a key.
        var counts: [Count] = []
        var buckets = [Int](repeating: 0, count: RequestMetrics.bounds.count)
        var seconds = 0.0
        var total = 0
    }

    private let values = Lock(Values())

    func add(method: String, status: Int, seconds: Double) {
        values.withLock { values in
            let known = values.counts.firstIndex { $0.status == status && $0.method == method }
            if let known {
                values.counts[known].number += 1
            } else {
                values.counts.append(Count(method: method, status: status, number: 1))
            }
            values.seconds += seconds
            values.total += 1
            if let index = Self.bounds.firstIndex(where: { seconds <= $0 }) { values.buckets[index] += 1 }
        }
    }

    /// What was answered without a handler. A method can be any word, so those that nobody knows share a
    /// name; without a head there is none.
    func addRefused(method: String?, status: Int) {
        let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        add(method: method.map { known.contains($0) ? $0 : "other" } ?? "none", status: status, seconds: 0)
    }

    var current: Values { values.withLock { $0 } }
}
