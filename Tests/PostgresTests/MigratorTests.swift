import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
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
        try await TestDatabase.with { database in
            try await database.withConnection { connection in
                let all = try Migrator(Self.migrations)
                let limits = try await Self.limits(connection)
                #expect(try await all.status(on: connection).pending == Self.migrations)
                _ = try await Migrator([Self.migrations[0]]).apply(on: connection)
                #expect(try await all.status(on: connection).pending == [Self.migrations[1]])
                #expect(try await all.apply(on: connection) == [Self.migrations[1]])
                #expect(try await all.apply(on: connection) == [])
                // The limits of the connection are what they were.
                #expect(try await Self.limits(connection) == limits)
            }
        }
    }

    /// Of a statement's time, and of its time before locks.
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
                try await connection.simple("DELETE FROM schema_migrations WHERE version = 1")
                await #expect(throws: MigrationError.skipped(version: 1, name: "table")) {
                    try await Migrator(Self.migrations).apply(on: connection)
                }
            }
            #expect(throws: MigrationError.outOfOrder(version: 2)) { try Migrator([Self.migrations[1]]) }
        }
    }

    @Test("a migration that fails leaves nothing behind and names itself")
    func failing() async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { connection in
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
    }
}
