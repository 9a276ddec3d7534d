extension [UInt8] {
    /// Appends a JSON string with its quotes (RFC 8259 §7).
    package mutating func append(jsonString text: String) {
        append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }) {
            append(contentsOf: text.utf8)
        } else {
            append(escaping: text)
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaping text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0..<0x20, 0x7F:
                append("\\u00")
                append(Self.hexadecimal(byte >> 4))
                append(Self.hexadecimal(byte & 15))
            default: append(byte)
            }
        }
    }

    private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}
