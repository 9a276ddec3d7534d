import Contract
import OutboundHTTP
import Outbox

/// The failure of an attempt without an answer, by its outcome.
struct AttemptFailure: Error {
    let outcome: Outcome
}

extension AddressBook {
    /// Returns the failure of an attempt at a host that ended with an error. If there was no connection, the
    /// host is looked up again for the next one.
    func failure(_ error: any Error, at host: String) -> AttemptFailure {
        switch error {
        case let error as AttemptFailure: return error
        case let error as Failure: return AttemptFailure(outcome: error.outcome)
        case let error as OutboundError:
            if error.isNoConnection { distrust(host) }
            return AttemptFailure(outcome: WebhookSink.outcome(of: error))
        default: return AttemptFailure(outcome: .refused("\(error)"))
        }
    }
}
