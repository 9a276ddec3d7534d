public import Contract

/// Why something did not work, as far as a caller can act on it.
public enum ClientError: Error, Hashable, Sendable {
    /// The address of the server cannot be used; the text says why.
    case badAddress(String)
    /// The service refused, and said why.
    case problem(Problem)
    /// The server cannot be reached, or the connection broke.
    case network(String)
    /// The server cannot be shown to be the one that was meant, or the connection would not be safe; the text
    /// says why. Nothing was sent, and trying again does not help.
    case untrusted(String)
    /// The server did not answer in time.
    case timedOut
    /// The answer is not one of this service.
    case unexpected(String)
    /// The task that waited was cancelled, or the session was left.
    case cancelled

    /// One sentence for a person.
    public var detail: String {
        switch self {
        case .badAddress(let detail), .network(let detail), .untrusted(let detail), .unexpected(let detail):
            detail
        case .problem(let problem): problem.detail
        case .timedOut: "The server did not answer in time."
        case .cancelled: "It was cancelled."
        }
    }
}
