import Codecs
import Contract

/// The failures in a row of a task, and when its next attempt is due.
package struct Retry {
    private static let backoff = Backoff(first: .milliseconds(200), longest: .seconds(2))

    package private(set) var failures = 0
    private var due: Timestamp?

    mutating func fail(at now: Timestamp) {
        failures += 1
        due = now.adding(Self.backoff.delay(afterFailures: failures))
    }

    mutating func succeed() { self = Retry() }

    /// Makes the next attempt due at once, since it may succeed.
    mutating func hasten() { due = nil }

    /// Returns the later of `instant` and the next attempt. An attempt that is too far off, since the clock
    /// was set back, is ignored.
    func notBefore(_ instant: Timestamp, at now: Timestamp) -> Timestamp {
        guard let due, due <= now.adding(Self.backoff.longest) else { return instant }
        return max(instant, due)
    }
}
