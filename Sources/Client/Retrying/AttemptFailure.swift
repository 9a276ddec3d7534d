import HTTP1

/// One try that failed, with what else is known of it.
struct AttemptFailure: Error, Hashable, Sendable {
    let error: ClientError
    let isTransient: Bool
    /// The wait that the server asked for.
    let retryAfter: Duration?

    init(_ error: ClientError, retryAfter: Duration? = nil) {
        self.error = error
        self.retryAfter = retryAfter
        isTransient = error.isTransient
    }

    /// An answer that refuses. What stands between the client and the server has no problem document: its
    /// status says what is transient.
    init(_ answer: HTTPAnswer) {
        error = answer.refusal
        retryAfter = answer.retryAfter
        switch answer.refusal {
        case .unexpected: isTransient = ClientError.isTransient(status: answer.head.status)
        case .badAddress, .problem, .network, .untrusted, .timedOut, .cancelled, .queueFull, .badMessage,
            .storage:
            isTransient = answer.refusal.isTransient
        }
    }
}
