/// A value that is one text in JSON.
public protocol TextValue: Codable, CustomStringConvertible {
    /// The form of the text, for errors.
    static var form: String { get }
    /// Reads the text; nil for one of another form.
    static func read(text: String) -> Self?
}

extension TextValue where Self: LosslessStringConvertible {
    /// Reads the text by the initializer for text.
    public static func read(text: String) -> Self? { Self(text) }
}

extension TextValue {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self.read(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "This is not \(Self.form).")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
