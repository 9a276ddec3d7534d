import Contract

/// The value of `Retry-After` (RFC 9110 §10.2.3).
enum RetryAfterField {
    /// Returns the wait that the field asks for; nil if the field is invalid. An instant that has passed is
    /// no wait.
    package static func read(_ text: String?, at now: Timestamp) -> Duration? {
        guard let text else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int64(text) ?? .max, 86_400 * 365))
        }
        return HTTPDateReader.read(text, at: now).map { max(.zero, $0.since(now)) }
    }
}
