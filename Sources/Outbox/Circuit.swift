package import Contract

/// Keeps from asking a host that does not answer, or an endpoint that takes nothing.
package struct Circuit: Sendable {
    package enum State: Hashable, Sendable {
        /// All is well, but for that many failures in a row.
        case closed(failures: Int)
        /// Nothing is sent before that instant, and what is urgent not before the earlier one. `opened`: how
        /// often in a row.
        case open(until: Timestamp, urgentFrom: Timestamp, opened: Int)
        /// One attempt is under way, and decides.
        case halfOpen(opened: Int)
    }

    /// Failures in a row that open it.
    package static let threshold = 5
    private static let firstPause = Duration.seconds(5)
    package static let longestPause = Duration.seconds(300)
    /// What is urgent waits for no longer, if the other side has not asked for it.
    static let urgentPause = Duration.seconds(10)

    package private(set) var state = State.closed(failures: 0)

    package init() {}

    /// An attempt begins.
    package mutating func begin() {
        if case .open(_, _, let opened) = state { state = .halfOpen(opened: opened) }
    }

    package mutating func succeed() { state = .closed(failures: 0) }

    /// An attempt that failed, but not by the host's fault, or that was given up.
    package mutating func abandon(at now: Timestamp) {
        if case .halfOpen(let opened) = state {
            state = .open(until: now, urgentFrom: now, opened: opened)
        }
    }

    /// From when on an attempt may find out how it is; nil: it is not open.
    func probe(isUrgent: Bool) -> Timestamp? {
        guard case .open(let until, let urgentFrom, _) = state else { return nil }
        return isUrgent ? urgentFrom : until
    }

    /// `until`: the other side asks to be left alone so long, at least; one failure is enough then.
    package mutating func fail(
        at now: Timestamp, until: Timestamp? = nil, longestPause: Duration = Circuit.longestPause
    ) {
        switch state {
        case .closed(let failures) where failures + 1 < Self.threshold && until == nil:
            state = .closed(failures: failures + 1)
        case .closed: state = open(times: 1, at: now, until, longestPause)
        case .halfOpen(let opened): state = open(times: opened + 1, at: now, until, longestPause)
        // Of an attempt that began before.
        case .open(let end, let urgentFrom, let opened):
            state = .open(
                until: max(end, until ?? end), urgentFrom: max(urgentFrom, until ?? urgentFrom),
                opened: opened)
        }
    }

    private func open(
        times: Int, at now: Timestamp, _ until: Timestamp?, _ longestPause: Duration
    ) -> State {
        let pause = min(Self.firstPause * (1 << min(times - 1, 10)), longestPause)
        let (end, urgentFrom) = (now.adding(pause), now.adding(min(pause, Self.urgentPause)))
        return .open(
            until: max(end, until ?? end), urgentFrom: max(urgentFrom, until ?? urgentFrom), opened: times)
    }
}
