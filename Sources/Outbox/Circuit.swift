package import Contract

/// Keeps from asking a host that does not answer.
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
    private static let longestPause = Duration.seconds(300)

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

    package mutating func fail(at now: Timestamp) {
        switch state {
        case .closed(let failures) where failures + 1 < Self.threshold:
            state = .closed(failures: failures + 1)
        case .closed: state = open(times: 1, at: now)
        case .halfOpen(let opened): state = open(times: opened + 1, at: now)
        // Of an attempt that began before.
        case .open: break
        }
    }

    private func open(times: Int, at now: Timestamp) -> State {
        let pause = min(Self.firstPause * (1 << min(times - 1, 10)), Self.longestPause)
        return .open(until: now.adding(pause), opened: times)
    }
}
