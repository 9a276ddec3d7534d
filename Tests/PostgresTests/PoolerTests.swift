import PostgresTesting
import Reactor
import TestKit
import Testing

@testable import Postgres

/// Connections through PgBouncer, as a process before a cluster of its own.
@Suite("Behind PgBouncer", .timeLimit(.minutes(5)))
struct PoolerTests {
    private static let settings = [
        "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "synchronous_commit",
        "search_path", "idle_session_timeout", "jit", "standard_conforming_strings", "work_mem",
    ]

    private func shown(on connection: PostgresConnection) async throws -> [String] {
        let row = try await connection.query(
            "SELECT array(SELECT current_setting(name) FROM unnest($1::text[]) AS name)", [Self.settings])
        return try row[0].decode(0, [String].self)
    }

    @Test("a session has all of its settings, those of the connection string too, and keeps them")
    func settings() async throws {
        let cluster = try await TestCluster.make()
        let pooler = try await TestPooler.start(.session, before: cluster)
        let options = "-c%20search_path%3Dother,public%20--work-mem%3D8MB%20-csynchronous_commit%3Dlocal"
        for url in [pooler.url(options: options), "\(cluster.url())&options=\(options)"] {
            let configuration = try PostgresConfiguration(url: url)
            try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
                let expected = [
                    "10s", "5s", "1min", "local", "other,public", "0", "off", "on", "8MB",
                ]
                #expect(try await shown(on: connection) == expected)
                #expect(await connection.isPooled == url.contains("6432"))
                let row = try await connection.query("SELECT pg_backend_pid()")
                #expect(try await connection.processID == row[0].decode(0, Int32.self))
            }
        }
        pooler.stop()
        cluster.remove()
    }

    @Test("per session a pool lends, recovers and closes connections as without it")
    func pool() async throws {
        let cluster = try await TestCluster.make()
        let pooler = try await TestPooler.start(.session, before: cluster)
        let pool = PostgresPool(
            try PostgresConfiguration(url: pooler.url()).sizedForTest(2), on: TestLoops.next())
        try await pool.query("CREATE TABLE t (a int8)")
        for round in 0..<3 {
            let sleeping = Task { try await pool.query("SELECT pg_sleep(60)") }
            try await eventually(equals: 1) {
                try await pool.query("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'").count
            }
            sleeping.cancel()
            await #expect(throws: PostgresError.cancelled) { try await sleeping.value }
            try await pool.query(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
            try await eventually { await pool.figures.leased == 0 }
            try await pool.transaction { try await $0.execute("INSERT INTO t VALUES ($1)", [round]) }
        }
        #expect(try await pool.query("SELECT FROM t").count == 3)
        await pool.shutdown()
        pooler.stop()
        cluster.remove()
    }

    @Test(
        "a pooler that shares sessions between clients is refused at the second session",
        arguments: [TestPooler.Mode.transaction, .statement])
    func shared(mode: TestPooler.Mode) async throws {
        let cluster = try await TestCluster.make()
        let pooler = try await TestPooler.start(mode, before: cluster)
        let configuration = try PostgresConfiguration(url: pooler.url())
        let loop = TestLoops.next()
        try await withPostgresConnection(configuration, on: loop) { _ in
            await #expect(throws: PostgresConnection.sharedSessions) {
                _ = try await PostgresConnection.connect(configuration, on: loop)
            }
        }
        pooler.stop()
        cluster.remove()
    }

    @Test("a pooler that does not reset sessions is refused")
    func unreset() async throws {
        let cluster = try await TestCluster.make()
        let pooler = try await TestPooler.start(.session, before: cluster, ["server_reset_query ="])
        let configuration = try PostgresConfiguration(url: pooler.url())
        let loop = TestLoops.next()
        try await withPostgresConnection(configuration, on: loop) { _ in }
        await #expect(throws: PostgresConnection.sharedSessions) {
            _ = try await PostgresConnection.connect(configuration, on: loop)
        }
        pooler.stop()
        cluster.remove()
    }
}

extension PostgresConfiguration {
    fileprivate func sizedForTest(_ size: Int) -> PostgresConfiguration {
        var configuration = self
        configuration.poolSize = size
        return configuration
    }
}
