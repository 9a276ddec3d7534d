import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
    @Test("a violated constraint is named, with its SQLSTATE, and the connection stays usable")
    func uniqueViolation() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple("CREATE TABLE t (id int8 CONSTRAINT one_of_each UNIQUE)")
            #expect(try await connection.execute("INSERT INTO t VALUES ($1), ($2)", [1, 2]) == 2)
            let error = try await #require(throws: PostgresError.self) {
                try await connection.execute("INSERT INTO t VALUES ($1)", [1])
            }
            #expect(error.sqlState == .uniqueViolation)
            #expect(error.constraint == "one_of_each")
            #expect(!error.meansUnavailable && !error.isRetryable)
            #expect(try await connection.query("SELECT id FROM t").count == 2)
        }
    }

    @Test("a statement is prepared once for the types of its parameters")
    func preparation() async throws {
        try await TestDatabase.withConnection { connection in
            for number in 0..<3 { try await connection.query("SELECT $1", [number]) }
            try await connection.query("SELECT $1", ["text"])
            let rows = try await connection.query("SELECT count(*) FROM pg_prepared_statements")
            #expect(try rows[0].decode(0, Int.self) == 3)
        }
    }

    @Test("past the limit of prepared statements they still run")
    func manyStatements() async throws {
        try await TestDatabase.with { database in
            var configuration = database.configuration
            configuration.maximumPreparedStatements = 2
            try await withPostgresConnection(configuration, on: database.loop) { connection in
                for number in 0..<5 {
                    let rows = try await connection.query("SELECT $1 + \(number)", [10])
                    #expect(try rows[0].decode(0, Int.self) == 10 + number)
                }
                let rows = try await connection.query("SELECT count(*) FROM pg_prepared_statements")
                #expect(try rows[0].decode(0, Int.self) == 2)
            }
        }
    }

    @Test("a prepared statement whose table has changed works at the second try")
    func changedTable() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple("CREATE TABLE t (a int8)")
            try await connection.query("SELECT * FROM t")
            try await connection.simple("ALTER TABLE t ADD b text")
            await #expect(throws: PostgresError.self) { try await connection.query("SELECT * FROM t") }
            try await connection.query("SELECT * FROM t")
        }
    }

    @Test("a script stops at its first error, and its statements are one transaction")
    func script() async throws {
        try await TestDatabase.withConnection { connection in
            await #expect(throws: PostgresError.self) {
                try await connection.simple("CREATE TABLE t (a int); SELECT 1/0; CREATE TABLE u (a int)")
            }
            let rows = try await connection.query("SELECT to_regclass('t') IS NULL")
            #expect(try rows[0].decode(0, Bool.self))
        }
    }

    @Test("five megabytes go out and come back")
    func large() async throws {
        try await TestDatabase.withConnection { connection in
            let bytes = [UInt8](repeating: 7, count: 5_000_000)
            let rows = try await connection.query("SELECT $1", [bytes])
            #expect(try rows[0].decode(0, [UInt8].self) == bytes)
        }
    }

    @Test("cancelling a task ends its statement and closes the connection")
    func cancelling() async throws {
        try await TestDatabase.with { database in
            let connection = try await PostgresConnection.connect(database.configuration, on: database.loop)
            let pid = try await connection.query("SELECT pg_backend_pid()")[0].decode(0, Int32.self)
            let task = Task { () async -> PostgresError? in
                do throws(PostgresError) {
                    try await connection.query("SELECT pg_sleep(60)")
                    return nil
                } catch {
                    return error
                }
            }
            try await database.withConnection { other in
                try await eventually {
                    try await other.query(
                        "SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'", [pid]
                    ).count == 1
                }
            }
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(await connection.isOpen == false)
        }
    }

    @Test("the server cancels a statement that takes too long, and the connection stays usable")
    func statementTimeout() async throws {
        try await TestDatabase.with { database in
            var configuration = database.configuration
            configuration.statementTimeout = .seconds(2)
            try await withPostgresConnection(configuration, on: database.loop) { connection in
                let error = try await #require(throws: PostgresError.self) {
                    try await connection.query("SELECT pg_sleep(60)")
                }
                #expect(error.sqlState == .queryCanceled)
                #expect(error.meansUnavailable)
                try await connection.withStatementTimeout(.seconds(30)) { connection in
                    try await connection.query("SELECT pg_sleep(2.1)")
                }
                await #expect(throws: PostgresError.self) {
                    try await connection.query("SELECT pg_sleep(60)")
                }
            }
        }
    }

    @Test("COPY by way of query is refused")
    func unexpectedCopy() async throws {
        try await TestDatabase.with { database in
            for statement in ["COPY (SELECT 1) TO STDOUT", "COPY t FROM STDIN"] {
                try await database.withConnection { connection in
                    try await connection.simple("CREATE TABLE IF NOT EXISTS t (a int)")
                    await #expect(throws: PostgresError.self) { try await connection.simple(statement) }
                }
            }
        }
    }

    @Test("a task that prefers the loop runs its queries there")
    func onTheLoop() async throws {
        try await TestDatabase.with { database in
            let loop = database.loop
            let task = Task(executorPreference: loop) {
                let connection = try await PostgresConnection.connect(database.configuration, on: loop)
                try await connection.query("SELECT 1")
                await connection.close()
                return loop.isCurrent
            }
            let isOnTheLoop = try await task.value
            #expect(isOnTheLoop)
        }
    }
}
