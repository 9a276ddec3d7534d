/// An event that a server counts: a limit that was reached, or a client that went away.
package enum LimitEvent: CaseIterable, Hashable, Sendable {
    /// A connection is refused: the server has the most that it may have.
    case full
    /// A connection is refused: its address has the most that it may have.
    case addressFull
    /// A request is refused: its address sends more than it may.
    case addressRate
    /// A connection is cut: the process holds as many bytes as it may.
    case memory
    /// A request has a forwarding header, but comes from no trusted proxy.
    case untrustedProxy
    /// Accepting pauses briefly: the process is out of descriptors or memory.
    case exhausted
    /// A head did not arrive in time, or nothing at all on a new connection.
    case headTimeout
    /// A body did not arrive in time.
    case bodyTimeout
    /// A handler took too long and was cancelled.
    case handlerTimeout
    /// A client closed its connection before its request was answered; the handler was cancelled.
    case hungUp
    /// Too many bytes are pending on a WebSocket.
    case slowConsumer
    /// A WebSocket was silent for too long.
    case silent

    /// Whether it is reported once for each name, since only the operator can correct it.
    var isToldOnceForEach: Bool { self == .untrustedProxy }
}
