import Contract

/// The reason for which a `RoomConnection` is closed for good.
public enum CloseReason: Hashable, Sendable {
    /// The room has closed.
    case roomClosed
    /// `stop` was called.
    case left
    /// The server closed the connection with a code after which a client does not reconnect.
    case ended(code: UInt16, reason: String)
    /// The server, or an intermediary, refused the entry.
    case refused(ClientError)

    /// The error that waiting callers get.
    public var error: ClientError {
        switch self {
        case .roomClosed: .problem(Problem(.gone, detail: "The room has closed."))
        case .left: .cancelled
        case .ended(let code, let reason):
            .unexpected("The server ended the connection for good (\(code) \(Text(english: reason))).")
        case .refused(let error): error
        }
    }
}
