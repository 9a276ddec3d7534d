import Codecs

/// The URL of an HTTP proxy: `http://[user:password@]host[:port]`, or the same with `https`. Its description
/// leaves out the credentials.
package struct ProxyURL: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The user name and the password, without percent-encoding.
    package struct Credentials: Hashable, Sendable {
        package let user: String
        package let password: String

        /// The value of a `Proxy-Authorization` field (RFC 7617).
        package var field: String { "Basic \(Base64.encode(Array("\(user):\(password)".utf8)))" }
    }

    private let url: WebURL
    package let credentials: Credentials?

    /// Reads a URL; a text without a scheme counts as `http`. Nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        let scheme = parts.count == 2 ? String(parts[0]) : "http"
        var authority = parts[parts.count - 1]
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard !authority.contains("/") else { return nil }
        if let at = authority.lastIndex(of: "@") {
            guard let credentials = Self.credentials(authority[..<at]) else { return nil }
            self.credentials = credentials
            authority = authority[authority.index(after: at)...]
        } else {
            credentials = nil
        }
        guard let url = try? WebURL("\(scheme)://\(authority)"), url.address.query == nil else { return nil }
        self.url = url
    }

    private static func credentials(_ text: Substring) -> Credentials? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = try? PercentCoding.decode(String(parts[0])),
            let password = try? PercentCoding.decode(parts.count == 2 ? String(parts[1]) : "")
        else { return nil }
        return Credentials(user: user, password: password)
    }

    package var host: String { url.host }

    package var port: UInt16 { url.port }

    /// Whether the proxy itself is reached over TLS.
    package var isSecure: Bool { url.isSecure }

    /// The URL without credentials, with its port.
    package var description: String { "\(isSecure ? "https" : "http")://\(url.authority)" }

    package var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
