import COpenSSL

/// RFC 4648 §4, with padding.
package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        // Sound: three bytes give four digits, and a zero ends them.
        let length = EVP_EncodeBlock(&text, bytes, CInt(clamping: bytes.count))
        return String(decoding: text.prefix(Int(length)), as: UTF8.self)
    }

    /// Nil for anything that `encode` would not have written.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let unpadded = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        var digits: [UInt8] = []
        for digit in unpadded {
            switch digit {
            case UInt8(ascii: "+"): digits.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): digits.append(UInt8(ascii: "_"))
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            default: digits.append(digit)
            }
        }
        guard text.utf8.count % 4 == 0, text.utf8.count - digits.count <= 2 else { return nil }
        return Base64URL.decode(String(decoding: digits, as: UTF8.self))
    }
}
