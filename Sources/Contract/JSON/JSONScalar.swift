/// A text, a number or a truth value. `JSONReader` and `JSONWriter` read and write it at once: its own
/// `Codable` would ask them for it again.
protocol JSONScalar: JSONWritable {
    /// Returns the value; nil if the JSON is of another kind, or out of range.
    static func read(json: JSONValue) -> Self?
}

extension String: JSONScalar {
    static func read(json: JSONValue) -> String? { json.string }

    func write(json bytes: inout [UInt8]) { bytes.append(jsonString: self) }
}

extension Bool: JSONScalar {
    static func read(json: JSONValue) -> Bool? { json.bool }

    func write(json bytes: inout [UInt8]) { bytes.append(contentsOf: (self ? "true" : "false").utf8) }
}

extension FixedWidthInteger {
    /// A number that is written with a fraction or an exponent counts if it is whole, as 1.0 is, and so small
    /// that a `Double` tells it from all others.
    static func read(json: JSONValue) -> Self? {
        guard case .number(let text) = json else { return nil }
        if let value = Self(text) { return value }
        guard let value = json.double, value.magnitude < 0x1p53 else { return nil }
        return Self(exactly: value)
    }

    func write(json bytes: inout [UInt8]) { bytes.append(contentsOf: description.utf8) }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension Int128: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
extension UInt128: JSONScalar {}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
    static func read(json: JSONValue) -> Self? {
        guard case .number(let text) = json, let value = Self(text), value.isFinite else { return nil }
        return value
    }

    /// Throws an `EncodingError` for a number that is not finite.
    func write(json bytes: inout [UInt8]) throws {
        guard isFinite else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: [], debugDescription: "it is not finite"))
        }
        let text = description
        bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
    }
}

extension Float: JSONScalar {}
extension Double: JSONScalar {}
