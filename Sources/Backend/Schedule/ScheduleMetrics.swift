import Reactor

/// What the scheduler did, for `/metrics`.
final class ScheduleMetrics: Sendable {
    struct Values {
        var matches = 0
        var people = 0
        var matchSeconds = 0.0
        /// Of the latest first match of a slot: from the instant that it was due to its commit.
        var lastLatenessSeconds = 0.0
        var maximumLatenessSeconds = 0.0
    }

    private let values = Lock(Values())

    func matched(people: Int, seconds: Double, isFirst: Bool, lateness: Duration) {
        values.withLock { values in
            values.matches += 1
            values.people += people
            values.matchSeconds += seconds
            guard isFirst else { return }
            let (whole, rest) = lateness.components
            values.lastLatenessSeconds = Double(whole) + Double(rest) / 1e18
            values.maximumLatenessSeconds = max(values.maximumLatenessSeconds, values.lastLatenessSeconds)
        }
    }

    var current: Values { values.withLock { $0 } }
}
