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

    /// Whether it was not even asked, perhaps for the address was not its own any more.
    package var isNoConnection: Bool {
        switch self {
        case .unreachable, .timedOut, .untrusted: true
        case .tooLarge, .senseless, .cancelled: false
        }
    }

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
