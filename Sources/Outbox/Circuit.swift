package import Contract

/// Keeps from asking a host that does not answer, or an endpoint that takes nothing.
package struct Circuit: Sendable {
    package enum State: Hashable, Sendable {
        /// All is well, but for that many failures in a row.
        case closed(failures: Int)
        /// Nothing is sent before that instant. `opened`: how often in a row.
        case open(until: Timestamp, opened: Int)
        /// One attempt is under way, and decides.
        case halfOpen(opened: Int)
    }

    /// Failures in a row that open it.
    package static let threshold = 5
    private static let firstPause = Duration.seconds(5)
    static let longestPause = Duration.seconds(300)

    package private(set) var state = State.closed(failures: 0)

    package init() {}

    /// An attempt begins.
    package mutating func begin() {
        if case .open(_, let opened) = state { state = .halfOpen(opened: opened) }
    }

    package mutating func succeed() { state = .closed(failures: 0) }

    /// An attempt that failed, but not by the host's fault, or that was given up.
    package mutating func abandon(at now: Timestamp) {
        if case .halfOpen(let opened) = state { state = .open(until: now, opened: opened) }
    }

    /// `until`: the other side asks to be left alone so long, at least; one failure is enough then.
    package mutating func fail(at now: Timestamp, until: Timestamp? = nil) {
        switch state {
        case .closed(let failures) where failures + 1 < Self.threshold && until == nil:
            state = .closed(failures: failures + 1)
        case .closed: state = open(times: 1, at: now, until)
        case .halfOpen(let opened): state = open(times: opened + 1, at: now, until)
        // Of an attempt that began before.
        case .open(let end, let opened): state = .open(until: max(end, until ?? end), opened: opened)
        }
    }

    private func open(times: Int, at now: Timestamp, _ until: Timestamp?) -> State {
        let pause = min(Self.firstPause * (1 << min(times - 1, 10)), Self.longestPause)
        let end = now.adding(pause)
        return .open(until: max(end, until ?? end), opened: times)
    }
}
