import Client
import Reactor

/// One command as it was called, and what it works with.
struct Invocation: Sendable {
    static let defaultServer = "http://127.0.0.1:8080"

    let arguments: ParsedArguments
    let console: Console
    let loop: EventLoop
    let server: Server
    /// The server where --server does not say it. Nil: that is none.
    let usualServer: Server?
    /// For https.
    let trust: Trust
    /// For the whole command; nil: as long as it takes.
    let timeout: Duration?

    init(_ arguments: ParsedArguments, console: Console, loop: EventLoop) throws {
        self.arguments = arguments
        self.console = console
        self.loop = loop
        let variable = Environment["LETSSWITCH_URL"].flatMap { $0.isEmpty ? nil : $0 }
        server = try Server(arguments.value("server") ?? variable ?? Self.defaultServer)
        usualServer = try? Server(variable ?? Self.defaultServer)
        trust = try Self.trust(arguments, server)
        timeout = try arguments.value("timeout").map(Self.seconds)
    }

    /// Where the token is kept. Throws where there is no place for it.
    var tokens: TokenStore { get throws(Failure) { try TokenStore() } }

    /// The service, with the token that is stored for it. Throws where that token is another server's.
    func signedIn() async throws -> APIClient {
        let tokens = try tokens
        let stored = try tokens.read()
        try stored.check(for: server, usual: usualServer, from: tokens.path)
        if stored.server == nil || stored.successor != nil {
            return try await TokenRenewal(invocation: self, tokens: tokens).finish()
        }
        return api(token: stored.token)
    }

    func api(token: String?) -> APIClient {
        APIClient(server: server, token: token, trust: trust, loop: loop)
    }

    /// Without https the variable is of no use, and an option is a mistake that should not go unseen.
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
            throw .usage(error.detail)
        }
    }

    private static func seconds(_ text: String) throws -> Duration {
        guard let seconds = Double(text), seconds > 0, seconds <= 1_000_000 else {
            throw Failure.usage("--timeout takes a number of seconds, like 10 or 0.5, and not \"\(text)\".")
        }
        return .milliseconds(Int64((seconds * 1000).rounded(.up)))
    }
}
