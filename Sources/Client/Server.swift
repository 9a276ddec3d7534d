/// Where the service is: `http://host[:port][/base]`.
public struct Server: Hashable, Sendable {
    /// A name or a numeric address, without brackets.
    public let host: String
    public let port: UInt16
    /// What stands before every path: empty, or `/base`.
    public let basePath: String

    /// Reads a URL; says in the error what is wrong with it.
    public init(_ url: String) throws(ClientError) {
        guard let address = WebAddress(url) else {
            throw .badAddress("\"\(url)\" is no URL of a server. Give one like http://127.0.0.1:8080.")
        }
        guard address.query == nil else {
            throw .badAddress("The URL of a server has no query: leave out everything from the ? on.")
        }
        self = try Server(address, schemes: (plain: "http", secure: "https"), path: address.path)
    }

    /// `schemes` are the ones that are spoken and, so that the error can say so, not spoken yet.
    init(
        _ address: WebAddress, schemes: (plain: String, secure: String), path: String
    ) throws(ClientError) {
        if address.scheme == schemes.secure {
            throw .badAddress(
                "\(schemes.secure): is not spoken yet: TLS comes in a later version. "
                    + "Use \(schemes.plain): for now."
            )
        }
        guard address.scheme == schemes.plain else {
            throw .badAddress(
                "\(address.scheme): is not spoken here. Give a URL that begins with \(schemes.plain)://.")
        }
        host = address.host
        port = address.port ?? 80
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        basePath = path
    }

    public var url: String { "http://\(authority)\(basePath)" }

    var authority: String { WebAddress.authority(host: host, port: port) }
}
