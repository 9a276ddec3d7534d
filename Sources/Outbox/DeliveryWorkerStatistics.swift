/// The counters of a delivery worker, for its operators.
package struct DeliveryWorkerStatistics: Hashable, Sendable {
    package var delivered = 0
    package var retried = 0
    package var exhausted = 0
    package var refused = 0
    package var expired = 0
    package var gone = 0
    package var inFlight = 0
    package var openCircuits = 0

    package mutating func count(_ verdict: Verdict) {
        switch verdict {
        case .delivered: delivered += 1
        case .retry: retried += 1
        case .postponed, .deferred: break
        case .exhausted: exhausted += 1
        case .refused: refused += 1
        case .expired: expired += 1
        case .gone: gone += 1
        }
    }
}
