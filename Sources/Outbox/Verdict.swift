package import Contract

/// What becomes of a delivery after an attempt, or instead of one.
package enum Verdict: Hashable, Sendable {
    case delivered
    /// It is tried again, at that instant.
    case retry(at: Timestamp)
    /// It was not tried: its host can take no more at the moment. No attempt is counted.
    case postponed
    /// The same, of its endpoint, until that instant.
    case deferred(until: Timestamp)
    /// Tried as often as is sensible.
    case exhausted
    case refused
    /// It has lost its point, or would have by the next attempt.
    case expired
    /// The endpoint ends with it.
    case gone
}
