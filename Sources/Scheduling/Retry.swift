import Contract

/// When something that failed is tried again: the later the more often it failed in a row.
package struct Retry {
    package static let longestPause = Duration.seconds(2)

    package private(set) var failures = 0
    private var due: Timestamp?

    mutating func fail(at now: Timestamp) {
        failures += 1
        due = now.adding(min(.milliseconds(100 << min(failures, 5)), Self.longestPause))
    }

    mutating func succeed() { self = Retry() }

    /// There is reason to hope: the next time is at once.
    mutating func hasten() { due = nil }

    /// The later one of that instant and the next attempt, which is not far off even where the clock was set
    /// back.
    func notBefore(_ instant: Timestamp, at now: Timestamp) -> Timestamp {
        guard let due, due <= now.adding(Self.longestPause) else { return instant }
        return max(instant, due)
    }
}
