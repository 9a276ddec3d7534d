import Client
import Contract

/// A token, and the server that it is for: the first line of its file, and the second.
struct StoredToken: Equatable, Sendable {
    let token: String
    /// The server that the token is for; nil: a token alone, as earlier versions and other programs store it.
    let server: Server?
    /// The token that replaces the first one, on the third line. It is there from before its first use until
    /// the first one is known to have ended, so that the file holds the valid one at any time.
    let successor: String?

    init(_ token: String, for server: Server?, successor: String? = nil) {
        self.token = token
        self.server = server
        self.successor = successor
    }

    init(_ bytes: ArraySlice<UInt8>, from source: String) throws(Failure) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let url = (lines.count > 1 ? lines[1] : []).filter { !isSpace($0) }
        let next = lines.count > 2 && !lines[2].allSatisfy(isSpace) ? lines[2] : nil
        let server = url.isEmpty ? nil : try? Server(String(decoding: url, as: UTF8.self))
        // A second line that names no server is not of this format, and without a second line there is no
        // third.
        let hasToken = server != nil || (url.isEmpty && next == nil)
        token = try SecretFile.token.word(in: hasToken ? lines.first ?? [] : bytes, from: source)
        self.server = server
        successor = if let next { try SecretFile.token.word(in: next, from: source) } else { nil }
    }

    var text: String {
        ([token] + [server?.url, successor].compactMap(\.self)).map { "\($0)\n" }.joined()
    }

    /// Whether the token may go to that server. A token that names no server may go to the usual one.
    func isFor(_ other: Server, usual: Server?) -> Bool {
        guard let server = server ?? usual else { return false }
        return server.host.lowercased() == other.host.lowercased() && server.port == other.port
            && server.isSecure == other.isSecure && server.basePath == other.basePath
    }

    /// Throws if the token may not go to that server.
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
