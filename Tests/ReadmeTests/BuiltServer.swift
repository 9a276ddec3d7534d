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
        programs = try Self.findPrograms()
        var command = ChildProcess.Command("\(programs)/letsswitch-server")
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

    /// Finds the folder of the tests, or one above that holds their bundle.
    private static func findPrograms() throws -> String {
        var path = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        try #require(count > 0)
        var folder = String(decoding: path[..<count], as: UTF8.self)
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            var status = stat()
            if stat("\(folder)/letsswitch-server", &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                return folder
            }
        }
        throw NotBuilt()
    }

    struct NotBuilt: Error {}
}
