package import Contract
import Reactor

/// The address of the service: `http://host[:port][/base]`, the same with `https`, which always means TLS, or
/// `unix:/path`, a Unix socket of this machine.
public struct Server: Hashable, Sendable {
    /// The host: a name or a numeric address, without brackets; or `unix:` and the path of a socket.
    public let host: String
    /// The port; by default 80, or 443 with TLS; 0 at a Unix socket.
    public let port: UInt16
    /// Whether the server is used over TLS only.
    public let isSecure: Bool
    /// The prefix of every path: empty, or `/base`.
    public let basePath: String
    /// The port on loopback through which a test reaches the server, with an intermediary in between.
    private(set) var detour: UInt16?
    /// The proxy through which the server is reached; nil for none.
    package internal(set) var proxy: ProxyURL?
    /// The variable of the environment that should name the proxy, and names none that can be used.
    var unusableProxy: String?

    /// Reads a URL. Throws `badAddress` with the reason.
    public init(_ url: String) throws(ClientError) {
        if url.hasPrefix("unix:/"), SocketAddress(unix: url) != nil {
            (host, port, isSecure, basePath) = (url, 0, false, "")
            return
        }
        let address: WebAddress
        do {
            address = try WebAddress(url)
        } catch {
            throw .badAddress(
                "\"\(url)\" is no URL of a server. \(error.text) Give one like http://127.0.0.1:8080.")
        }
        guard address.query == nil else {
            throw .badAddress("The URL of a server has no query: leave out everything from the ? on.")
        }
        self = try Server(address, schemes: (plain: "http", secure: "https"), path: address.path)
    }

    /// Makes a server of an address. `schemes` are the two permitted ones, such as http and https.
    init(
        _ address: WebAddress, schemes: (plain: String, secure: String), path: String
    ) throws(ClientError) {
        guard address.scheme == schemes.plain || address.scheme == schemes.secure else {
            throw .badAddress(
                "\(address.scheme): is not spoken here. Give a URL that begins with \(schemes.plain):// or "
                    + "\(schemes.secure)://.")
        }
        isSecure = address.scheme == schemes.secure
        host = address.host
        if isSecure { (proxy, unusableProxy) = Self.proxy(for: address.host) }
        port = address.port ?? Self.usualPort(isSecure: isSecure)
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        basePath = path
    }

    /// Returns the server with the same name, but reached through that port on loopback.
    package func reached(through port: UInt16) -> Server {
        var server = self
        server.detour = port
        server.proxy = nil
        return server
    }

    /// Whether the server is at a Unix socket.
    public var isSocket: Bool { host.hasPrefix("unix:") }

    /// The URL of the server, without a slash at its end.
    public var url: String { isSocket ? host : "\(isSecure ? "https" : "http")://\(authority)\(basePath)" }

    /// The value of a `Host` field: without the port if it is the scheme's own.
    var authority: String {
        if isSocket { return "localhost" }
        return WebAddress.authority(host: host, port: port == Self.usualPort(isSecure: isSecure) ? nil : port)
    }

    private static func usualPort(isSecure: Bool) -> UInt16 { isSecure ? 443 : 80 }
}
