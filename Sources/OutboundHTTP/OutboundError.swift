/// A reason why there is no answer.
package enum OutboundError: Error, Equatable, CustomStringConvertible {
    /// There was no connection, or it broke.
    case unreachable(String)
    /// This process has no descriptor for a connection.
    case outOfDescriptors
    case timedOut
    /// The certificate is not to be trusted, or the two sides do not agree on TLS.
    case untrusted(String)
    /// The header is larger than the configured maximum.
    case tooLarge
    /// The request was sent, and its answer is not valid HTTP.
    case garbled
    /// The request is invalid, for example its URL, and no byte of it was sent.
    case senseless(String)
    /// The first request over its connection was not answered, so this one was not sent.
    case unproven
    case cancelled

    /// Whether the host may not have been reached at all, perhaps because its address has changed.
    package var isNoConnection: Bool {
        switch self {
        case .unreachable, .timedOut, .untrusted: true
        case .outOfDescriptors, .tooLarge, .garbled, .senseless, .unproven, .cancelled: false
        }
    }

    /// The reason in English, for logs.
    package var description: String {
        switch self {
        case .unreachable(let reason): "not reached: \(reason)"
        case .outOfDescriptors: "not sent: the server has no descriptor left"
        case .timedOut: "no answer in time"
        case .untrusted(let reason): "TLS: \(reason)"
        case .tooLarge: "the answer is too large"
        case .garbled: "the answer is not valid HTTP"
        case .senseless(let reason): "not sent: \(reason)"
        case .unproven: "the service has not answered the request before this one"
        case .cancelled: "given up"
        }
    }
}
