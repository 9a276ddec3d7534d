import Glibc
import Reactor
import TestKit
import Testing

/// The built server as a process of its own, with a private database in a folder that is removed afterwards.
struct BuiltServer {
    let url: String
    /// The folder of the built programs.
    let programs: String
    var folder: String { temporary.path }
    private let temporary = TemporaryFolder()
    private let process: ChildProcess

    /// Starts the server on any free port, and returns when it is ready.
    init(settings: [String: String]) async throws {
        let program = try pathOfBuilt("letsswitch-server")
        programs = String(program.dropLast("/letsswitch-server".count))
        var command = ChildProcess.Command(program)
        let own = [
            "HOST": "127.0.0.1", "PORT": "0", "DATA_DIR": "\(temporary.path)/data", "LOG_FORMAT": "text",
        ]
        command.environment = ["PATH": ProcessEnvironment.current()["PATH"] ?? "/usr/bin:/bin"]
            .merging(own) { $1 }.merging(settings) { $1 }
        command.timeLimit = .seconds(600)
        process = try ChildProcess(command)
        let isReady = await process.hasPrinted("ready url=", on: .standardError)
        let log = process.output(.standardError)
        try #require(isReady, "\(log)")
        // Other lines may follow this one: the log reports repeats a second later.
        let words = log.split(whereSeparator: \.isWhitespace)
        url = String(try #require(words.first { $0.hasPrefix("url=") }).dropFirst("url=".count))
    }

    var log: String { process.output(.standardError) }

    /// Stops the server, and waits for its end. Its data are removed with this value.
    func stop() async -> ChildProcess.Ending {
        process.signal(SIGTERM)
        return await process.ending()
    }
}
