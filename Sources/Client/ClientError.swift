public import Contract

/// An error of the client. <doc:Errors> explains what a program does about each case.
public enum ClientError: Error, Hashable, Sendable {
    /// The address of the server is invalid, for the reason in the text.
    case badAddress(Text)
    /// The service has refused the call, for the reason in the problem.
    case problem(Problem)
    /// The server cannot be reached, or the connection was lost. The call can have taken effect.
    case network(Text)
    /// The certificate of the server is not trusted, or the connection would not be encrypted, for the reason
    /// in the text. Nothing was sent.
    case untrusted(Text)
    /// The server did not answer in time. The call can have taken effect.
    case timedOut
    /// Another service, or another version of this one, has answered.
    case unexpected(Text)
    /// The task of the caller was cancelled, or the connection was stopped.
    case cancelled
    /// The queue of outgoing messages is full until the server has acknowledged some.
    case queueFull(limit: Int)
    /// The message cannot be sent, for the reason in the text.
    case badMessage(Text)
    /// The file of a queue cannot be used, or the disk is full. The text names the file.
    case storage(Text)

    /// A description for people: of a problem in the language of the answer, of other errors in English.
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

    /// The error of a stream of notifications that a newer stream of the account has replaced.
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
