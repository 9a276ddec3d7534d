import HTTP1

/// A failed attempt, with its error and the server's advice.
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

    /// Makes the failure of a refusal. An intermediary sends no problem document: its status decides whether
    /// the failure is transient.
    init(_ answer: HTTPAnswer) {
        error = answer.refusal
        retryAfter = answer.retryAfter
        if case .unexpected = error {
            isTransient = ClientError.isTransient(status: answer.head.status)
        } else {
            isTransient = error.isTransient
        }
    }
}
