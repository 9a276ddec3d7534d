/// A value that is one text in JSON.
public protocol TextValue: Codable, LosslessStringConvertible {
    /// The form of the text, for errors.
    static var form: String { get }
}

extension TextValue {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
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
