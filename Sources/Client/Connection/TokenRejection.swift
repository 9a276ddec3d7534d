import Contract

/// The closes by which the server rejects a connection for its token, and whether another token can help.
struct TokenRejection: Sendable {
    /// Whether there is a source that may have another token than a refused one.
    let hasSource: Bool
    /// The close of the last connection, if it was a rejection: the end of the stay, unless there is another
    /// token.
    private(set) var close: (code: UInt16, reason: String)?
    /// Whether that has happened since a connection last lasted. A second time is the end.
    private var isRepeated = false

    init(hasSource: Bool) { self.hasSource = hasSource }

    /// Takes the close of a connection, which had lasted or not. Returns whether another token can help.
    mutating func mayMend(code: UInt16, reason: String, hasLasted: Bool) -> Bool {
        if hasLasted { isRepeated = false }
        guard code == RoomClose.notAllowed.rawValue, hasSource, !isRepeated else { return false }
        (close, isRepeated) = ((code, reason), true)
        return true
    }

    /// Takes a connection with another token. Returns the close that it has mended, if there was one.
    mutating func mended() -> (code: UInt16, reason: String)? {
        close.take()
    }
}
