package import Contract

/// The delays before a failed delivery is tried again: the schedule of Standard Webhooks.
package struct RetrySchedule: Sendable {
    /// The delays from one attempt to the next.
    package static let standard = RetrySchedule(delays: [
        .seconds(5), .seconds(5 * 60), .seconds(30 * 60), .seconds(2 * 3600), .seconds(5 * 3600),
        .seconds(10 * 3600), .seconds(14 * 3600), .seconds(20 * 3600), .seconds(24 * 3600),
    ])
    /// The longest pause that a receiver may ask for.
    package static let longestRetryAfter = Duration.seconds(24 * 3600)

    /// The delay after an attempt that does not count.
    static let uncounted = Duration.seconds(1)

    let delays: [Duration]

    /// Returns the verdict on a delivery. `attempts` includes the one that just ended. Up to a tenth is added
    /// to each delay, so that deliveries that failed together are not retried together.
    package func verdict(
        on outcome: Outcome, attempts: Int, expiresAt: Timestamp?, at now: Timestamp,
        using generator: inout some RandomNumberGenerator
    ) -> Verdict {
        switch outcome {
        case .delivered: return .delivered
        case .refused: return .refused
        case .gone: return .gone
        case .failed(let failure) where !failure.isCounted:
            let next = now.adding(Self.uncounted)
            if let expiresAt, next >= expiresAt { return .expired }
            return .deferred(until: next)
        case .failed(let failure):
            guard attempts >= 1, attempts <= delays.count else { return .exhausted }
            let delay = delays[attempts - 1]
            let jittered = delay + delay * Double.random(in: 0..<0.1, using: &generator)
            let asked = min(max(failure.retryAfter ?? .zero, .zero), Self.longestRetryAfter)
            let next = now.adding(max(jittered, asked))
            guard let expiresAt, next >= expiresAt else { return .retry(at: next) }
            // The retry comes sooner than usual, while the delivery is still of use.
            let sooner = now.adding(max(expiresAt.since(now) / 2, delays[0], asked))
            return sooner < expiresAt ? .retry(at: sooner) : .expired
        }
    }
}
