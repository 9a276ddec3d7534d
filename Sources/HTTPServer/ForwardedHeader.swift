import Reactor

/// The parser of the addresses that proxies write, from left to right; nil for a value that is not an
/// address. Each line is one field line, in the order of the message.
enum ForwardedHeader {
    static func hops(ofForwardedFor lines: [String]) -> [IPAddress?] {
        lines.flatMap { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map { address(trimmed($0)) }
        }
    }

    /// Returns the hops of `Forwarded` (RFC 7239 §4). A malformed line counts as one hop without an address.
    static func hops(ofForwarded lines: [String]) -> [IPAddress?] {
        lines.flatMap { line in
            guard let nodes = nodes(line) else { return [IPAddress?.none] }
            return nodes.map { node in node.flatMap { address($0[...]) } }
        }
    }

    /// Returns the value of `for` in each element, nil if it has none; nil for a malformed line.
    private static func nodes(_ line: String) -> [String?]? {
        var reader = Reader(rest: Array(line.utf8)[...])
        var nodes: [String?] = []
        while true {
            var node: String?
            repeat {
                guard let (name, value) = reader.pair() else { return nil }
                if name == "for" {
                    if node != nil { return nil }
                    node = value
                }
            } while reader.take(0x3B)
            nodes.append(node)
            if reader.isAtEnd { return nodes }
            guard reader.take(0x2C) else { return nil }
        }
    }

    /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
    private static func address(_ text: Substring) -> IPAddress? {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"), text[end...].dropFirst().first ?? ":" == ":" else {
                return nil
            }
            return IPAddress(String(text[..<end].dropFirst()))
        }
        let colons = text.utf8.count { $0 == 0x3A }
        return IPAddress(String(colons == 1 ? text.prefix { $0 != ":" } : text))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        var isAtEnd: Bool { rest.isEmpty }

        mutating func take(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        /// Reads `name=value` or `name="value"` with any space around it; returns the name in lower case.
        mutating func pair() -> (name: String, value: String)? {
            skipSpace()
            let name = token()
            guard !name.isEmpty, take(0x3D) else { return nil }
            guard let value = rest.first == 0x22 ? quoted() : token() else { return nil }
            skipSpace()
            return (name.lowercased(), value)
        }

        private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

        /// Reads up to a separator. It accepts more than RFC 7239, since some proxies write a port or
        /// brackets without quotes.
        private mutating func token() -> String {
            let token = rest.prefix { ![0x20, 0x09, 0x22, 0x2C, 0x3B, 0x3D].contains($0) }
            rest = rest[token.endIndex...]
            return String(decoding: token, as: UTF8.self)
        }

        private mutating func quoted() -> String? {
            rest.removeFirst()
            var value: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case 0x22: return String(decoding: value, as: UTF8.self)
                case 0x5C:
                    guard let escaped = rest.popFirst() else { return nil }
                    value.append(escaped)
                default: value.append(byte)
                }
            }
            return nil
        }
    }
}
