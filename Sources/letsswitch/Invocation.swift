import Client
import Contract
import Reactor

/// One command as it was called, with its console, loop and server.
struct Invocation: Sendable {
    static let defaultServer = "http://127.0.0.1:8080"
    /// The policy for calls that fail for a moment; together they take no longer than one that gets no
    /// answer.
    private static let retries = RetryPolicy(
        attempts: 3, pause: .milliseconds(200), total: .seconds(30))

    let arguments: ParsedArguments
    let console: Console
    let loop: EventLoop
    let server: Server
    /// The server that is used without --server; nil: its URL is not valid.
    let usualServer: Server?
    /// The authorities and keys to trust for https.
    let trust: Trust
    /// The timeout of the whole command; nil: none.
    let timeout: Duration?

    init(_ arguments: ParsedArguments, console: Console, loop: EventLoop) throws {
        self.arguments = arguments
        self.console = console
        self.loop = loop
        let variable = Environment["LETSSWITCH_URL"].flatMap { $0.isEmpty ? nil : $0 }
        server = try Server(arguments.value("server") ?? variable ?? Self.defaultServer)
        usualServer = try? Server(variable ?? Self.defaultServer)
        trust = try Self.trust(arguments, server)
        timeout = try arguments.value("timeout").map(Self.duration)
    }

    /// The store of the token. Throws if there is no place for it.
    var tokens: TokenStore { get throws(Failure) { try TokenStore() } }

    /// Returns a client with the token that is stored for the server. Throws if that token is another
    /// server's.
    func signedIn() async throws -> APIClient {
        let api = try await client()
        // What programs read has its times in UTC.
        let once = APIClient(
            server: server, token: api.token, timeout: AccountZone.patience, trust: trust, loop: loop)
        if !console.isJSON, let zone = await AccountZone.use(of: once) {
            console.warn(
                "This machine does not know the time zone \(SafeText.escape(zone)) of your account: times "
                    + "are on its own clock.")
        }
        return api
    }

    private func client() async throws -> APIClient {
        let tokens = try tokens
        let stored = try tokens.read()
        try stored.check(for: server, usual: usualServer, from: tokens.path)
        if stored.server == nil || stored.successor != nil {
            let valid = try await TokenRenewal(invocation: self, tokens: tokens).finish().token
            return api(token: valid, tokenSource: source(tokens))
        }
        return api(token: stored.token, tokenSource: source(tokens))
    }

    func api(token: String?, tokenSource: TokenSource? = nil) -> APIClient {
        APIClient(server: server, token: token, trust: trust, tokenSource: tokenSource, loop: loop)
            .retrying(Self.retries).speaking(ProcessLanguage.current)
    }

    /// Returns a source that reads the file again, in which another process may have replaced the token.
    private func source(_ tokens: TokenStore) -> TokenSource {
        { [server, usualServer] refused in
            guard let stored = try? tokens.read(), stored.isFor(server, usual: usualServer) else {
                return nil
            }
            return refused == stored.token ? stored.successor : stored.token
        }
    }

    /// Returns the trust for the server. Without https the variable is ignored, and an option is an error, so
    /// that the mistake does not go unseen.
    private static func trust(_ arguments: ParsedArguments, _ server: Server) throws(Failure) -> Trust {
        let (file, pins) = (arguments.value("cacert"), arguments.all("pin"))
        guard server.isSecure else {
            guard file == nil, pins.isEmpty else {
                throw .usage("--cacert and --pin are for https, and \(server.url) is not encrypted.")
            }
            return .system
        }
        let variable = Environment["LETSSWITCH_CACERT"].flatMap { $0.isEmpty ? nil : $0 }
        do throws(ClientError) {
            return try Trust(authorities: file ?? variable, pins: pins)
        } catch {
            throw .usage(error.text)
        }
    }

    /// Reads seconds, or a number with the unit s, m or h: from a millisecond to a million seconds.
    private static func duration(_ text: String) throws -> Duration {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        let unit = text.last.flatMap { units[$0] }
        let seconds = Double(unit == nil ? text : String(text.dropLast())).map { $0 * (unit ?? 1) }
        guard let seconds, seconds > 0, seconds <= 1_000_000 else {
            throw Failure.usage(
                "--timeout takes seconds, like 10 or 0.5, or a number with a unit, like 5m or 2h, and not "
                    + "\"\(SafeText.escape(text))\".")
        }
        return .milliseconds(Int64((seconds * 1000).rounded(.up)))
    }
}
