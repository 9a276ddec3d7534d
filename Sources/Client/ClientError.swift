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
    /// The queue of outgoing messages holds that many, and takes no more until some are settled.
    case queueFull(limit: Int)
    /// A message cannot be sent as it is; the text says why.
    case badMessage(String)
    /// A file of the client cannot be used, or the disk is full; the text names the file.
    case storage(String)

    /// One sentence for a person.
    public var detail: String {
        switch self {
        case .badAddress(let detail), .network(let detail), .untrusted(let detail), .unexpected(let detail):
            detail
        case .badMessage(let detail), .storage(let detail): detail
        case .problem(let problem): problem.detail
        case .timedOut: "The server did not answer in time."
        case .cancelled: "It was cancelled."
        case .queueFull(let limit):
            "\(limit) messages wait to be sent already. Wait until some have left, or cancel them."
        }
    }
}
