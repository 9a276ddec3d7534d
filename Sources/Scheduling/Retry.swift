import Contract

/// A back-off: the pause before the next attempt grows with the number of failures in a row.
package struct Retry {
    package static let longestPause = Duration.seconds(2)

    package private(set) var failures = 0
    private var due: Timestamp?

    mutating func fail(at now: Timestamp) {
        failures += 1
        due = now.adding(min(.milliseconds(100 << min(failures, 5)), Self.longestPause))
    }

    mutating func succeed() { self = Retry() }

    /// Makes the next attempt due at once, since it may succeed.
    mutating func hasten() { due = nil }

    /// Returns the later of `instant` and the next attempt. An attempt that is too far off, since the clock
    /// was set back, is ignored.
    func notBefore(_ instant: Timestamp, at now: Timestamp) -> Timestamp {
        guard let due, due <= now.adding(Self.longestPause) else { return instant }
        return max(instant, due)
    }
}
