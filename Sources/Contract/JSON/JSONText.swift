import Codecs

extension [UInt8] {
    /// Appends a JSON string with its quotes (RFC 8259 §7).
    package mutating func append(jsonString text: String) {
        append(UInt8(ascii: "\""))
        let bytes = text.utf8.span
        var isPlain = true
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F { isPlain = false }
        }
        if isPlain {
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
                append(contentsOf: byte.hexadecimal.utf8)
            default: append(byte)
            }
        }
    }
}
