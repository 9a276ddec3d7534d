/// What is wrong with one member of a request's body, and what to do about it.
public struct FieldError: Codable, Hashable, Sendable {
    /// Where, as in RFC 6901: `/slots/0`. Empty for the whole body.
    public let pointer: String
    public let detail: String

    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}
