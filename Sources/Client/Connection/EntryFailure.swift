import Contract
import HTTP1

/// A failed attempt to enter a room, and its consequence.
struct EntryFailure: Error {
    let error: ClientError
    let advice: CloseAdvice
    var hint: Duration?
    /// Whether any answer arrived; nil if none was asked for.
    let isReachable: Bool?

    /// Makes the failure of an attempt that got no usable answer.
    init(_ error: ClientError) {
        self.error = error
        switch error {
        case .network, .timedOut:
            advice = .backOff
            isReachable = false
        case .unexpected, .untrusted:
            // The answer may be a hotel's sign-in page; after an earlier entry the address is known to be
            // right.
            advice = .backOff
            isReachable = true
        case .problem, .badAddress, .cancelled, .queueFull, .badMessage, .storage:
            advice = .stop
            isReachable = true
        }
    }

    /// Makes the failure of an address that cannot be used and never will be.
    init(address error: ClientError) {
        self.error = error
        advice = .stop
        isReachable = true
    }

    /// Makes the failure of a source of tokens.
    init(token error: ClientError) {
        self.error = error
        advice = error.isTransient ? .backOff : .stop
        isReachable = nil
    }

    /// Makes the failure of an answer other than 101. A proxy's 503 counts too, without a problem document.
    init(_ answer: HTTPAnswer) {
        error = answer.refusal
        hint = answer.retryAfter
        isReachable = true
        let status = answer.head.status
        advice = status == 408 || status == 429 || status >= 500 ? .backOff : .stop
    }
}
