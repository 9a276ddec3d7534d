/// An exponential back-off: the wait doubles with each failure in a row, up to the longest one.
package struct Backoff: Sendable {
    /// The wait after the first failure.
    package let first: Duration
    package let longest: Duration
    /// The range from which the factor of each wait is drawn, so that many do not come back at once; nil for
    /// waits without jitter.
    package let jitter: ClosedRange<Double>?

    package init(first: Duration, longest: Duration, jitter: ClosedRange<Double>? = nil) {
        self.first = first
        self.longest = longest
        self.jitter = jitter
    }

    /// Returns the wait after so many failures in a row.
    package func delay(
        afterFailures failures: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        // With 2^30 any first wait is beyond a longest one of use, and far from an overflow.
        let wait = min(first * (1 << min(max(failures - 1, 0), 30)), longest)
        return jitter.map { wait * Double.random(in: $0, using: &generator) } ?? wait
    }

    package func delay(afterFailures failures: Int) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(afterFailures: failures, using: &generator)
    }
}
