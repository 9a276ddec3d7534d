/// Base64 with padding (RFC 4648 §4).
package enum Base64 {
    private static let coding = Base64Coding(
        alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    package static func encode(_ bytes: [UInt8]) -> String {
        var text = coding.encode(bytes)
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes; nil for a text that `encode` would not have written.
    package static func decode(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.span
        let padding = text.utf8.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard digits.count % 4 == 0 else { return nil }
        return coding.decode(digits.extracting(droppingLast: padding))
    }

    /// Returns the bytes; nil for a text that `encode` would not have written.
    package static func decode(_ text: String) -> [UInt8]? { decode(text[...]) }

    /// Whether the character is one of the 64 digits; the padding `=` is not.
    package static func isDigit(_ character: UInt8) -> Bool { coding.value(of: character) != nil }
}

/// Base64 for URLs and file names, without padding (RFC 4648 §5 and §3.2).
package enum Base64URL {
    private static let coding = Base64Coding(
        alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: coding.encode(bytes), as: UTF8.self)
    }

    /// Returns the bytes; nil for a text that `encode` would not have written.
    package static func decode(_ text: Substring) -> [UInt8]? { coding.decode(text.utf8.span) }

    /// Returns the bytes; nil for a text that `encode` would not have written.
    package static func decode(_ text: String) -> [UInt8]? { coding.decode(text.utf8.span) }
}

/// A Base64 coding without padding: each digit of its alphabet stands for six bits.
private struct Base64Coding: Sendable {
    private let alphabet: [UInt8]
    /// The value of each character; 0xFF for characters that are not in the alphabet.
    private let values: [UInt8]

    init(alphabet: String) {
        self.alphabet = Array(alphabet.utf8)
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in self.alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    func value(of character: UInt8) -> UInt32? {
        let value = values[Int(character)]
        return value == 0xFF ? nil : UInt32(value)
    }

    func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(buffer >> bits & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (6 - bits) & 63)]) }
        return text
    }

    func decode(_ text: Span<UInt8>) -> [UInt8]? {
        let values = values.span
        // The bits that no byte has taken yet; nil after a character that is no digit.
        var rest: (value: UInt32, count: UInt32)? = (0, 0)
        let bytes = [UInt8](capacity: text.count * 3 / 4) { bytes in
            var (buffer, bits): (UInt32, UInt32) = (0, 0)
            for index in text.indices {
                let value = values[Int(text[index])]
                if value == 0xFF {
                    rest = nil
                    return
                }
                buffer = (buffer << 6 | UInt32(value)) & 0xFFFF
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
                }
            }
            rest = (buffer & ((1 << bits) - 1), bits)
        }
        // The remaining bits are zero, and fewer than a whole digit has.
        guard let rest, rest.count < 6, rest.value == 0 else { return nil }
        return bytes
    }
}
