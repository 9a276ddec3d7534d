import Postgres
import PostgresTesting
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TransactionTests {
    private struct Thrown: Error {}

    @Test("what the body did is committed where it returns, and gone where it throws")
    func commitAndRollback() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple("CREATE TABLE t (a int8)")
            let answer = try await connection.transaction { connection in
                try await connection.execute("INSERT INTO t VALUES (1)")
                return "done"
            }
            #expect(answer == "done")
            await #expect(throws: Thrown.self) {
                try await connection.transaction { connection in
                    try await connection.execute("INSERT INTO t VALUES (2)")
                    throw Thrown()
                }
            }
            #expect(try await connection.query("SELECT FROM t").count == 1)
        }
    }

    @Test("a failed statement that the body swallowed does not look like a commit")
    func swallowedError() async throws {
        try await TestDatabase.withConnection { connection in
            await #expect(throws: PostgresError.rolledBack) {
                try await connection.transaction { connection in
                    _ = try? await connection.query("SELECT 1/0")
                }
            }
            try await connection.query("SELECT 1")
        }
    }

    @Test("a deferred constraint fails the commit, and the connection stays usable")
    func deferredConstraint() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple("CREATE TABLE t (a int8 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            let error = await #expect(throws: PostgresError.self) {
                try await connection.transaction { connection in
                    try await connection.execute("INSERT INTO t VALUES (1), (1)")
                }
            }
            #expect(error?.sqlState == .uniqueViolation)
            #expect(try await connection.query("SELECT FROM t").isEmpty)
        }
    }

    @Test("a connection that breaks in the middle fails the transaction; nothing is committed")
    func brokenInside() async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { connection in
                try await connection.simple("CREATE TABLE t (a int8)")
                do {
                    try await connection.transaction { connection in
                        try await connection.execute("INSERT INTO t VALUES (1)")
                        try await connection.query("SELECT pg_terminate_backend(pg_backend_pid())")
                    }
                    Issue.record("committed")
                } catch PostgresError.connectionLost {
                }
                #expect(await connection.isOpen == false)
            }
            let rows = try await database.withConnection { try await $0.query("SELECT FROM t") }
            #expect(rows.isEmpty)
        }
    }

    @Test("a connection that breaks during COMMIT leaves it unknown")
    func brokenCommit() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple(
                """
                CREATE TABLE t (a int8);
                CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER die AFTER INSERT ON t
                  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die();
                """)
            do {
                try await connection.transaction { connection in
                    try await connection.execute("INSERT INTO t VALUES (1)")
                }
                Issue.record("committed")
            } catch PostgresError.commitUnknown {
            }
        }
    }

    @Test("a cancelled task rolls back and leaves the connection usable")
    func cancelledBody() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple("CREATE TABLE t (a int8)")
            let task = Task {
                try await connection.transaction { connection in
                    try await connection.execute("INSERT INTO t VALUES (1)")
                    withUnsafeCurrentTask { $0?.cancel() }
                    try Task.checkCancellation()
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await connection.query("SELECT FROM t").isEmpty)
        }
    }

    @Test("of two transactions that cannot be put in order one is retried")
    func serialization() async throws {
        try await TestDatabase.with { database in
            let pool = PostgresPool(database.configuration, on: database.loop)
            try await pool.withConnection {
                try await $0.simple("CREATE TABLE t (a int8); INSERT INTO t VALUES (0)")
            }
            try await concurrently(0..<4) { _ in
                try await pool.transaction(.serializable, attempts: 50) { connection in
                    let rows = try await connection.query("SELECT a FROM t")
                    try await connection.execute(
                        "UPDATE t SET a = $1", [try rows[0].decode(0, Int.self) + 1])
                }
            }
            #expect(try await pool.query("SELECT a FROM t")[0].decode(0, Int.self) == 4)
            await pool.shutdown()
        }
    }

    @Test("a read-only transaction writes nothing")
    func readOnly() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple("CREATE TABLE t (a int8)")
            await #expect(throws: PostgresError.self) {
                try await connection.transaction(.repeatableRead, readOnly: true) { connection in
                    try await connection.execute("INSERT INTO t VALUES (1)")
                }
            }
        }
    }

    @Test("a transaction that is idle for too long is ended, and the error says why")
    func idle() async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { connection in
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.transaction { transaction in
                        try await transaction.query("SET LOCAL idle_in_transaction_session_timeout = 1")
                        try await eventually { await !transaction.isOpen }
                        try await transaction.query("SELECT 1")
                    }
                }
                #expect("\(error, default: "")".contains("idle-in-transaction timeout"))
            }
        }
    }
}
