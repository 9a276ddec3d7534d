/// The reason for which a text is not JSON as in RFC 8259.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes before the fault.
    public let offset: Int
    /// A description for people, without the offset.
    public let message: String

    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    public var description: String { "\(message) (at byte \(offset))" }
}
