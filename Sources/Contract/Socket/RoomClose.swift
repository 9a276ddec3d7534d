/// The close codes that the server sends on a room's socket.
public enum RoomClose: UInt16, CaseIterable, Hashable, Sendable {
    /// The room has closed.
    case roomClosed = 1000
    /// The user is no longer a member, or the token was replaced or revoked.
    case notAllowed = 1008
    /// A message was longer than `Limits.clientMessageBytes`.
    case tooBig = 1009
    /// The server is restarting.
    case restarting = 1012
    /// The server is overloaded.
    case overloaded = 1013
    /// The client reads too slowly, and its buffer is full.
    case tooSlow = 4101
    /// The client sent nothing for two and a half ping intervals.
    case heartbeatMissed = 4102
    /// The match continues in another room, or the room on another server.
    case moved = 4200
}

/// The action of a client after the close of a room's socket.
public enum CloseAdvice: Hashable, Sendable {
    /// The client does not reconnect.
    case stop
    /// The client reconnects after a wait that grows.
    case backOff
    /// The client reconnects after a short wait with jitter.
    case reconnect
    /// The client reconnects immediately, to the address of the `moved` message.
    case atOnce

    /// Chooses the action for a close code; 1006 stands for a connection that was lost without a close frame
    /// (RFC 6455 §7.1.5).
    public init(code: UInt16) {
        switch code {
        case 1000, 1002, 1003, 1007, 1008, 1009, 1010: self = .stop
        case 1001, 1005, 1006, 1012: self = .reconnect
        case 1011, 1013, 1014, 1015: self = .backOff
        case 4000...4099: self = .stop
        case 4100...4199: self = .backOff
        case 4200...4299: self = .atOnce
        default: self = .backOff  // Unknown codes: reconnect with back-off.
        }
    }
}

/// The wait that the server asks for in the reason of a close frame: `retryAfterMs=N`.
public enum RetryAfter {
    /// Returns the reason for a wait from 0 to one hour; another wait is clamped.
    public static func reason(_ wait: Duration) -> String {
        let (seconds, attoseconds) = wait.components
        let milliseconds =
            min(max(seconds, 0), longestSeconds) * 1000 + max(attoseconds, 0) / 1_000_000_000_000_000
        return "\(prefix)\(milliseconds)"
    }

    /// Reads the wait; nil for any other reason. More than an hour is read as an hour.
    public static func read(_ reason: String) -> Duration? {
        guard reason.hasPrefix(prefix) else { return nil }
        let digits = reason.utf8.dropFirst(prefix.utf8.count)
        guard !digits.isEmpty, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
        let milliseconds = Int64(String(decoding: digits, as: UTF8.self)) ?? .max
        return .milliseconds(min(milliseconds, longestSeconds * 1000))
    }

    private static let prefix = "retryAfterMs="
    private static let longestSeconds: Int64 = 3600
}
