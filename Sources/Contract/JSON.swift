import FoundationEssentials

/// Values to JSON and back, for whatever is `Codable`. What is read is checked strictly before it is decoded.
public enum JSON {
    /// Members come in the order of their names, so that equal values are equal bytes.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return [UInt8](try encoder.encode(value))
    }

    /// Throws a `JSONError` for what is not JSON, and a `DecodingError` for JSON that is something else.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        _ = try JSONValue.parse(bytes)
        return try JSONDecoder().decode(type, from: Data(bytes))
    }
}
