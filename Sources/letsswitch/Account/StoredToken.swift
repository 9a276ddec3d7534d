import Client

/// A token, and the server that it is for: the first line of its file, and the second.
struct StoredToken: Equatable, Sendable {
    let token: String
    /// Nil: a token alone, as earlier versions stored it, and as other programs do.
    let server: Server?

    init(_ token: String, for server: Server?) {
        self.token = token
        self.server = server
    }

    init(_ bytes: ArraySlice<UInt8>, from source: String) throws(Failure) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let url = (lines.count > 1 ? lines[1] : []).filter { !isSpace($0) }
        let server = url.isEmpty ? nil : try? Server(String(decoding: url, as: UTF8.self))
        // What is no server is no second line of ours.
        let hasToken = url.isEmpty || server != nil
        token = try SecretFile.token.word(in: hasToken ? lines.first ?? [] : bytes, from: source)
        self.server = server
    }

    var text: String { "\(token)\n" + (server.map { "\($0.url)\n" } ?? "") }

    /// Whether the token may go there. One that names no server may go to the usual one.
    func isFor(_ other: Server, usual: Server?) -> Bool {
        guard let server = server ?? usual else { return false }
        return server.host.lowercased() == other.host.lowercased() && server.port == other.port
            && server.isSecure == other.isSecure && server.basePath == other.basePath
    }

    /// Throws where the token may not go to that server.
    func check(for other: Server, usual: Server?, from source: String) throws(Failure) {
        if isFor(other, usual: usual) { return }
        guard let server else {
            throw Failure(
                .signIn, "It is not known which server the token is for",
                "The token in \(source) names no server, and does not go to one that only --server names. "
                    + "If it is for \(other.url), say so once: letsswitch login --token-file "
                    + "\(Shell.quoted(source)) --server \(other.url)")
        }
        throw Failure(
            .signIn, "The token is for another server",
            "The token in \(source) is for \(server.url), and does not go to \(other.url). Use --server "
                + "\(server.url), or keep the other account in a folder of its own, with "
                + "XDG_CONFIG_HOME=DIR before \"letsswitch signup\" or \"letsswitch login\".")
    }
}
