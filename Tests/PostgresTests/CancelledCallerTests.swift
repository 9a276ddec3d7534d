import Postgres
import PostgresTesting
import TestKit
import Testing

@Suite("A caller that is cancelled during a call", .timeLimit(.minutes(5)))
struct CancelledCallerTests {
    /// The calls, each of which waits for a lock that `holding` takes.
    enum Call: CaseIterable {
        case preparing, statement, script, pipeline, copy, transaction, timeout

        private static var lock: String { "SELECT pg_advisory_xact_lock(7)" }
        static var insert: String { "INSERT INTO t VALUES (1)" }

        func run(in pool: PostgresPool) async throws {
            switch self {
            case .preparing: try await pool.execute(Self.insert)
            case .statement: try await pool.query(Self.lock)
            case .script: try await pool.withConnection { try await $0.simple(Self.lock) }
            case .pipeline:
                try await pool.withConnection {
                    _ = try await $0.pipeline([("SELECT 1", []), (Self.lock, [])])
                }
            case .copy:
                try await pool.withConnection { connection in
                    try await connection.copyIn("COPY t FROM STDIN (FORMAT binary)", 0..<3) { $0.append($1) }
                }
            case .transaction:
                try await pool.transaction { connection in
                    try await connection.execute("INSERT INTO u VALUES (1)")
                    try await connection.query(Self.lock)
                }
            case .timeout:
                try await pool.withConnection { connection in
                    _ = try await connection.withStatementTimeout(.seconds(3599)) {
                        try await $0.query(Self.lock)
                    }
                }
            }
        }
    }

    private static func withPool(
        size: Int, _ body: (PostgresPool, TestDatabase) async throws -> Void
    ) async throws {
        try await TestDatabase.with { database in
            var configuration = database.configuration
            configuration.poolSize = size
            configuration.acquireTimeout = .seconds(3600)
            configuration.applicationName = "pool"
            let pool = PostgresPool(configuration, on: database.loop)
            try await pool.withConnection { connection in
                try await connection.simple("CREATE TABLE t (id int8); CREATE TABLE u (id int8)")
            }
            try await body(pool, database)
            await pool.shutdown()
        }
    }

    /// Starts the call, and cancels it while another transaction holds its lock; then lends the connection of
    /// that transaction to the body.
    private static func holding(
        _ call: Call, _ pool: PostgresPool, _ database: TestDatabase,
        _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        try await database.withConnection { holder in
            try await holder.simple("BEGIN; LOCK TABLE t; SELECT pg_advisory_xact_lock(7)")
            let caller = Task { try await call.run(in: pool) }
            try await database.withConnection { observer in
                let blocked = """
                    SELECT FROM pg_stat_activity
                    WHERE application_name = 'pool' AND datname = current_database()
                        AND wait_event_type = 'Lock'
                    """
                try await eventually { try await !observer.query(blocked).isEmpty }
            }
            caller.cancel()
            await #expect(throws: PostgresError.cancelled) { try await caller.value }
            try await body(holder)
        }
    }

    private static func pid(_ pool: PostgresPool) async throws -> Int32 {
        try await pool.query("SELECT pg_backend_pid()")[0].decode(0, Int32.self)
    }

    @Test(
        "goes on at once, and its connection serves the next one when the call has ended",
        arguments: Call.allCases)
    func connectionIsKept(call: Call) async throws {
        try await Self.withPool(size: 1) { pool, database in
            let id = try await Self.pid(pool)
            let timeout = try await pool.query("SHOW statement_timeout")[0].decode(0, String.self)
            try await Self.holding(call, pool, database) { holder in
                let next = Task { try await Self.pid(pool) }
                try await eventually { await pool.figures.waiting == 1 }
                try await holder.simple("COMMIT")
                #expect(try await next.value == id)
            }
            #expect(try await pool.query("SHOW statement_timeout")[0].decode(0, String.self) == timeout)
            #expect(try await pool.query("SELECT FROM u").isEmpty, "the transaction was not rolled back")
            #expect(try await pool.query("SELECT FROM t").isEmpty)
            for _ in 0..<2 { try await pool.execute(Call.insert) }
            let prepared = try await pool.query(
                "SELECT FROM pg_prepared_statements WHERE statement = $1", [Call.insert])
            #expect(prepared.count == 1)
            #expect(try await Self.pid(pool) == id)
        }
    }

    @Test("leaves the sessions as they were, hundreds of times")
    func sessions() async throws {
        try await Self.withPool(size: 2) { pool, database in
            try await pool.withConnection { _ in _ = try await Self.pid(pool) }
            try await database.withConnection { observer in
                @Sendable func sessions() async throws -> Set<Int32> {
                    let rows = try await observer.query(
                        """
                        SELECT pid FROM pg_stat_activity
                        WHERE application_name = 'pool' AND datname = current_database()
                        """)
                    return Set(try rows.map { try $0.decode(0, Int32.self) })
                }
                let before = try await sessions()
                #expect(before.count == 2)
                for number in 0..<400 {
                    let caller = Task {
                        guard number % 2 == 0 else {
                            _ = try await pool.query("SELECT pg_sleep(0.001)")
                            return
                        }
                        try await pool.transaction { connection in
                            try await connection.execute("INSERT INTO t VALUES (1)")
                            try await connection.query("SELECT pg_sleep(0.001)")
                        }
                    }
                    for _ in 0..<(number % 9) { _ = await pool.figures }
                    caller.cancel()
                    _ = await caller.result
                }
                try await eventually { await pool.figures.leased == 0 }
                #expect(try await sessions() == before)
            }
        }
    }

    @Test("has its connection closed by a shutdown")
    func shutdown() async throws {
        try await Self.withPool(size: 1) { pool, database in
            try await Self.holding(.statement, pool, database) { _ in
                #expect(await pool.figures.leased == 1)
                await pool.shutdown()
                #expect(await pool.figures.leased == 0)
            }
        }
    }
}
