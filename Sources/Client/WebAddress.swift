/// The parts of `scheme://host[:port][/path][?query]`. There is no user and no fragment.
struct WebAddress: Hashable, Sendable {
    /// The scheme in lower case.
    let scheme: String
    /// The host: a name or a numeric address, without brackets.
    let host: String
    /// The port; nil for the scheme's own.
    let port: UInt16?
    /// The path: empty, or with a slash at the beginning.
    let path: String
    let query: String?

    init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
        else { return nil }
        scheme = text[..<colon].lowercased()
        let rest = text[colon...].dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let tail = rest[authority.endIndex...]
        guard !tail.contains("#"), let (host, port) = Self.split(authority) else { return nil }
        self.host = host
        self.port = port
        let path = tail.prefix { $0 != "?" }
        self.path = String(path)
        query = path.endIndex == tail.endIndex ? nil : String(tail[path.endIndex...].dropFirst())
    }

    /// Returns the value of a `Host` field.
    static func authority(host: String, port: UInt16?) -> String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }

    private static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
        var host = authority
        var rest: Substring = ""
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[..<end].dropFirst()
            rest = authority[end...].dropFirst()
            guard host.contains(":") else { return nil }
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            rest = authority[colon...]
        }
        let isPlain = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: ":"):
                true
            default: false
            }
        }
        guard !host.isEmpty, isPlain else { return nil }
        if rest.isEmpty || rest == ":" { return (String(host), nil) }
        guard rest.hasPrefix(":"), rest.dropFirst().allSatisfy(\.isNumber),
            let port = UInt16(rest.dropFirst()), port > 0
        else { return nil }
        return (String(host), port)
    }
}
