import CLinux
import Glibc
import PrivatePostgres
import Reactor

/// A folder, a PostgreSQL and other child processes, all of which go with `end`.
final class Testbed: Sendable {
    let folder: String
    /// The path of `letsswitch-server`.
    let server: String
    private let holdings = Lock(Holdings())

    private struct Holdings {
        var cluster: PrivateCluster?
        var children: [ChildProcess] = []
        var isOver = false
    }

    /// Creates the folder.
    init(server: String) throws(BenchError) {
        self.server = server
        let parent = ProcessEnvironment.current()["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/letsswitch-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .failed("\(parent) takes no folder: \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // As root, PostgreSQL runs as another user and has to get there.
        chmod(folder, 0o711)
    }

    /// Starts a PostgreSQL with the settings of the server's private one, which records the time of each
    /// commit besides and logs the name of the database.
    func startPostgres() async throws {
        try await launchPostgres()
        try await database("postgres").run(
            """
            ALTER SYSTEM SET track_commit_timestamp = on;
            ALTER SYSTEM SET log_line_prefix = '%d ';
            """)
        await holdings.withLock { $0.cluster }?.stop()
        try await launchPostgres()
    }

    private func launchPostgres() async throws {
        let cluster = try await PrivateCluster.start(dataDirectory: folder)
        holdings.withLock { $0.cluster = cluster }
    }

    /// The log of PostgreSQL.
    var postgresLog: String { "\(folder)/postgresql.log" }

    func database(_ name: String) throws(BenchError) -> BenchDatabase {
        guard let cluster = holdings.withLock({ $0.cluster }) else {
            throw .failed("PostgreSQL has not started.")
        }
        return BenchDatabase(name: name, url: "\(cluster.databaseURL) dbname=\(name)", folder: folder)
    }

    /// Starts a program that `clear` and `end` kill. Its output is appended to `LOG.log` in the folder.
    func start(_ command: ChildProcess.Command, log: String) throws -> ChildProcess {
        var command = command
        command.standardOutput = .file("\(folder)/\(log).log")
        command.standardError = command.standardOutput
        // Ctrl-C in the terminal ends the bench, which ends its children.
        command.ownSession = true
        let started = command
        return try holdings.withLock { holdings in
            if holdings.isOver { throw BenchError.failed("The measurements were interrupted.") }
            let child = try ChildProcess(started)
            holdings.children.append(child)
            return child
        }
    }

    /// Kills all programs except PostgreSQL.
    func clear() async {
        let children = holdings.withLock { holdings in
            defer { holdings.children = [] }
            return holdings.children
        }
        for child in children {
            child.signal(SIGKILL)
            _ = await child.ending()
        }
    }

    /// Ends all processes, and removes the folder.
    func end() async {
        holdings.withLock { $0.isOver = true }
        await clear()
        await holdings.withLock { $0.cluster }?.stop()
        _ = try? await ChildProcess.run(.init("/bin/rm", ["-rf", "--", folder]))
    }

    /// Prints the last lines of each log.
    func printLogs() async {
        var tail = ChildProcess.Command("/bin/sh", ["-c", "tail -n 20 \"$0\"/*.log >&2", folder])
        tail.standardError = .inherit
        _ = try? await ChildProcess.run(tail)
    }
}
