/// An `http` or `https` URL of scheme, host, port and path, without a slash at the end.
struct PublicURL {
    package let text: String

    /// Reads a URL; nil for any other text.
    init?(_ given: String) {
        let parts = given.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "http" || parts[0].lowercased() == "https" else {
            return nil
        }
        // The URL is printable ASCII without the characters that RFC 3986 excludes, and without query and
        // fragment.
        let excluded: Set<Character> = ["?", "#", "\"", "<", ">", "\\", "^", "`", "{", "|", "}"]
        guard parts[1].allSatisfy({ ("!"..."~").contains($0) && !excluded.contains($0) }) else { return nil }
        let authority = parts[1].prefix { $0 != "/" }
        guard Self.isAuthority(authority) else { return nil }
        var path = parts[1].dropFirst(authority.count)
        while path.last == "/" { path.removeLast() }
        text = "\(parts[0].lowercased())://\(authority.lowercased())\(path)"
    }

    /// Whether the text is `host`, `host:port` or `[IPv6]:port`.
    private static func isAuthority(_ authority: Substring) -> Bool {
        let host: Substring
        let rest: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return false }
            host = authority[..<end].dropFirst()
            rest = authority[end...].dropFirst()
            guard host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return false }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority[host.endIndex...]
            guard host.utf8.allSatisfy({ SettingReader.isHostByte($0) && $0 != 0x25 }) else { return false }
        }
        if host.isEmpty { return false }
        if rest.isEmpty { return true }
        let port = rest.dropFirst()
        guard rest.first == ":", let number = UInt16(port), number > 0 else { return false }
        return port.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
