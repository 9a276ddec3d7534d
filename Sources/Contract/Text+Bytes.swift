// Functions that append the values of this module as text, without an allocation beyond the buffer's growth.

extension [UInt8] {
    mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends a number with leading zeros up to `width`.
    mutating func append(_ number: Int, width: Int) {
        var power = 1
        for _ in 1..<Swift.max(width, 1) { power *= 10 }
        while power > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power % 10))
            power /= 10
        }
    }

    mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var power: UInt64 = 1
        while magnitude / power >= 10 { power *= 10 }
        while power > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / power % 10))
            power /= 10
        }
    }
}

extension String {
    /// Makes the text that `write` appends.
    init(asciiFrom write: (inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(40)
        write(&bytes)
        self = String(decoding: bytes, as: UTF8.self)
    }
}

extension Decoder {
    /// Reads one text and converts it to a value; `what` names the value in the error.
    func singleText<Value>(_ what: String, _ read: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = read(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is not \(what).")
        }
        return value
    }
}
