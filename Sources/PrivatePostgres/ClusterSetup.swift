import CLinux
import Glibc
import Logging
import Reactor

/// A setup that creates the data of a private cluster, and starts PostgreSQL on them.
struct ClusterSetup: Sendable {
    package static let user = "letsswitch"
    package static let database = "letsswitch"
    private static let initialisationLimit = Duration.seconds(300)
    /// The longest time to wait for the end of a PostgreSQL whose start was cancelled.
    private static let stopLimit = Duration.seconds(15)
    /// The size in bytes above which the log is rotated.
    static let logLimit = 16 * 1024 * 1024

    package let place: ClusterPlace
    package let account: ClusterAccount
    let programs: PostgresPrograms
    /// The file for PostgreSQL's log.
    package let log: String

    /// Creates the data, with the server's database in them. They appear complete or not at all.
    func initialise() async throws(ClusterError) {
        try await removeLeftovers()
        // Any user who reaches the socket may use it; its folder is closed to all others (0700).
        try await run(
            account.command(
                programs.initdb,
                [
                    "--pgdata=\(place.newData)", "--username=\(Self.user)", "--auth=trust",
                    "--encoding=UTF8", "--locale=C", "--data-checksums",
                ]))
        var create = account.command(
            programs.postgres, ["--single", "-c", "exit_on_error=on", "-D", place.newData, "postgres"])
        create.input = "CREATE DATABASE \(Self.database)\n"
        try await run(create)
        guard rename(place.newData, place.data) == 0 else {
            throw .system(.failed(call: "rename", errno: errno))
        }
        try? synchronise(folder: place.folder)
    }

    /// Starts PostgreSQL, and returns when it accepts connections. If the task is cancelled before, it stops
    /// PostgreSQL.
    func launch(answerLimit: Duration = Postmaster.answerLimit) async throws(ClusterError) -> Postmaster {
        Postmaster.removeStaleLocks(over: place.data, socketFolder: place.socketFolder)
        rotateLog()
        let logged = Self.size(of: log)
        var command = account.command(programs.postgres, ["-D", place.data] + settings)
        command.standardOutput = .file(log)
        command.standardError = .file(log)
        // The server handles Ctrl-C in the terminal, and then stops PostgreSQL in order.
        command.ownSession = true
        let postmaster: Postmaster?
        do throws(SystemError) {
            let child = try ChildProcess(command)
            postmaster = await ready(child, answerLimit)
            if postmaster == nil {
                if Task.isCancelled { await Self.stop(child) } else { child.signal(SIGQUIT) }
            }
        } catch {
            throw .system(error)
        }
        if let postmaster { return postmaster }
        if Task.isCancelled { throw .cancelled }
        throw .didNotStart(reason: lastComplaint(since: logged), log: log)
    }

    private var settings: [String] {
        [
            "listen_addresses=", "port=5432", "unix_socket_directories=\(place.socketFolder)",
            "unix_socket_permissions=0700", "max_connections=200", "fsync=on", "timezone=UTC",
            // It needs memory that is writable and executable, which MemoryDenyWriteExecute forbids.
            "jit=off",
            "log_timezone=UTC", "logging_collector=off", "log_destination=stderr",
            "cluster_name=letsswitch",
        ].flatMap { ["-c", $0] }
    }

    private func ready(_ child: ChildProcess, _ answerLimit: Duration) async -> Postmaster? {
        let data = place.data
        return await Self.cancellable { isCancelled in
            guard let process = try? ProcessReference(processID: child.processID) else { return nil }
            return Postmaster(process, over: data, answerLimit: answerLimit, isCancelled: isCancelled)
        }
    }

    private static func stop(_ child: ChildProcess) async {
        child.signal(SIGINT)
        await BlockingThread.run {
            guard let process = try? ProcessReference(processID: child.processID) else { return }
            _ = process.waitUntilEnded(atMost: stopLimit)
        }
    }

    /// Runs the body on a thread of its own, with a question whether the task is cancelled.
    static func cancellable<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let isCancelled = Lock(false)
        let result = await withTaskCancellationHandler {
            await BlockingThread.run {
                Result { () throws(Failure) in try body { isCancelled.withLock { $0 } } }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        return try result.get()
    }

    private func run(_ command: ChildProcess.Command) async throws(ClusterError) {
        var command = command
        command.timeLimit = Self.initialisationLimit
        let child: ChildProcess
        do throws(SystemError) {
            child = try await ChildProcess.run(command)
        } catch {
            throw .system(error)
        }
        if await child.ending() == .exited(0) { return }
        throw .initialisationFailed(Self.complaint(in: child.output(.standardError)))
    }

    private func removeLeftovers() async throws(ClusterError) {
        guard access(place.newData, F_OK) == 0 else { return }
        try await run(account.command("/bin/rm", ["-rf", "--", place.newData]))
    }

    private func rotateLog() {
        if Self.size(of: log) > Self.logLimit { rename(log, "\(log).old") }
    }

    /// Copies the log to `.old` and empties it in place, since PostgreSQL has the file open and always
    /// appends. It blocks.
    package static func rotate(runningLog log: String, limit: Int) {
        guard size(of: log) > limit else { return }
        let source = open(log, O_RDWR | O_CLOEXEC)
        guard source >= 0 else { return }
        defer { close(source) }
        let target = open("\(log).old", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if target >= 0 {
            // Only the end of a log that has grown far beyond the limit is copied; on a full disk nothing is
            // kept.
            lseek(source, off_t(max(0, size(of: log) - 2 * logLimit)), SEEK_SET)
            while sendfile(target, source, nil, 1 << 20) > 0 {}
            close(target)
        }
        ftruncate(source, 0)
    }

    /// Returns the reason that PostgreSQL logged in this start.
    private func lastComplaint(since offset: Int) -> String {
        let descriptor = open(log, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "it gave no reason" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = pread(descriptor, &bytes, bytes.count, offset)
        return Self.complaint(in: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
    }

    /// Returns the last line that names an error, since lines about cleaning up follow it; without one, the
    /// last line.
    static func complaint(in text: String) -> String {
        let lines = text.split(separator: "\n")
        let error = lines.last { line in ["FATAL:", "PANIC:", "error:"].contains { line.contains($0) } }
        return (error ?? lines.last).map { Log.escaped(String($0)) } ?? "it gave no reason"
    }

    private static func size(of file: String) -> Int {
        var status = stat()
        return stat(file, &status) == 0 ? Int(status.st_size) : 0
    }
}
