import Contract

/// The endpoints that are left alone for a while: they asked for a pause, or refuse every message.
struct EndpointLedger {
    /// The maximum number of endpoints that are remembered: those that have failed lately.
    package static let capacity = 10_000
    /// The time for which other deliveries wait while one attempt probes their endpoint.
    private static let probation = Duration.seconds(5)

    private var circuits: [Identifier: Circuit] = [:]

    /// Returns the instant until which nothing is to be sent to the endpoint; nil: sending is allowed.
    package func shutUntil(_ endpoint: Identifier, priority: Int, at now: Timestamp) -> Timestamp? {
        switch circuits[endpoint]?.state {
        case .closed, nil: return nil
        case .open(let until, let urgentFrom, _):
            let end = priority <= 0 ? urgentFrom : until
            return end > now ? end : nil
        case .halfOpen: return now.adding(Self.probation)
        }
    }

    /// Records that an attempt begins.
    package mutating func begin(_ endpoint: Identifier) { circuits[endpoint]?.begin() }

    /// Records the end of an attempt; an `outcome` of nil means that it was given up.
    package mutating func end(_ endpoint: Identifier, _ outcome: Outcome?, at now: Timestamp) {
        switch outcome {
        case .delivered, .refused, .gone: circuits[endpoint] = nil
        case .failed(let failure) where failure.wasSent && !failure.isHostFault:
            if circuits.count >= Self.capacity { circuits = [:] }
            let asked = min(max(failure.retryAfter ?? .zero, .zero), RetrySchedule.longestRetryAfter)
            circuits[endpoint, default: Circuit()].fail(
                at: now, until: failure.asksForPatience ? now.adding(asked) : nil)
        case .failed, nil: circuits[endpoint]?.abandon(at: now)
        }
    }
}
