import Client
import Glibc
import Reactor
import TestKit

/// A server as a process of its own, at a free port.
///
/// With `TEST_SERVERS=3` in the environment it is three servers that share a database, behind a proxy that
/// takes them in turn, and all of them are stopped or killed together.
final class ServerProcess: Sendable {
    /// The time limit of a server, however its test goes wrong.
    private static let timeLimit = Duration.seconds(600)

    /// The settings without limits, since one address asks for more than people do. Tests of the limits set
    /// their own; an empty value is the default.
    private static let unlimited = [
        "SIGNUPS_PER_MINUTE": "0", "REQUESTS_PER_SECOND": "0", "ACCOUNT_REQUESTS_PER_SECOND": "0",
        "ACCOUNT_REGISTRATIONS": "0", "ACCOUNT_STREAMS": "0",
    ]

    /// The DATA_DIR unless another one is given.
    private let folder: TemporaryFolder
    let child: ChildProcess
    /// The address `http://127.0.0.1:PORT`.
    let url: String
    let port: UInt16
    /// The port of this server itself, not of its proxy.
    private let ownPort: UInt16

    var server: Server { get throws { try Server(url) } }

    /// The number of servers that stand for one.
    private static let count = ProcessEnvironment.current()["TEST_SERVERS"].flatMap { Int($0) } ?? 1

    /// The proxy, and the servers behind it beside this one.
    private let proxy: TCPProxy?
    private let siblings: [ServerProcess]

    /// The log so far.
    var log: String {
        siblings.reduce(child.output(.standardError)) { "\($0)\n— the next server —\n\($1.log)" }
    }

    /// Starts a server, or as many as stand for one, and waits until it listens.
    convenience init(_ settings: [String: String], of program: BuiltProgram = .server) async throws {
        if Self.count == 1 || settings["PORT"] != nil || settings["DATABASE_URL"] == nil {
            try await self.init(alone: settings, of: program)
        } else {
            let proxy = try await TCPProxy()
            let settings = ["PUBLIC_URL": "http://127.0.0.1:\(proxy.port)"].merging(settings) { $1 }
            var siblings: [ServerProcess] = []
            for _ in 1..<Self.count { siblings.append(try await ServerProcess(alone: settings, of: program)) }
            try await self.init(alone: settings, of: program, behind: proxy, beside: siblings)
            await proxy.redirect(to: [ownPort] + siblings.map(\.ownPort))
        }
    }

    private init(
        alone settings: [String: String], of program: BuiltProgram, behind proxy: TCPProxy? = nil,
        beside siblings: [ServerProcess] = []
    ) async throws {
        var command = ChildProcess.Command(try program.path())
        folder = TemporaryFolder()
        command.environment = BuiltProgram.environment(
            ["PORT": "0", "WORKERS": "1", "DATA_DIR": folder.path].merging(Self.unlimited) { $1 }
                .merging(settings) { $1 })
        command.timeLimit = Self.timeLimit
        child = try ChildProcess(command)
        guard await child.hasPrinted("listening", on: .standardError) else {
            throw TestError("the server did not start:\n\(child.output(.standardError))")
        }
        let line =
            child.output(.standardError).split(separator: "\n").first { $0.contains("listening") } ?? ""
        guard let word = line.split(separator: " ").first(where: { $0.hasPrefix("address=") }),
            let ownPort = word.split(separator: ":").last.flatMap({ UInt16($0) })
        else { throw TestError("the server does not say where it listens: \(line)") }
        self.ownPort = ownPort
        self.proxy = proxy
        self.siblings = siblings
        port = proxy?.port ?? ownPort
        url = "http://127.0.0.1:\(port)"
    }

    /// Starts a server and waits until it is ready.
    static func ready(_ settings: [String: String]) async throws -> ServerProcess {
        let server = try await ServerProcess(settings)
        try await server.waitUntilReady()
        return server
    }

    func waitUntilReady() async throws {
        guard await child.hasPrinted("ready url=", on: .standardError) else {
            throw TestError("the server is not ready:\n\(log)")
        }
        for sibling in siblings { try await sibling.waitUntilReady() }
    }

    /// Stops the server in order, and waits for its end.
    @discardableResult
    func stop() async -> ChildProcess.Ending {
        for sibling in siblings { sibling.child.signal(SIGTERM) }
        child.signal(SIGTERM)
        for sibling in siblings { _ = await sibling.child.ending() }
        return await child.ending()
    }

    /// Kills the server, as the loss of the machine would.
    func kill() async {
        for sibling in siblings { sibling.child.signal(SIGKILL) }
        child.signal(SIGKILL)
        for sibling in siblings { _ = await sibling.child.ending() }
        _ = await child.ending()
    }
}
