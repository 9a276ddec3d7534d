import Contract

/// Why a `RoomConnection` is closed for good.
public enum CloseReason: Hashable, Sendable {
    /// The room's time is over.
    case roomClosed
    /// `stop` was called.
    case left
    /// The server ended it with a code after which nobody comes back.
    case ended(code: UInt16, reason: String)
    /// The server, or what is in its place, does not let it in.
    case refused(ClientError)

    /// What is thrown to those who wait for something that cannot happen any more.
    public var error: ClientError {
        switch self {
        case .roomClosed: .problem(Problem(.gone, detail: "The room has closed."))
        case .left: .cancelled
        case .ended(let code, let reason):
            .unexpected("The server ended the connection for good (\(code) \(reason)).")
        case .refused(let error): error
        }
    }
}
