import Contract
import HTTP1

/// An attempt to enter a room that did not work, and what follows from it.
struct EntryFailure: Error {
    let error: ClientError
    let advice: CloseAdvice
    var hint: Duration?
    /// Whether there was an answer at all.
    let isReachable: Bool

    /// Nothing that can be used came back.
    init(_ error: ClientError) {
        self.error = error
        switch error {
        case .network, .timedOut:
            advice = .backOff
            isReachable = false
        case .unexpected, .untrusted:
            // Perhaps a hotel's sign-in page; who has been in the room knows that the address is right.
            advice = .backOff
            isReachable = true
        case .problem, .badAddress, .cancelled, .queueFull, .badMessage, .storage:
            advice = .stop
            isReachable = true
        }
    }

    /// The address cannot be used, and will not be better later.
    init(address error: ClientError) {
        self.error = error
        advice = .stop
        isReachable = true
    }

    /// An answer that is no 101. A proxy's 503 has no problem document, and is one all the same.
    init(_ answer: HTTPAnswer) {
        error = answer.refusal
        hint = answer.retryAfter
        isReachable = true
        let status = answer.head.status
        advice = status == 408 || status == 429 || status >= 500 ? .backOff : .stop
    }
}
