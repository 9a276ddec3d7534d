/// The parts of `scheme://host[:port][/path][?query]` (RFC 3986), restricted to the forms that all readers of
/// URLs agree on: no user, no fragment, no escapes or other signs in the host.
package struct WebAddress: Hashable, Sendable {
    /// The scheme in lower case.
    package let scheme: String
    /// The host in lower case: a name or a numeric address; an IPv6 address without its brackets.
    package let host: String
    /// The port; nil for the scheme's own.
    package let port: UInt16?
    /// The path: empty, or with a slash at the beginning.
    package let path: String
    /// The query, without its question mark.
    package let query: String?

    /// Reads a URL; throws a description of its fault, for people.
    package init(_ text: String) throws(ValidationError) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.excluded.contains($0) }) else {
            throw ValidationError("The URL has characters that a URL cannot have; they are written as %XX.")
        }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(Self.isLetter) else {
            throw ValidationError("The URL has to begin with https:// or http://.")
        }
        guard !text.contains("#") else { throw ValidationError("The URL may have no fragment (#…).") }
        let authority = parts[1].prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw ValidationError("The URL may hold no user and no password.")
        }
        scheme = parts[0].lowercased()
        (host, port) = try Self.split(authority.lowercased())
        let path = parts[1][authority.endIndex...].prefix { $0 != "?" }
        self.path = String(path)
        query = path.endIndex == parts[1].endIndex ? nil : String(parts[1][path.endIndex...].dropFirst())
    }

    /// Returns the authority of a URL, which is also the value of a `Host` field.
    package static func authority(host: String, port: UInt16?) -> String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }

    /// The printable characters that RFC 3986 excludes.
    private static let excluded = Array("\"<>\\^`{|}".utf8)

    /// The longest name of a host, and the longest label between its dots (RFC 1035 §2.3.4).
    private static let mostHost = 253
    private static let mostLabel = 63

    private static func split(_ authority: String) throws(ValidationError) -> (String, UInt16?) {
        var host = authority[...]
        var port = Substring("")
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else {
                throw ValidationError("The address in the URL has no closing bracket.")
            }
            host = authority[..<end].dropFirst()
            port = authority[authority.index(after: end)...]
            guard host.contains(":"), host.utf8.allSatisfy(isAddressByte) else {
                throw ValidationError("What stands in the brackets is no IPv6 address.")
            }
        } else if let colon = authority.firstIndex(of: ":") {
            (host, port) = (authority[..<colon], authority[colon...])
        }
        guard !host.isEmpty else { throw ValidationError("The URL has no host.") }
        if !authority.hasPrefix("[") {
            guard host.utf8.count <= mostHost else {
                throw ValidationError("The name of a host has at most \(mostHost) characters.")
            }
            guard host.utf8.allSatisfy(isNameByte), host.last != "." else {
                throw ValidationError(
                    "\(host) is no name of a host; one in other letters is written as xn--….")
            }
            let labels = host.split(separator: ".", omittingEmptySubsequences: false)
            guard labels.allSatisfy({ $0.utf8.count <= mostLabel }) else {
                throw ValidationError("Between the dots of a host there are at most \(mostLabel) characters.")
            }
            guard labels.allSatisfy(isLabel) else {
                throw ValidationError(
                    "Between the dots of \(host) something is missing, or begins or ends with a hyphen.")
            }
            guard !endsInNumber(host) || isPlainIPv4(host) else {
                throw ValidationError("\(host) is no IPv4 address of four decimal numbers.")
            }
        }
        if port.isEmpty { return (String(host), nil) }
        let digits = port.dropFirst()
        guard port.first == ":", !digits.isEmpty, digits.utf8.allSatisfy(isDigit),
            let number = UInt16(digits), number > 0
        else { throw ValidationError("The port in the URL has to be a number from 1 to 65535.") }
        return (String(host), number)
    }

    /// Whether the host ends in a number: some readers of URLs take `127.1`, `0x7f.1` and `2130706433` for
    /// 127.0.0.1.
    private static func endsInNumber(_ host: Substring) -> Bool {
        let last = host.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        return last.hasPrefix("0x") || (!last.isEmpty && last.utf8.allSatisfy(isDigit))
    }

    private static func isPlainIPv4(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
    }

    /// Whether the part is a label (RFC 1123 §2.1). To some programs a name that begins with a hyphen is an
    /// option.
    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty && label.first != "-" && label.last != "-"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x66).contains(byte) || byte == 0x3A || byte == 0x2E
    }
}
