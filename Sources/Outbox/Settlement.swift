package import Contract

/// The result of a delivery, to be stored.
package struct Settlement: Hashable, Sendable {
    package let delivery: Int64
    package let endpoint: Identifier
    package let verdict: Verdict
    /// The outcome of the attempt, for people.
    package let detail: Text
    /// The instant at which the attempt ended.
    package let at: Timestamp
    /// The duration of the attempt; nil: there was none.
    package let duration: Duration?
    /// Whether a failure counts against the endpoint.
    package let countsAgainstEndpoint: Bool
    /// The instant at which the endpoint was registered, as the attempt knew it; nil: unknown. An endpoint
    /// that was registered again since is not disabled.
    package let registeredAt: Timestamp?

    package init(
        delivery: Int64, endpoint: Identifier, verdict: Verdict, detail: Text, at: Timestamp,
        duration: Duration?,
        countsAgainstEndpoint: Bool = true, registeredAt: Timestamp? = nil
    ) {
        self.delivery = delivery
        self.endpoint = endpoint
        self.verdict = verdict
        self.detail = detail
        self.at = at
        self.duration = duration
        self.countsAgainstEndpoint = countsAgainstEndpoint
        self.registeredAt = registeredAt
    }

    /// Returns the settlement as a retry, which does not count against the endpoint.
    package func retried(at instant: Timestamp) -> Settlement {
        Settlement(
            delivery: delivery, endpoint: endpoint, verdict: .retry(at: instant), detail: detail, at: at,
            duration: duration, countsAgainstEndpoint: false, registeredAt: registeredAt)
    }
}
