/// One field of a head: a name in its original case, and a value without surrounding white space.
package struct HTTPField: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Reads `name: value` (RFC 9112 §5). `line` has no line end, and no control character but tab.
    init(line: ArraySlice<UInt8>) throws(HTTPError) {
        guard let first = line.first, first != .space, first != .tab else {
            throw .malformed("a header line starts with white space")
        }
        guard let colon = line.firstIndex(of: .colon) else {
            throw .malformed("a header line has no colon")
        }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(\.isTokenCharacter) else {
            throw .malformed("a header name is not a token")
        }
        self.name = String(decoding: name, as: UTF8.self)
        value = Self.text(line[(colon + 1)...].trimmingWhiteSpace())
    }

    /// Decodes UTF-8 where the bytes are valid, else Latin-1, which RFC 9110 §5.5 permits to old senders.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }
}
