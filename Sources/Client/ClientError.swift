public import Contract

/// An error of the client, with the cases that a caller can act on.
public enum ClientError: Error, Hashable, Sendable {
    /// The address of the server cannot be used; the text says why.
    case badAddress(Text)
    /// The service refused the call, with a reason.
    case problem(Problem)
    /// The server cannot be reached, or the connection broke.
    case network(Text)
    /// The server cannot prove its identity, or the connection would not be safe; the text says why. Nothing
    /// was sent, and trying again does not help.
    case untrusted(Text)
    /// The server did not answer in time.
    case timedOut
    /// The answer does not come from this service.
    case unexpected(Text)
    /// The waiting task was cancelled, or the session was left.
    case cancelled
    /// The queue of outgoing messages is full; it takes no more messages until some are settled.
    case queueFull(limit: Int)
    /// A message cannot be sent as it is; the text says why.
    case badMessage(Text)
    /// A file of the client cannot be used, or the disk is full; the text names the file.
    case storage(Text)

    /// A description for people, in one English sentence.
    public var detail: String { text.description }

    package var text: Text {
        switch self {
        case .badAddress(let detail), .network(let detail), .untrusted(let detail), .unexpected(let detail):
            detail
        case .badMessage(let detail), .storage(let detail): detail
        case .problem(let problem): problem.detailText
        case .timedOut: "The server did not answer in time."
        case .cancelled: "It was cancelled."
        case .queueFull(let limit):
            "\(limit) messages wait to be sent already. Wait until some have left, or cancel them."
        }
    }

    /// The error of a stream of notifications whose place a newer stream of the account has taken.
    package static var streamReplaced: ClientError {
        .problem(
            Problem(
                .tooManyStreams,
                detail: "Newer event streams of your account have taken the place of this one."))
    }

    /// Returns the error of a connection to a room that was lost with that close code.
    static func lost(_ code: UInt16, _ reason: String) -> ClientError {
        .network("The connection to the room was lost (\(code) \(Text(english: reason))).")
    }
}
