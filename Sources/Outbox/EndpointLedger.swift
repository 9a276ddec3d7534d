import Contract

/// Which endpoints are left alone for a while: they asked for it, or refuse whatever comes.
struct EndpointLedger {
    /// Endpoints that are remembered: those that have failed of late.
    package static let capacity = 10_000
    /// As long as one attempt is under way to find out, the others wait for so long.
    private static let probation = Duration.seconds(5)

    private var circuits: [Identifier: Circuit] = [:]

    /// Until when nothing is to be sent there; nil: it may be.
    package func shutUntil(_ endpoint: Identifier, priority: Int, at now: Timestamp) -> Timestamp? {
        switch circuits[endpoint]?.state {
        case .closed, nil: return nil
        case .open(let until, let urgentFrom, _):
            let end = priority <= 0 ? urgentFrom : until
            return end > now ? end : nil
        case .halfOpen: return now.adding(Self.probation)
        }
    }

    /// An attempt begins.
    package mutating func begin(_ endpoint: Identifier) { circuits[endpoint]?.begin() }

    /// The attempt is over; nil: given up, without an outcome.
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
