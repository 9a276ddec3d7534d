/// The coding of percent escapes (RFC 3986 §2.1), with strict decoding.
package enum PercentCoding {
    package enum Failure: Error, Equatable, Sendable {
        /// `%` without two hexadecimal digits.
        case badEscape
        /// `%00`, which a later reader might take for the end of the text.
        case nul
        case notUTF8
    }

    package static func decode(
        _ text: some StringProtocol, plusIsSpace: Bool = false
    ) throws(Failure) -> String {
        try decode(Array(text.utf8).span, plusIsSpace: plusIsSpace)
    }

    /// Decodes the bytes of a text.
    package static func decode(
        _ text: Span<UInt8>, plusIsSpace: Bool = false
    ) throws(Failure) -> String {
        let isPlain = text.indices.allSatisfy {
            text[$0] != UInt8(ascii: "%") && text[$0] != UInt8(ascii: "+")
        }
        if isPlain, let plain = try? UTF8Span(validating: text) { return String(copying: plain) }
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < text.count, let high = text[index].hexValue,
                    let low = text[index + 1].hexValue
                else { throw .badEscape }
                guard high | low != 0 else { throw .nul }
                bytes.append(high << 4 | low)
                index += 2
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return decoded
    }

    /// Escapes everything but unreserved characters: fit for a path segment and for the names and values of a
    /// query.
    package static func encode(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved {
                bytes.append(byte)
            } else {
                appendEscape(byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexDigit(byte >> 4))
        bytes.append(hexDigit(byte & 15))
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x37 + value
    }
}
