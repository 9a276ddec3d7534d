/// The reason for which a value is refused, in a sentence that says what is valid.
public struct ValidationError: Error, Hashable, Sendable {
    public let detail: String

    public init(_ detail: String) {
        self.detail = detail
    }
}
