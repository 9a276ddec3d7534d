/// Why there is no answer.
package enum OutboundError: Error, Equatable, CustomStringConvertible {
    /// No connection, or one that broke.
    case unreachable(String)
    case timedOut
    /// The certificate is not to be trusted, or the two sides do not agree.
    case untrusted(String)
    /// A header of more than is read of any.
    case tooLarge
    /// What was asked makes no sense: the URL, say.
    case senseless(String)
    case cancelled

    package var description: String {
        switch self {
        case .unreachable(let reason): "not reached: \(reason)"
        case .timedOut: "no answer in time"
        case .untrusted(let reason): "TLS: \(reason)"
        case .tooLarge: "the answer is too large"
        case .senseless(let reason): "not sent: \(reason)"
        case .cancelled: "given up"
        }
    }
}
