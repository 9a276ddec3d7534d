import Client
import Glibc
import Reactor
import TestKit

/// A server as a process of its own, at a free port.
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

    var server: Server { get throws { try Server(url) } }

    /// The log so far.
    var log: String { child.output(.standardError) }

    /// Starts a server and waits until it listens.
    init(_ settings: [String: String], of program: BuiltProgram = .server) async throws {
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
        guard let word = line.split(separator: " ").first(where: { $0.hasPrefix("url=") }),
            let port = word.split(separator: ":").last.flatMap({ UInt16($0) })
        else { throw TestError("the server does not say where it listens: \(line)") }
        url = String(word.dropFirst(4))
        self.port = port
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
    }

    /// Stops the server in order, and waits for its end.
    @discardableResult
    func stop() async -> ChildProcess.Ending {
        child.signal(SIGTERM)
        return await child.ending()
    }

    /// Kills the server, as the loss of the machine would.
    func kill() async {
        child.signal(SIGKILL)
        _ = await child.ending()
    }
}
