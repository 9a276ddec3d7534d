/// The cookies of a request (RFC 6265 §5.4), as far as a server has to read them.
package enum Cookies {
    /// Returns the value of the cookie with that name; nil if there is none, or more than one: then it is not
    /// certain whose they are. What is no cookie is skipped.
    package static func value(of name: String, in headers: HTTPHeaders) -> String? {
        var found: String?
        for field in headers.all("cookie") {
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { isSpace($0) }
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
                    pair[..<equals].elementsEqual(name.utf8)
                else { continue }
                var value = pair[pair.index(after: equals)...]
                while let last = value.last, isSpace(last) { value = value.dropLast() }
                if value.count >= 2, value.first == quote, value.last == quote {
                    value = value.dropFirst().dropLast()
                }
                guard found == nil, value.allSatisfy(isValueByte) else { return nil }
                found = String(decoding: value, as: UTF8.self)
            }
        }
        return found
    }

    private static let quote = UInt8(ascii: "\"")

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The bytes of a value (RFC 6265 §4.1.1): visible ones without the quotation mark, the comma, the
    /// semicolon and the backslash.
    private static func isValueByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && ![0x22, 0x2C, 0x3B, 0x5C].contains(byte)
    }
}
