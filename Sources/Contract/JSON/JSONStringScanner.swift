/// A scanner of one JSON string (RFC 8259 §7) in bytes that are known to be UTF-8.
struct JSONStringScanner {
    /// The position in the bytes: before the scan behind the opening quote, after it behind the closing one.
    var position: Int

    mutating func scan(_ bytes: [UInt8]) throws(JSONError) -> String {
        var text: [UInt8] = []
        var start = position  // The first byte that is not copied yet.
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let rest = bytes[start..<position]
                position += 1
                if text.isEmpty { return String(decoding: rest, as: UTF8.self) }
                text.append(contentsOf: rest)
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text.append(contentsOf: bytes[start..<position])
                try escape(bytes, into: &text)
                start = position
            case 0..<0x20:
                throw fault("A control character in a string has to be escaped")
            default:
                position += 1
            }
        }
        throw fault("A string is not closed")
    }

    private mutating func escape(_ bytes: [UInt8], into text: inout [UInt8]) throws(JSONError) {
        position += 1
        guard position < bytes.count else { throw fault("A string is not closed") }
        let message = bytes[position]
        switch message {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(message)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            position += 1
            let scalar = try unicodeEscape(bytes)
            text.append(contentsOf: Array(String(scalar).utf8))
            return
        default: throw fault("There is no such escape in a string")
        }
        position += 1
    }

    /// Reads the four digits after `\u`, and the second half of a surrogate pair if the first one needs it.
    private mutating func unicodeEscape(_ bytes: [UInt8]) throws(JSONError) -> Unicode.Scalar {
        let start = position
        let first = try fourDigits(bytes)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let lone = JSONError(offset: start - 2, text: "A surrogate stands alone in a string")
        guard first < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw lone }
        position += 2
        let second = try fourDigits(bytes)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw lone }
        return scalar
    }

    private mutating func fourDigits(_ bytes: [UInt8]) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue
            else { throw fault("An escape \\u has four hexadecimal digits") }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private func fault(_ text: Text) -> JSONError {
        JSONError(offset: position, text: text)
    }
}
