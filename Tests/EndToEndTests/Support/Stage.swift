import PostgresTesting
import Reactor
import TestKit
import Testing

/// An empty database, an empty DATA_DIR, and the servers that a test starts on them.
final class Stage: Sendable {
    let database: TestDatabase
    let grid: Grid
    /// The DATA_DIR.
    let folder: TemporaryFolder
    private let settings: [String: String]
    private let started = Lock<[ServerProcess]>([])

    private init(_ database: TestDatabase, _ grid: Grid, _ settings: [String: String]) throws {
        self.database = database
        folder = TemporaryFolder()
        self.grid = grid
        self.settings = settings
    }

    /// Lends a stage to the body, and ends its servers afterwards, also when it throws; then their logs are
    /// attached.
    static func with(
        _ grid: Grid = .openNow, _ settings: [String: String] = [:], _ body: (Stage) async throws -> Void
    ) async throws {
        try await Permits.shared.with {
            try await TestDatabase.with { database in
                let stage = try Stage(database, grid, settings)
                do {
                    try await body(stage)
                } catch {
                    await stage.end()
                    Issue.record("\(error)\n\(stage.log)")
                    return
                }
                await stage.end()
            }
        }
    }

    /// Lends a stage and a server that is ready on it to the body.
    static func withServer(
        _ grid: Grid = .openNow, _ settings: [String: String] = [:],
        _ body: (Stage, ServerProcess) async throws -> Void
    ) async throws {
        try await with(grid, settings) { try await body($0, try await $0.start()) }
    }

    /// Lends a stage, a server that is ready on it, and a person at the server to the body: Ada.
    static func withPerson(
        _ grid: Grid = .openNow, _ settings: [String: String] = [:],
        _ body: (Stage, ServerProcess, _ ada: Person) async throws -> Void
    ) async throws {
        try await withServer(grid, settings) {
            try await body($0, $1, try await Person(named: "Ada", on: $1))
        }
    }

    /// Starts a server, waits until it is ready, and returns it. Its own settings override the stage's. It
    /// gets the address of the earlier one, if there is one.
    func start(
        _ own: [String: String] = [:], inPlaceOf earlier: ServerProcess? = nil
    ) async throws -> ServerProcess {
        try await keep(try await ServerProcess(settings(own), inPlaceOf: earlier))
    }

    /// Starts one server as `start` does, also where several stand for one: for a test that names each of its
    /// servers, or is about a single process.
    func startOne(
        _ own: [String: String] = [:], of program: BuiltProgram = .server, openFiles: Int? = nil
    ) async throws -> ServerProcess {
        try await keep(try await ServerProcess(one: settings(own), of: program, openFiles: openFiles))
    }

    private func settings(_ own: [String: String]) -> [String: String] {
        ["DATABASE_URL": database.url, "DATA_DIR": folder.path].merging(grid.settings) { $1 }
            .merging(settings) { $1 }.merging(own) { $1 }
    }

    private func keep(_ server: ServerProcess) async throws -> ServerProcess {
        started.withLock { $0.append(server) }
        try await server.waitUntilReady()
        return server
    }

    private var log: String {
        started.withLock { $0 }.map { "The server at \($0.url):\n\($0.log)" }.joined(separator: "\n")
    }

    private func end() async {
        for server in started.withLock({ $0 }) { await server.kill() }
        Attachment.record(log, named: "servers.log")
    }
}
