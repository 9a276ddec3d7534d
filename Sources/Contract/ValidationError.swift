/// Why a single value is not taken, as a sentence that says what would be.
public struct ValidationError: Error, Hashable, Sendable {
    public let detail: String

    public init(_ detail: String) {
        self.detail = detail
    }
}
