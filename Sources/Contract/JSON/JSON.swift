/// The conversion between `Codable` values and JSON. Input is checked strictly before it is decoded.
public enum JSON {
    /// Returns the JSON of a value. Members are sorted by name, so that equal values have equal bytes. Throws
    /// an `EncodingError` for a number that is not finite.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let writer = JSONWriter()
        try writer.write(value)
        return writer.bytes
    }

    /// Decodes a value. Throws a `JSONError` for bytes that are not JSON, and a `DecodingError` for other
    /// JSON.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONReader(JSONValue.parse(bytes)).read(type)
    }
}
