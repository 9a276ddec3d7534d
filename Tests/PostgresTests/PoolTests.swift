import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PoolTests {
    private func pool(
        _ database: TestDatabase, size: Int, acquire: Duration = .seconds(3600), waiters: Int = 1000
    ) -> PostgresPool {
        var configuration = database.configuration
        configuration.poolSize = size
        configuration.acquireTimeout = acquire
        configuration.waiters = WaiterBudget(maximum: waiters)
        return PostgresPool(configuration, on: database.loop)
    }

    private func pid(_ connection: PostgresConnection) async throws -> Int32 {
        try await connection.query("SELECT pg_backend_pid()")[0].decode(0, Int32.self)
    }

    @Test("a hundred callers share two connections")
    func sharing() async throws {
        try await TestDatabase.with { database in
            let pool = pool(database, size: 2)
            let pids = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<100 { group.addTask { try await pool.withConnection { try await pid($0) } } }
                return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
            }
            #expect(pids.count <= 2)
            await pool.shutdown()
        }
    }

    @Test("idle connections are closed, but for one")
    func idle() async throws {
        try await TestDatabase.with { database in
            var configuration = database.configuration
            configuration.idleTimeout = .milliseconds(20)
            configuration.applicationName = "idle"
            let pool = PostgresPool(configuration, on: database.loop)
            try await concurrently(0..<4) { _ in try await pool.query("SELECT pg_sleep(0.1)") }
            try await database.withConnection { connection in
                let open = "SELECT FROM pg_stat_activity WHERE application_name = 'idle'"
                while try await connection.query(open).count > 1 { await Task.yield() }
            }
            #expect(try await pool.query("SELECT 1").count == 1)
            await pool.shutdown()
        }
    }

    @Test("the server ends a statement whose connection was closed, long before it would time out")
    func abandonedStatement() async throws {
        try await TestDatabase.with { database in
            var configuration = database.configuration
            configuration.statementTimeout = .seconds(3600)
            configuration.applicationName = "abandoned"
            let closed = try await PostgresConnection.connect(configuration, on: database.loop)
            try await database.withConnection { connection in
                let running = """
                    SELECT FROM pg_stat_activity
                    WHERE application_name = 'abandoned' AND wait_event = 'PgSleep'
                    """
                let caller = Task { try await closed.query("SELECT pg_sleep(3600)") }
                while try await connection.query(running).isEmpty { await Task.yield() }
                await closed.close()
                await #expect(throws: PostgresError.self) { try await caller.value }
                while try await !connection.query(running).isEmpty { await Task.yield() }
            }
        }
    }

    @Test("a session that may only read is not used again, since its server may not be the primary any more")
    func readOnlySession() async throws {
        try await TestDatabase.with { database in
            let pool = pool(database, size: 1)
            try await pool.withConnection { connection in
                try await connection.simple("SET default_transaction_read_only = on")
            }
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query("CREATE TABLE kept (id int)")
            }
            #expect(error?.sqlState == .readOnlyTransaction)
            try await pool.query("CREATE TABLE kept (id int)")
            await pool.shutdown()
        }
    }

    @Test("a statement that lost to another transaction is run again, three times in all")
    func serializationFailures() async throws {
        try await TestDatabase.with { database in
            let pool = pool(database, size: 1)
            try await database.withConnection { connection in
                try await connection.simple(
                    """
                    CREATE SEQUENCE passes;
                    CREATE FUNCTION lose(times bigint) RETURNS bigint LANGUAGE plpgsql AS $$
                    DECLARE pass bigint := nextval('passes');
                    BEGIN
                        IF pass <= times THEN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END IF;
                        RETURN pass;
                    END$$
                    """)
            }
            let rows = try await pool.query("SELECT lose(2)")
            #expect(try rows[0].decode(0, Int64.self) == 3)
            let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT lose(100)") }
            #expect(error?.isRetryable == true)
            let passes = try await pool.query("SELECT last_value FROM passes")
            #expect(try passes[0].decode(0, Int64.self) == 6)
            await pool.shutdown()
        }
    }

    /// An actor on the pool's loop, which uses the pool for callers elsewhere.
    private actor Desk {
        private let pool: PostgresPool

        nonisolated var unownedExecutor: UnownedSerialExecutor { pool.loop.asUnownedSerialExecutor() }

        init(_ pool: PostgresPool) { self.pool = pool }

        func ask() async throws { try await pool.query("SELECT 1", retrying: true) }
    }

    @Test("callers from other loops all get their turn, and give back what they had")
    func otherLoops() async throws {
        try await TestDatabase.with { database in
            let pool = pool(database, size: 2, waiters: 1000)
            let desk = Desk(pool)
            let loops = (0..<2).map { _ in TestLoops.next() }
            for _ in 0..<20 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<200 {
                        group.addTask(executorPreference: loops[index % 2]) { try await desk.ask() }
                    }
                    try await group.waitForAll()
                }
            }
            await pool.shutdown()
        }
    }

    @Test("who gets no connection in time is told that there is none")
    func acquireTimeout() async throws {
        try await TestDatabase.with { database in
            let pool = pool(database, size: 1, acquire: .seconds(1))
            // The connection is made before the timeout counts: on a busy machine that may take longer than
            // it.
            try await eventually { (try? await pool.query("SELECT 1")) != nil }
            try await pool.withConnection { _ in
                let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
                #expect(error == .unavailable("all 1 connections are in use"))
                #expect(error?.meansUnavailable == true)
            }
            try await pool.query("SELECT 1")
            await pool.shutdown()
        }
    }

    @Test("five thousand callers at once are all served")
    func crowd() async throws {
        try await TestDatabase.with { database in
            var configuration = database.configuration
            configuration.poolSize = 2
            configuration.acquireTimeout = .seconds(3600)
            let pool = PostgresPool(configuration, on: database.loop)
            try await concurrently(0..<5_000) { _ in try await pool.query("SELECT 1") }
            #expect(await pool.figures.refusals == 0)
            await pool.shutdown()
        }
    }

    @Test("callers beyond the budget of waiters are refused at once, whichever pool they ask")
    func tooManyWaiters() async throws {
        try await TestDatabase.with { database in
            var configuration = database.configuration
            configuration.poolSize = 1
            configuration.waiters = WaiterBudget(maximum: 1)
            let one = PostgresPool(configuration, on: database.loop)
            let other = PostgresPool(configuration, on: TestLoops.next())
            try await other.withConnection { _ in
                try await one.withConnection { _ in
                    let waiter = Task { try await one.query("SELECT 1") }
                    try await eventually { await one.figures.waiting == 1 }
                    for pool in [one, other] {
                        await #expect(throws: PostgresError.unavailable("1 callers wait already")) {
                            try await pool.query("SELECT 1")
                        }
                    }
                    waiter.cancel()
                    await #expect(throws: PostgresError.cancelled) { try await waiter.value }
                }
            }
            // The place was given back.
            try await one.withConnection { _ in
                let waiter = Task { try await one.query("SELECT 1") }
                try await eventually { await one.figures.waiting == 1 }
                waiter.cancel()
                await #expect(throws: PostgresError.cancelled) { try await waiter.value }
            }
            await one.shutdown()
            await other.shutdown()
        }
    }

    @Test("a waiter that is cancelled leaves, and the connection goes to the next")
    func cancelledWaiter() async throws {
        try await TestDatabase.with { database in
            let pool = pool(database, size: 1)
            try await pool.withConnection { _ in
                let waiter = Task { try await pool.query("SELECT 1") }
                waiter.cancel()
                await #expect(throws: PostgresError.cancelled) { try await waiter.value }
            }
            try await pool.query("SELECT 1")
            await pool.shutdown()
        }
    }

    @Test("a connection that the server ended is replaced")
    func terminated() async throws {
        try await TestDatabase.with { database in
            let pool = pool(database, size: 1)
            let first = try await pool.withConnection { try await pid($0) }
            try await database.withConnection { other in
                try await other.query("SELECT pg_terminate_backend($1)", [first])
                try await eventually {
                    try await other.query("SELECT FROM pg_stat_activity WHERE pid = $1", [first]).isEmpty
                }
            }
            let rows = try await pool.query("SELECT pg_backend_pid()", retrying: true)
            #expect(try rows[0].decode(0, Int32.self) != first)
            await pool.shutdown()
        }
    }

    @Test("a connection that comes back inside a transaction is not lent again")
    func leftInTransaction() async throws {
        try await TestDatabase.with { database in
            let pool = pool(database, size: 1)
            let first = try await pool.withConnection { connection in
                try await connection.simple("BEGIN")
                return try await pid(connection)
            }
            let second = try await pool.withConnection { try await pid($0) }
            #expect(first != second)
            await pool.shutdown()
        }
    }

    @Test("after the shutdown callers are refused")
    func shutdown() async throws {
        try await TestDatabase.with { database in
            let pool = pool(database, size: 1)
            try await pool.query("SELECT 1")
            await pool.shutdown()
            await #expect(throws: PostgresError.unavailable("shutting down")) {
                try await pool.query("SELECT 1")
            }
        }
    }
}
