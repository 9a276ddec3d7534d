import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

/// Tests that stop, kill and freeze a cluster of their own.
@Suite(.timeLimit(.minutes(5)))
struct OutageTests {
    private func failure(_ body: () async throws -> Void) async -> PostgresError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? PostgresError
        }
    }

    @Test("while the server is away callers are told so soon; when it is back they are served")
    func stopAndStart() async throws {
        let cluster = try await TestCluster.make()
        var configuration = try PostgresConfiguration(url: cluster.url())
        configuration.acquireTimeout = .seconds(1)
        let pool = PostgresPool(configuration, on: TestLoops.next())
        try await eventually { await failure { try await pool.query("SELECT 1") } == nil }
        try await cluster.stop()
        let failures = await withTaskGroup(of: PostgresError?.self) { group in
            for _ in 0..<8 { group.addTask { await failure { try await pool.query("SELECT 1") } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for failure in failures { #expect(failure?.meansUnavailable == true) }
        try await cluster.start()
        try await eventually { await failure { try await pool.query("SELECT 1") } == nil }
        await pool.shutdown()
        cluster.remove()
    }

    @Test("a statement under way when the server is killed fails, and the next one after the restart works")
    func kill() async throws {
        let cluster = try await TestCluster.make()
        let loop = TestLoops.next()
        let configuration = try PostgresConfiguration(url: cluster.url())
        let pool = PostgresPool(configuration, on: loop)
        let sleeping = Task { await failure { try await pool.query("SELECT pg_sleep(60)") } }
        try await withPostgresConnection(configuration, on: loop) { connection in
            try await eventually {
                try await connection.query("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'").count
                    == 1
            }
        }
        try await cluster.kill()
        guard case .connectionLost = await sleeping.value else {
            throw TestError("the statement survived its server")
        }
        try await cluster.start()
        try await eventually { await failure { try await pool.query("SELECT 1", retrying: true) } == nil }
        await pool.shutdown()
        cluster.remove()
    }

    @Test("a session that was opened read-only serves one caller, and no later one")
    func openedReadOnly() async throws {
        let cluster = try await TestCluster.make()
        let configuration = try PostgresConfiguration(url: cluster.url())
        try await withPostgresConnection(configuration, on: TestLoops.next()) { admin in
            try await admin.simple("CREATE TABLE t (a int8)")
            try await admin.simple("ALTER DATABASE postgres SET default_transaction_read_only = on")
            let pool = PostgresPool(configuration, on: TestLoops.next())
            #expect(try await pool.query("SELECT FROM t").isEmpty)
            let insert = "INSERT INTO t VALUES (1)"
            #expect(await failure { try await pool.query(insert) }?.sqlState == .readOnlyTransaction)
            #expect(try await pool.withConnection { try await $0.mayWrite() } == false)
            #expect(await pool.figures.idle == 0)
            try await admin.simple("ALTER DATABASE postgres RESET default_transaction_read_only")
            #expect(await failure { try await pool.query(insert) } == nil)
            #expect(try await pool.withConnection { try await $0.mayWrite() })
            await pool.shutdown()
        }
        cluster.remove()
    }

    @Test("when a session refuses to write, the idle ones of its time are closed with it")
    func turnedReadOnly() async throws {
        let cluster = try await TestCluster.make()
        let pool = PostgresPool(try PostgresConfiguration(url: cluster.url()), on: TestLoops.next())
        try await pool.query("CREATE TABLE t (a int8)")
        // Three sessions of a server that is no primary any more.
        let turn = "SET default_transaction_read_only = on"
        try await pool.withConnection { first in
            try await pool.withConnection { second in
                try await pool.withConnection { third in
                    for session in [first, second, third] { try await session.simple(turn) }
                }
            }
        }
        let insert = "INSERT INTO t VALUES (1)"
        #expect(await failure { try await pool.query(insert) }?.sqlState == .readOnlyTransaction)
        #expect(await failure { try await pool.query(insert) } == nil)
        await pool.shutdown()
        cluster.remove()
    }

    @Test("a frozen server hangs no caller: statements, connecting and waiting end in time")
    func freeze() async throws {
        let cluster = try await TestCluster.make()
        var configuration = try PostgresConfiguration(url: cluster.url())
        configuration.statementTimeout = .seconds(1)
        configuration.connectTimeout = .seconds(1)
        configuration.acquireTimeout = .seconds(2)
        let pool = PostgresPool(configuration, on: TestLoops.next())
        try await eventually { await failure { try await pool.query("SELECT 1") } == nil }
        cluster.freeze()
        #expect(await failure { try await pool.query("SELECT 1") } == .timedOut)
        guard case .unavailable = await failure({ try await pool.query("SELECT 1") }) else {
            throw TestError("connected to a frozen server")
        }
        cluster.thaw()
        // Backends of the attempts that were given up start now; the pool's next attempts find the server.
        try await eventually { await failure { try await pool.query("SELECT 1") } == nil }
        await pool.shutdown()
        cluster.remove()
    }

    @Test("a connection that a cancelled caller left behind is closed when its server stays silent")
    func silentAfterCancelling() async throws {
        let cluster = try await TestCluster.make()
        var configuration = try PostgresConfiguration(url: cluster.url())
        let observer = PostgresPool(configuration, on: TestLoops.next())
        try await eventually { await failure { try await observer.query("SELECT 1") } == nil }
        configuration.statementTimeout = .seconds(3)
        let pool = PostgresPool(configuration, on: TestLoops.next())
        let caller = Task { await failure { try await pool.query("SELECT pg_sleep(60)") } }
        // The statement is under way: before that a cancelled caller gives its connection back.
        try await eventually(equals: 1) {
            try await observer.query("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'").count
        }
        cluster.freeze()
        caller.cancel()
        #expect(await caller.value == .cancelled)
        try await eventually { await pool.figures.leased == 0 }
        #expect(await pool.figures.idle == 0)
        cluster.thaw()
        try await eventually { await failure { try await pool.query("SELECT 1") } == nil }
        await pool.shutdown()
        await observer.shutdown()
        cluster.remove()
    }

    @Test("a listener comes back after a restart and says so")
    func listener() async throws {
        let cluster = try await TestCluster.make()
        let loop = TestLoops.next()
        let configuration = try PostgresConfiguration(url: cluster.url())
        let listener = PostgresListener(configuration, on: loop, channels: ["news"])
        let (connects, connected) = AsyncStream<Void>.makeStream()
        let (notifications, notified) = AsyncStream<PostgresNotification>.makeStream()
        let task = Task {
            await listener.run(onConnect: { connected.yield() }, onNotification: { notified.yield($0) })
        }
        var connect = connects.makeAsyncIterator()
        var notification = notifications.makeAsyncIterator()
        await connect.next()
        try await cluster.stop()
        try await cluster.start()
        await connect.next()
        try await withPostgresConnection(configuration, on: loop) {
            try await $0.simple("NOTIFY news, 'again'")
        }
        #expect(await notification.next()?.payload == "again")
        task.cancel()
        await task.value
        cluster.remove()
    }

    @Test("by TCP the name is resolved, and every address is tried")
    func tcp() async throws {
        let port = try await freePort()
        let cluster = try await TestCluster.make(listeningAt: port)
        let configuration = try PostgresConfiguration(url: cluster.tcpURL())
        try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
            let rows = try await connection.query("SELECT inet_server_port()")
            #expect(try rows[0].decode(0, Int.self) == Int(port))
        }
        let several = try PostgresConfiguration(
            url: "postgresql://postgres@127.0.0.1:1,127.0.0.1:\(port)/postgres")
        try await withPostgresConnection(several, on: TestLoops.next()) { try await $0.simple("SELECT 1") }
        cluster.remove()
    }

    private func freePort() async throws -> UInt16 {
        let address = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
        return try Listener(binding: address).address.port
    }
}
