/// A fault in one member of a request's body, with its remedy.
public struct FieldError: Codable, Hashable, Sendable {
    /// The place, as in RFC 6901: `/slots/0`. Empty for the whole body.
    public let pointer: String
    public let detail: String

    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}
