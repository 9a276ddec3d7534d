package import Contract

/// The result of a delivery, to be stored.
package struct Settlement: Hashable, Sendable {
    package let delivery: Int64
    package let endpoint: Identifier
    /// The user who owns the endpoint; nil: unknown.
    package let user: Identifier?
    package let verdict: Verdict
    /// The outcome of the attempt, for people.
    package let detail: Text
    /// The instant at which the attempt ended.
    package let at: Timestamp
    /// The duration of the attempt; nil: there was none.
    package let duration: Duration?
    /// Whether a failure counts against the endpoint.
    package let countsAgainstEndpoint: Bool
    /// The pause that the receiver asks for with an error, if only zero; nil: it answered with none. The
    /// store makes all other deliveries of the endpoint due that much later, and later still the longer the
    /// endpoint has been failing.
    package let askedPause: Duration?
    /// The instant at which the endpoint was registered, as the attempt knew it; nil: unknown. An endpoint
    /// that was registered again since is not disabled.
    package let registeredAt: Timestamp?

    package init(
        delivery: Int64, endpoint: Identifier, user: Identifier? = nil, verdict: Verdict, detail: Text,
        at: Timestamp, duration: Duration?, countsAgainstEndpoint: Bool = true, askedPause: Duration? = nil,
        registeredAt: Timestamp? = nil
    ) {
        self.delivery = delivery
        self.endpoint = endpoint
        self.user = user
        self.verdict = verdict
        self.detail = detail
        self.at = at
        self.duration = duration
        self.countsAgainstEndpoint = countsAgainstEndpoint
        self.askedPause = askedPause
        self.registeredAt = registeredAt
    }

    /// Returns the settlement as a retry, which does not count against the endpoint.
    package func retried(at instant: Timestamp) -> Settlement {
        Settlement(
            delivery: delivery, endpoint: endpoint, user: user, verdict: .retry(at: instant),
            detail: detail, at: at, duration: duration, countsAgainstEndpoint: false,
            registeredAt: registeredAt)
    }
}
