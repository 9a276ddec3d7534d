import Postgres
import PostgresTesting
import Reactor
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MigratorTests {
    private static let migrations = [
        Migration(version: 1, name: "table", sql: "CREATE TABLE t (a int8); INSERT INTO t VALUES (1);"),
        Migration(version: 2, name: "column", sql: "ALTER TABLE t ADD b text"),
    ]

    @Test("two at the same time apply each migration once")
    func twoAtOnce() async throws {
        try await TestDatabase.with { database in
            let migrator = try Migrator(Self.migrations)
            let applied = try await withThrowingTaskGroup(of: [Migration].self) { group in
                for _ in 0..<4 {
                    group.addTask { try await database.withConnection { try await migrator.apply(on: $0) } }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied == Self.migrations)
            try await database.withConnection { connection in
                let rows = try await connection.query("SELECT a, b FROM t")
                #expect(rows.count == 1)
                #expect(try await migrator.status(on: connection).isCurrent)
            }
        }
    }

    @Test("what is missing is listed before and applied later")
    func pending() async throws {
        try await TestDatabase.withConnection { connection in
            let all = try Migrator(Self.migrations)
            let limits = try await Self.limits(connection)
            #expect(try await all.status(on: connection).pending == Self.migrations)
            _ = try await Migrator([Self.migrations[0]]).apply(on: connection)
            #expect(try await all.status(on: connection).pending == [Self.migrations[1]])
            #expect(try await all.apply(on: connection) == [Self.migrations[1]])
            #expect(try await all.apply(on: connection) == [])
            // The timeouts of the connection are unchanged.
            #expect(try await Self.limits(connection) == limits)
        }
    }

    /// Returns the timeouts of a statement, and of its lock waits.
    private static func limits(_ connection: PostgresConnection) async throws -> [String] {
        let rows = try await connection.query(
            "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
        let (statement, lock) = try rows[0].decode(String.self, String.self)
        return [statement, lock]
    }

    @Test("a changed migration, an unknown one and a skipped one are refused")
    func refusals() async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { connection in
                _ = try await Migrator(Self.migrations).apply(on: connection)
                let edited = Migration(version: 1, name: "table", sql: "SELECT 1")
                await #expect(throws: MigrationError.changed(version: 1, name: "table")) {
                    try await Migrator([edited, Self.migrations[1]]).apply(on: connection)
                }
                await #expect(throws: MigrationError.unknown(version: 2)) {
                    try await Migrator([Self.migrations[0]]).apply(on: connection)
                }
                try await connection.simple("DELETE FROM schema_versions WHERE version = 1")
                await #expect(throws: MigrationError.skipped(version: 1, name: "table")) {
                    try await Migrator(Self.migrations).apply(on: connection)
                }
            }
            #expect(throws: MigrationError.outOfOrder(version: 2)) { try Migrator([Self.migrations[1]]) }
        }
    }

    @Test("a migration that fails leaves nothing behind and names itself")
    func failing() async throws {
        try await TestDatabase.withConnection { connection in
            let broken = Migration(version: 2, name: "broken", sql: "CREATE TABLE u (a int); SELECT 1/0")
            let migrator = try Migrator([Self.migrations[0], broken])
            do {
                _ = try await migrator.apply(on: connection)
                Issue.record("applied")
            } catch MigrationError.failed(let version, let name, _) {
                #expect(version == 2 && name == "broken")
            }
            #expect(try await migrator.status(on: connection).pending == [broken])
            #expect(try await connection.query("SELECT to_regclass('u') IS NULL")[0].decode(0, Bool.self))
        }
    }

    private static let concurrent = Migration(
        version: 2, name: "index",
        sql: """
            -- migrate: outside a transaction
            -- By b.
            CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS t_by_a ON t (a);
            -- migrate: next
            ALTER TABLE t ADD COLUMN IF NOT EXISTS c int8;
            ALTER TABLE t ADD COLUMN IF NOT EXISTS d int8;
            """)

    @Test(
        "an index is made concurrently by one of several that start, while an old program waits"
    )
    func concurrently() async throws {
        try await TestDatabase.with { database in
            let table = Migration(version: 1, name: "table", sql: "CREATE TABLE t (a int8)")
            let migrator = try Migrator([table, Self.concurrent], sealed: 1)
            let applied = try await withThrowingTaskGroup(of: [Migration].self) { group in
                for _ in 0..<4 {
                    group.addTask { try await database.withConnection { try await migrator.apply(on: $0) } }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied == [table, Self.concurrent])
            try await database.withConnection { connection in
                let rows = try await connection.query(
                    """
                    SELECT (SELECT array_agg(version) FROM schema_migrations),
                        (SELECT array_agg(version) FROM schema_versions),
                        (SELECT indisvalid FROM pg_index WHERE indexrelid = 't_by_a'::regclass)
                    """)
                let (sealed, later, isValid) = try rows[0].decode([Int32].self, [Int32].self, Bool.self)
                #expect(sealed == [1] && later == [2] && isValid)
            }
        }
    }

    @Test("an index that a crash has left invalid is made again")
    func invalid() async throws {
        try await TestDatabase.withConnection { connection in
            let table = Migration(
                version: 1, name: "table", sql: "CREATE TABLE t (a int8); INSERT INTO t VALUES (1), (1)")
            let migrator = try Migrator([table, Self.concurrent])
            await #expect(throws: MigrationError.self) { try await migrator.apply(on: connection) }
            let invalid = "SELECT FROM pg_index WHERE indexrelid = 't_by_a'::regclass AND NOT indisvalid"
            #expect(try await connection.query(invalid).count == 1)
            #expect(try await migrator.status(on: connection).pending == [Self.concurrent])
            try await connection.simple("DELETE FROM t WHERE ctid = '(0,1)'")
            #expect(try await migrator.apply(on: connection) == [Self.concurrent])
            #expect(try await connection.query(invalid).isEmpty)
        }
    }

    @Test("a statement waits briefly for a lock, and is tried again")
    func locked() async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { reader in
                _ = try await Migrator([Self.migrations[0]]).apply(on: reader)
                try await reader.simple("BEGIN; SELECT FROM t")
                // Only the pause between two attempts ends the reader: an unbounded lock wait would never
                // end.
                let migrator = try Migrator(
                    Self.migrations, pause: { _ in try await reader.simple("COMMIT") })
                let applied = try await database.withConnection { try await migrator.apply(on: $0) }
                #expect(applied == [Self.migrations[1]])
            }
        }
    }

    @Test("every tenth try outlasts an autovacuum, the pauses grow, and it is told who holds locks")
    func longTries() async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { reader in
                _ = try await Migrator([Self.migrations[0]]).apply(on: reader)
                try await reader.simple("BEGIN; SELECT FROM t")
                // The migration needs no lock, and succeeds at the second attempt with the long timeout.
                let patient = Migration(
                    version: 2, name: "patient",
                    sql: """
                        -- migrate: outside a transaction
                        DO $$
                        BEGIN
                            IF current_setting('lock_timeout') <> '1500ms' OR nextval('long_tries') < 2 THEN
                                RAISE SQLSTATE '55P03';
                            END IF;
                        END
                        $$;
                        -- migrate: next
                        CREATE TABLE seen AS SELECT current_setting('lock_timeout') AS lock_timeout;
                        """)
                let pauses = Lock<[Duration]>([])
                let waits = Lock<[MigrationWait]>([])
                let migrator = try Migrator(
                    [Self.migrations[0], patient],
                    pause: { pause in pauses.withLock { $0.append(pause) } },
                    waits: { wait in waits.withLock { $0.append(wait) } })
                try await database.withConnection { connection in
                    try await connection.simple("CREATE SEQUENCE long_tries")
                    #expect(try await migrator.apply(on: connection) == [patient])
                    let seen = try await connection.query("SELECT lock_timeout FROM seen")
                    #expect(try seen[0].decode(0, String.self) == "500ms")
                }
                #expect(
                    pauses.withLock { $0 }
                        == (1..<20).map { .milliseconds(250 * $0) })
                let told = waits.withLock { $0 }
                #expect(told.map(\.tries) == [10] && told.first?.version == 2)
                #expect(told.first?.holders.count == 1)
                #expect(told.first?.holders.first?.contains("t AccessShareLock") == true)
                try await reader.simple("COMMIT")
            }
        }
    }

    @Test("a program works on a newer schema that still serves it, and says how far that is")
    func later() async throws {
        try await TestDatabase.withConnection { connection in
            _ = try await Migrator(Self.migrations, served: 1).apply(on: connection)
            let older = try Migrator([Self.migrations[0]])
            #expect(try await older.apply(on: connection) == [])
            let status = try await older.status(on: connection)
            #expect(status.isCurrent && status.later == [2] && status.found(of: 1) == 2)
        }
    }
}
