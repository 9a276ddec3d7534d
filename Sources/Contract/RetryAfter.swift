/// The wait that the server asks for in the reason of a close frame: `retryAfterMs=N`.
public enum RetryAfter {
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
