/// The pauses between attempts to connect that have failed.
enum Backoff {
    static let first = Duration.milliseconds(50)
    static let longest = Duration.seconds(1)

    /// Returns the pause after so many failures in a row. It doubles with each failure, and is drawn from the
    /// upper half, so that many clients do not come back at once.
    static func delay(
        afterFailures failures: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let doublings = min(max(failures - 1, 0), 10)
        let delay = min(first * (1 << doublings), longest)
        return delay * Double.random(in: 0.5...1, using: &generator)
    }

    static func delay(afterFailures failures: Int) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(afterFailures: failures, using: &generator)
    }
}
