package import Contract

/// What the store is told of a delivery.
package struct Settlement: Hashable, Sendable {
    package let delivery: Int64
    package let endpoint: Identifier
    package let verdict: Verdict
    /// What came of the attempt; for people.
    package let detail: String
    /// When the attempt ended.
    package let at: Timestamp
    /// How long it took; nil: there was none.
    package let duration: Duration?
    /// Whether a failure is the endpoint's.
    package let countsAgainstEndpoint: Bool

    package init(
        delivery: Int64, endpoint: Identifier, verdict: Verdict, detail: String, at: Timestamp,
        duration: Duration?,
        countsAgainstEndpoint: Bool = true
    ) {
        self.delivery = delivery
        self.endpoint = endpoint
        self.verdict = verdict
        self.detail = detail
        self.at = at
        self.duration = duration
        self.countsAgainstEndpoint = countsAgainstEndpoint
    }
}
