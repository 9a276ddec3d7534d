import CLinux
import Glibc
import Reactor
import TestKit

/// A PostgreSQL cluster of the tests' own, in a temporary folder, reached by a Unix socket.
///
/// It ends with the process of the tests, however that ends: a shell waits for the end of a pipe that only
/// this process holds, then stops the cluster and removes its folder.
package final class TestCluster: Sendable {
    package let folder: String
    /// The port of 127.0.0.1 at which it listens too, if any.
    package let port: UInt16?
    private let isDurable: Bool
    private let missingZones: [String]
    private let pipe: Lock<CInt>

    /// Makes a cluster and starts it. A durable one flushes to the disk as a real one does. One without some
    /// time zones sees a copy of the system's zone files in which they are missing, which takes root.
    package static func make(
        listeningAt port: UInt16? = nil, isDurable: Bool = false, without zones: [String] = []
    ) async throws -> TestCluster {
        try await blocking {
            let cluster = try TestCluster(port: port, isDurable: isDurable, without: zones)
            try cluster.initialise()
            try cluster.control("start")
            return cluster
        }
    }

    private init(port: UInt16?, isDurable: Bool, without zones: [String]) throws {
        self.port = port
        self.isDurable = isDurable
        missingZones = zones
        var template = Array("/tmp/letsswitch-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestError("mkdtemp: \(errno)") }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        pipe = Lock(-1)
        if geteuid() == 0 {
            guard let user = getpwnam("postgres") else { throw TestError("no user named postgres") }
            chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        try startWatchdog()
    }

    deinit { remove() }

    /// Returns the address of a database of the cluster.
    package func url(database: String = "postgres") -> String {
        "postgresql://postgres@/\(database)?host=\(folder)"
    }

    /// Returns the TCP address of a database, with a host name, if the cluster listens.
    package func tcpURL(database: String = "postgres") -> String {
        "postgresql://postgres@localhost:\(port ?? 5432)/\(database)"
    }

    package func start() async throws { try await blocking { try self.control("start") } }

    /// Ends every session and stops the cluster.
    package func stop() async throws { try await blocking { try self.control("stop") } }

    /// Kills every process of the cluster at once, as a crash of the machine would.
    package func kill() async throws {
        try await blocking {
            let processes = self.processes
            for process in processes { Glibc.kill(process, SIGKILL) }
            while processes.contains(where: self.isRunning) { usleep(1000) }
            // The lock files name a process that may still be a zombie.
            unlink("\(self.data)/postmaster.pid")
            unlink("\(self.folder)/.s.PGSQL.\(self.port ?? 5432).lock")
        }
    }

    /// Stops every process by SIGSTOP: connections stay, and are not answered.
    package func freeze() { for process in processes { Glibc.kill(process, SIGSTOP) } }

    package func thaw() { for process in processes { Glibc.kill(process, SIGCONT) } }

    /// Stops the cluster and removes its folder in the background.
    package func remove() {
        pipe.withLock { descriptor in
            if descriptor >= 0 { _ = close(descriptor) }
            descriptor = -1
        }
    }

    /// The output of the programs that we run; the server's own log is another file, since another user
    /// writes it.
    private var log: String { "\(folder)/commands.log" }
    private var serverLog: String { "\(folder)/server.log" }
    private var data: String { "\(folder)/data" }

    private func initialise() throws {
        try Program.run(
            Program.unprivileged([
                try PostgresPrograms.path(of: "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E",
                "UTF8",
                "--locale=C.UTF-8", "--no-sync", "--no-instructions",
            ]), log: log)
        let settings = [
            "listen_addresses = '\(port == nil ? "" : "127.0.0.1")'", "port = \(port ?? 5432)",
            "unix_socket_directories = '\(folder)'", "max_connections = 300", "timezone = 'UTC'",
            "fsync = \(isDurable ? "on" : "off")", "synchronous_commit = \(isDurable ? "on" : "off")",
            "full_page_writes = \(isDurable ? "on" : "off")",
        ]
        guard let file = fopen("\(data)/postgresql.conf", "a") else {
            throw TestError("postgresql.conf cannot be written")
        }
        fputs(settings.joined(separator: "\n") + "\n", file)
        fclose(file)
        if missingZones.isEmpty { return }
        let copy = "cp -rL /usr/share/zoneinfo \"$1\" && cd \"$1\" && shift && rm -- \"$@\""
        try Program.run(["sh", "-c", copy, "copy", zones] + missingZones, log: log)
    }

    /// The folder of the cluster's own zone files.
    private var zones: String { "\(folder)/zoneinfo" }

    /// Returns the arguments for running a program that sees the cluster's own zone files, if it has some:
    /// PostgreSQL may be built to read those of the system.
    private func withOwnZones(_ arguments: [String]) -> [String] {
        if missingZones.isEmpty { return arguments }
        let mount = "mount --bind \"$1\" /usr/share/zoneinfo && shift && exec \"$@\""
        return ["unshare", "--mount", "sh", "-c", mount, "mount", zones] + arguments
    }

    private func control(_ verb: String) throws {
        let arguments = [
            try PostgresPrograms.path(of: "pg_ctl"), "-D", data, "-l", serverLog, "-w", "-t", "30", "-m",
            "fast",
            verb,
        ]
        do {
            try Program.run(withOwnZones(Program.unprivileged(arguments)), log: log)
        } catch {
            throw TestError("\(error)\n\(Program.tail(of: serverLog))")
        }
    }

    /// The processes of the cluster, the postmaster first, so that it does not replace those that are killed.
    private var processes: [pid_t] {
        guard let postmaster = firstLine(of: "\(data)/postmaster.pid").flatMap({ pid_t($0) }) else {
            return []
        }
        let children = firstLine(of: "/proc/\(postmaster)/task/\(postmaster)/children") ?? ""
        return [postmaster] + children.split(separator: " ").compactMap { pid_t($0) }
    }

    private func isRunning(_ process: pid_t) -> Bool {
        guard let status = firstLine(of: "/proc/\(process)/stat") else { return false }
        return status.split(separator: ")").last?.hasPrefix(" Z") == false
    }

    private func firstLine(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        guard fgets(&line, CInt(line.count), file) != nil else { return nil }
        let bytes = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func startWatchdog() throws {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TestError("socketpair: \(errno)") }
        defer { _ = close(ends[0]) }
        pipe.withLock { $0 = ends[1] }
        let script = """
            cat > /dev/null
            pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null)
            if [ -n "$pid" ] && [ "$(readlink "/proc/$pid/cwd")" = "$1/data" ]; then
              children=$(cat "/proc/$pid/task/$pid/children")
              kill -CONT $pid $children
              kill -QUIT $pid
              for _ in $(seq 50); do kill -0 $pid 2> /dev/null || break; sleep 0.1; done
              kill -KILL $pid $children 2> /dev/null
            fi
            rm -rf "$1"
            """
        // The watchdog outlives this process, so it is not waited for.
        _ = try Program.start(["sh", "-c", script, "watchdog", folder], input: ends[0], log: "/dev/null")
    }
}
