/// Why a text is not JSON as in RFC 8259.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How many bytes come before the fault.
    public let offset: Int
    /// For a person, without the place.
    public let message: String

    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    public var description: String { "\(message) (at byte \(offset))" }
}
