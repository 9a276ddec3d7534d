import Client
import Reactor

/// One command as it was called, and what it works with.
struct Invocation: Sendable {
    static let defaultServer = "http://127.0.0.1:8080"

    let arguments: ParsedArguments
    let console: Console
    let loop: EventLoop
    let server: Server
    /// For the whole command; nil: as long as it takes.
    let timeout: Duration?
    let tokens: TokenStore

    init(_ arguments: ParsedArguments, console: Console, loop: EventLoop) throws {
        self.arguments = arguments
        self.console = console
        self.loop = loop
        let variable = Environment["LETSSWITCH_URL"].flatMap { $0.isEmpty ? nil : $0 }
        server = try Server(arguments.value("server") ?? variable ?? Self.defaultServer)
        timeout = try arguments.value("timeout").map(Self.seconds)
        tokens = try TokenStore()
    }

    /// The service, with the token that is stored.
    func signedIn() throws -> APIClient { api(token: try tokens.read()) }

    func api(token: String?) -> APIClient { APIClient(server: server, token: token, loop: loop) }

    private static func seconds(_ text: String) throws -> Duration {
        guard let seconds = Double(text), seconds > 0, seconds <= 1_000_000 else {
            throw Failure.usage("--timeout takes a number of seconds, like 10 or 0.5, and not \"\(text)\".")
        }
        return .milliseconds(Int64((seconds * 1000).rounded(.up)))
    }
}
