import Client
import Contract

/// The meaning of a closed room socket for the command.
enum RoomEnd {
    /// Throws unless the room closed in the usual way, or the user left it.
    static func check(_ reason: CloseReason) throws {
        switch reason {
        case .roomClosed, .left: return
        case .refused(let error): throw error
        case .ended(let code, let reason): throw failure(code: code, reason: reason)
        }
    }

    private static func failure(code: UInt16, reason: String) -> Failure {
        let detail: Text =
            code == RoomClose.notAllowed.rawValue
            ? "You are not in this room any more: the registration was cancelled, or the token changed."
            : "The server ended the connection for good (\(code) \(SafeText.escape(reason)))."
        return Failure(.other, "The room is over for you", detail)
    }
}
