package import Contract

/// The decision about a delivery after an attempt, or instead of one.
package enum Verdict: Hashable, Sendable {
    case delivered
    /// The delivery is tried again at that instant.
    case retry(at: Timestamp)
    /// No attempt was made or counted, since the host can take no more at the moment.
    case postponed
    /// No attempt was made or counted, since the endpoint takes nothing until that instant.
    case deferred(until: Timestamp)
    /// All attempts of the retry schedule have failed.
    case exhausted
    case refused
    /// The delivery has expired, or would have by the next attempt.
    case expired
    /// The endpoint no longer exists, and is disabled.
    case gone

    /// The instant at which the delivery is due again; nil if it is settled, or due as before.
    package var dueAt: Timestamp? {
        switch self {
        case .retry(let instant), .deferred(let instant): instant
        case .delivered, .postponed, .exhausted, .refused, .expired, .gone: nil
        }
    }
}
