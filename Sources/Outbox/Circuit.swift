import Codecs
package import Contract

/// A circuit breaker for a host that does not answer, or an endpoint that takes nothing.
package struct Circuit: Sendable {
    package enum State: Hashable, Sendable {
        /// Attempts are allowed; `failures` is the number of failures in a row so far.
        case closed(failures: Int)
        /// Nothing is sent before `until`, and urgent deliveries not before the earlier `urgentFrom`.
        /// `opened` is how often in a row the circuit has opened.
        case open(until: Timestamp, urgentFrom: Timestamp, opened: Int)
        /// One attempt is under way and decides the next state.
        case halfOpen(opened: Int)
    }

    /// The number of failures in a row that open the circuit.
    package static let threshold = 5
    private static let firstPause = Duration.seconds(5)
    package static let longestPause = Duration.seconds(300)
    /// The longest pause for urgent deliveries, unless the other side has asked for more.
    static let urgentPause = Duration.seconds(10)

    package private(set) var state = State.closed(failures: 0)

    package init() {}

    /// Records that an attempt begins.
    package mutating func begin() {
        if case .open(_, _, let opened) = state { state = .halfOpen(opened: opened) }
    }

    package mutating func succeed() { state = .closed(failures: 0) }

    /// Records an attempt that was given up, or that failed for a reason outside this target. A half-open
    /// circuit may be probed again at once.
    package mutating func abandon(at now: Timestamp) {
        if case .halfOpen(let opened) = state {
            state = .open(until: now, urgentFrom: now, opened: opened)
        }
    }

    /// Returns the earliest instant at which an attempt may probe the target; nil: the circuit is not open.
    func probe(isUrgent: Bool) -> Timestamp? {
        guard case .open(let until, let urgentFrom, _) = state else { return nil }
        return isUrgent ? urgentFrom : until
    }

    /// Records a failure. `until`: the other side asks for a pause at least until then; one failure then
    /// opens the circuit.
    package mutating func fail(
        at now: Timestamp, until: Timestamp? = nil, longestPause: Duration = Circuit.longestPause
    ) {
        switch state {
        case .closed(let failures) where failures + 1 < Self.threshold && until == nil:
            state = .closed(failures: failures + 1)
        case .closed: state = open(times: 1, at: now, until, longestPause)
        case .halfOpen(let opened): state = open(times: opened + 1, at: now, until, longestPause)
        // The attempt began before the circuit opened.
        case .open(let end, let urgentFrom, let opened):
            state = .open(
                until: max(end, until ?? end), urgentFrom: max(urgentFrom, until ?? urgentFrom),
                opened: opened)
        }
    }

    private func open(
        times: Int, at now: Timestamp, _ until: Timestamp?, _ longestPause: Duration
    ) -> State {
        let pause = Backoff(first: Self.firstPause, longest: longestPause).delay(afterFailures: times)
        let (end, urgentFrom) = (now.adding(pause), now.adding(min(pause, Self.urgentPause)))
        return .open(
            until: max(end, until ?? end), urgentFrom: max(urgentFrom, until ?? urgentFrom), opened: times)
    }
}
