/// An absolute `http` or `https` URL of another server, in the forms that `WebAddress` permits.
public struct WebURL: Hashable, Sendable {
    public let text: String
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    package let address: WebAddress

    /// Reads a URL; throws a description of its fault, for people.
    public init(_ text: String) throws(ValidationError) {
        address = try WebAddress(text)
        isSecure = address.scheme == "https"
        guard isSecure || address.scheme == "http" else {
            throw ValidationError("The URL has to begin with https:// or http://.")
        }
        self.text = text
    }

    /// The host in lower case; an IPv6 address without its brackets.
    public var host: String { address.host }

    /// The port, by default that of the scheme.
    public var port: UInt16 { address.port ?? usualPort }

    /// The host with its port.
    public var authority: String { WebAddress.authority(host: host, port: port) }

    /// The scheme, the host and, if it is not the usual one, the port (RFC 6454 §6.2).
    public var origin: String {
        let shown = port == usualPort ? nil : port
        return "\(address.scheme)://\(WebAddress.authority(host: host, port: shown))"
    }

    private var usualPort: UInt16 { isSecure ? 443 : 80 }
}
