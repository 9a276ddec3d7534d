import PostgresTesting
import Testing

@testable import Postgres

@Suite("Statements in one round trip", .timeLimit(.minutes(5)))
struct PipelineTests {
    private func with(_ body: (PostgresConnection) async throws -> Void) async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple("CREATE TABLE t (a int8 PRIMARY KEY)")
            try await body(connection)
        }
    }

    private func count(on connection: PostgresConnection) async throws -> Int {
        try await connection.query("SELECT count(*) FROM t")[0].decode(0, Int.self)
    }

    @Test("run in their order, each with rows of its own")
    func order() async throws {
        try await with { connection in
            for _ in 0..<2 {
                let results = try await connection.pipeline([
                    ("DELETE FROM t", []), ("INSERT INTO t VALUES ($1), ($2)", [1, 2]),
                    ("SELECT a FROM t ORDER BY a", []), ("SELECT $1 WHERE false", ["none"]),
                ])
                #expect(results.map(\.count) == [0, 0, 2, 0])
                #expect(results[1].affected == 2)
                let values = try results[2].map { try $0.decode(0, Int.self) }
                #expect(values == [1, 2])
            }
            #expect(try await connection.pipeline([]).isEmpty)
            #expect(try await connection.pipeline([("SELECT $1", [7])])[0][0].decode(0, Int.self) == 7)
        }
    }

    @Test("are one transaction where there is none; the first that fails is the error")
    func failure() async throws {
        try await with { connection in
            for _ in 0..<2 {
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.pipeline([
                        ("INSERT INTO t VALUES ($1)", [1]), ("INSERT INTO t VALUES ($1)", [1]),
                        ("SELECT 1 / $1", [0]), ("INSERT INTO t VALUES ($1)", [2]),
                    ])
                }
                #expect(error?.sqlState == .uniqueViolation)
                let rows = try await count(on: connection)
                #expect(rows == 0)
            }
        }
    }

    @Test("that fail in a transaction fail it, also where they are its first ones", arguments: [false, true])
    func failedTransaction(isFirst: Bool) async throws {
        try await with { connection in
            for _ in 0..<2 {
                await #expect(throws: PostgresError.rolledBack) {
                    try await connection.transaction { connection in
                        if !isFirst { try await connection.query("INSERT INTO t VALUES (1)") }
                        _ = try? await connection.pipeline([
                            ("INSERT INTO t VALUES (2)", []), ("SELECT 1 / $1", [0]),
                        ])
                    }
                }
                let rows = try await count(on: connection)
                #expect(rows == 0)
            }
        }
    }

    @Test("that the server cannot prepare fail their transaction")
    func unprepared() async throws {
        try await with { connection in
            await #expect(throws: PostgresError.rolledBack) {
                try await connection.transaction { connection in
                    _ = try? await connection.pipeline([("SELECT 1", []), ("SELECT FROM nowhere", [])])
                }
            }
            let rows = try await count(on: connection)
            #expect(rows == 0)
        }
    }

    @Test("whose prepared statement is gone are prepared again the next time")
    func gone() async throws {
        try await with { connection in
            let statements: [PostgresConnection.PipelinedStatement] = [("SELECT 1", []), ("SELECT 2", [])]
            _ = try await connection.pipeline(statements)
            try await connection.simple("DEALLOCATE ALL")
            let error = await #expect(throws: PostgresError.self) {
                try await connection.pipeline(statements)
            }
            #expect(error?.sqlState == .invalidStatementName)
            #expect(try await connection.pipeline(statements)[1][0].decode(0, Int32.self) == 2)
        }
    }

    @Test("may be larger than what the sockets hold, in both directions")
    func large() async throws {
        try await with { connection in
            let text = String(repeating: "a", count: 300_000)
            let results = try await connection.pipeline((0..<40).map { ("SELECT $1", ["\($0)\(text)"]) })
            for (index, rows) in results.enumerated() {
                #expect(try rows[0].decode(0, String.self) == "\(index)\(text)")
            }
        }
    }

    @Test("during which the connection breaks fail for that; nothing is committed")
    func broken() async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { connection in
                try await connection.simple("CREATE TABLE t (a int8)")
                do {
                    _ = try await connection.pipeline([
                        ("INSERT INTO t VALUES (1)", []),
                        ("SELECT pg_terminate_backend(pg_backend_pid())", []), ("SELECT 1", []),
                    ])
                    Issue.record("answered")
                } catch PostgresError.connectionLost {
                }
                #expect(await !connection.isOpen)
            }
            let rows = try await database.withConnection { try await $0.query("SELECT FROM t") }
            #expect(rows.isEmpty)
        }
    }

    @Test("of a cancelled task close the connection")
    func cancelled() async throws {
        try await withTwo { connection, other in
            let id = await connection.processID
            let task = Task {
                try await connection.pipeline([("SELECT 1", []), ("SELECT pg_sleep($1)", [600.0])])
            }
            while try await other.query(
                "SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'", [id]
            ).isEmpty {}
            task.cancel()
            await #expect(throws: PostgresError.cancelled) { try await task.value }
            #expect(await !connection.isOpen)
        }
    }

    @Test("a transaction whose first script cannot be parsed commits nothing of what follows")
    func unparsed() async throws {
        try await withTwo { connection, other in
            try await other.simple("CREATE TABLE t (a int8)")
            await #expect(throws: PostgresError.self) {
                try await connection.transaction { connection in
                    _ = try? await connection.simple("no statement")
                    _ = try? await connection.execute("INSERT INTO t VALUES (1)")
                }
            }
            let rows = try await count(on: other)
            #expect(rows == 0)
        }
    }

    @Test("a transaction begins with its first statement, and is none without one")
    func lateBegin() async throws {
        try await withTwo { connection, other in
            let id = await connection.processID
            func expectState(_ state: String) async throws {
                let rows = try await other.query("SELECT state FROM pg_stat_activity WHERE pid = $1", [id])
                #expect(try rows[0].decode(0, String.self) == state)
            }
            let settings = """
                SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')
                """
            for _ in 0..<2 {
                try await connection.transaction(.serializable, readOnly: true) { connection in
                    try await expectState("idle")
                    let row = try await connection.query(settings)[0]
                    #expect(try row.decode(0, String.self) == "serializable")
                    #expect(try row.decode(1, String.self) == "on")
                    try await expectState("idle in transaction")
                }
                try await expectState("idle")
                try await connection.transaction { connection in
                    try await connection.simple("SELECT 1")
                    try await expectState("idle in transaction")
                }
                try await connection.transaction { _ in }
                try await expectState("idle")
                #expect(await connection.isReusable)
            }
            await connection.close()
            await #expect(throws: PostgresError.self) { try await connection.transaction { _ in } }
        }
    }

    private func withTwo(_ body: (PostgresConnection, PostgresConnection) async throws -> Void) async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { connection in
                try await database.withConnection { other in try await body(connection, other) }
            }
        }
    }
}
