/// What a server does because a limit is reached.
package enum LimitEvent: CaseIterable, Hashable, Sendable {
    /// A connection is refused: there are as many as there may be.
    case full
    /// A connection is refused: its address has as many as it may have.
    case addressFull
    /// A request is refused: its address sends more than it may.
    case addressRate
    /// Somebody who is no trusted proxy says on whose behalf a request comes.
    case untrustedProxy
    /// Accepting pauses for a moment: the process is out of descriptors or memory.
    case exhausted
    /// A head did not arrive in time, or on a new connection nothing at all.
    case headTimeout
    /// A body did not arrive in time.
    case bodyTimeout
    /// Too much waits for the reader of a WebSocket.
    case slowConsumer
    /// A WebSocket was silent for too long.
    case silent

    /// It is the operator's to mend, and does not change by itself.
    var isToldOnceForEach: Bool { self == .untrustedProxy }
}
