import CLinux
import Glibc
import Reactor
import TestKit

/// PgBouncer before a cluster of the tests, reached by a Unix socket. It ends with the process of the tests.
package final class TestPooler: Sendable {
    package enum Mode: String, Sendable { case session, transaction, statement }

    private let folder: String
    private let pipe: Lock<CInt>

    /// Starts PgBouncer with further lines of its configuration, and waits until it listens.
    package static func start(
        _ mode: Mode, before cluster: TestCluster, _ further: [String] = []
    ) async throws -> TestPooler {
        let pooler = try TestPooler(mode, before: cluster, further)
        let socket = "\(pooler.folder)/.s.PGSQL.6432"
        // The file is there a moment before the socket listens.
        try await eventually { listens(socket) }
        return pooler
    }

    private static func listens(_ path: String) -> Bool {
        let probe = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        defer { close(probe) }
        return SocketAddress(unix: "unix:\(path)")?.withSockaddr { connect(probe, $0, $1) } == 0
    }

    private init(_ mode: Mode, before cluster: TestCluster, _ further: [String]) throws {
        folder = "\(cluster.folder)/pooler-\(mode)"
        guard mkdir(folder, 0o755) == 0 else { throw TestError("mkdir \(folder): \(errno)") }
        let path = "\(folder)/pgbouncer.ini"
        guard let file = fopen(path, "w") else { throw TestError("\(path) cannot be written") }
        let lines =
            [
                "[databases]", "* = host=\(cluster.folder) port=\(cluster.port ?? 5432) user=postgres",
                "[pgbouncer]", "unix_socket_dir = \(folder)", "listen_port = 6432", "auth_type = any",
                "pool_mode = \(mode)", "default_pool_size = 200", "max_client_conn = 300",
                "logfile = \(folder)/log",
            ] + further
        fputs(lines.joined(separator: "\n") + "\n", file)
        fclose(file)
        if geteuid() == 0, let user = getpwnam("postgres") {
            chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TestError("socketpair: \(errno)") }
        defer { _ = close(ends[0]) }
        pipe = Lock(ends[1])
        // It ends with the pipe, which only this process holds.
        let script = "PATH=$PATH:/usr/sbin pgbouncer -q \"$1\" < /dev/null & cat > /dev/null; kill -INT $!"
        _ = try Program.start(
            Program.unprivileged(["sh", "-c", script, "pooler", path]), input: ends[0],
            log: "\(cluster.folder)/commands.log")
    }

    deinit { stop() }

    /// Returns the address of a database of the cluster, through PgBouncer.
    package func url(database: String = "postgres", options: String = "") -> String {
        "postgresql://postgres@/\(database)?host=\(folder)&port=6432"
            + (options.isEmpty ? "" : "&options=\(options)")
    }

    package func stop() {
        pipe.withLock { descriptor in
            if descriptor >= 0 { _ = close(descriptor) }
            descriptor = -1
        }
    }
}
