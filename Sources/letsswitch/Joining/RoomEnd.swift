import Contract

/// What the close of a room's socket means for the command.
enum RoomEnd {
    /// Nil: the room closed in the usual way.
    static func failure(code: UInt16, reason: String) -> Failure? {
        if code == RoomClose.roomClosed.rawValue { return nil }
        let detail =
            code == RoomClose.notAllowed.rawValue
            ? "You are not in this room any more: the registration was cancelled, or the token changed."
            : "The server ended the connection for good (\(code) \(SafeText.escape(reason)))."
        return Failure(.other, "The room is over for you", detail)
    }
}
