import Codecs
import Reactor

/// The counts of requests by method and status, and their durations.
final class RequestMetrics: Sendable {
    struct Count {
        let method: String
        let status: Int
        var number = 0
    }

    /// The upper bounds of the histogram, in seconds.
    private static let bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5]

    struct Values {
        /// The counts by method and status, so few that a linear search is faster than hashing.
        var counts: [Count] = []
        var seconds = Histogram(bounds: RequestMetrics.bounds)
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
            values.seconds.add(seconds)
        }
    }

    /// Counts a request that was answered without a handler. Unknown methods share the name `other`, since a
    /// method can be any word; without a head the name is `none`.
    func addRefused(method: String?, status: Int) {
        let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        add(method: method.map { known.contains($0) ? $0 : "other" } ?? "none", status: status, seconds: 0)
    }

    var current: Values { values.withLock { $0 } }
}
