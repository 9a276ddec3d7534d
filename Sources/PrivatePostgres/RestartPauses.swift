import Codecs

/// The pauses before a PostgreSQL that has ended by itself is started again: none the first time, then ever
/// longer ones, up to half a minute, until it has run for a while.
struct RestartPauses: Sendable {
    /// The time after which a PostgreSQL that ends again counts as one that had been well.
    static let wellAfter = Duration.seconds(60)
    private static let backoff = Backoff(first: .seconds(1), longest: .seconds(30))

    private var failures = 0

    /// Returns the pause before the next start; `ranFor` is how long the last one ran, nil for a start that
    /// failed.
    mutating func next(ranFor: Duration?) -> Duration {
        if let ranFor, ranFor >= Self.wellAfter { failures = 0 }
        defer { failures += 1 }
        return failures == 0 ? .zero : Self.backoff.delay(afterFailures: failures)
    }
}
