package import Postgres

/// The properties of a database that a backup or a restore has to know.
package enum DatabaseContents {
    /// Selects the objects that users have created in the database, without those of PostgreSQL and its
    /// extensions and without the mark of a restore. Indexes and composite types are left out, since those of
    /// an extension depend on it through their tables and types alone.
    private static let made = """
        SELECT string_agg(name, ', ') FROM (
            SELECT name FROM (
                SELECT 'pg_class'::regclass AS kind, oid, relnamespace AS folder, relname AS name
                FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
                UNION ALL
                SELECT 'pg_proc'::regclass, oid, pronamespace, proname FROM pg_proc) AS object
            WHERE folder::regnamespace::text !~ '^(pg_|information_schema)'
                AND name <> '\(RestoreMark.table)' AND NOT EXISTS (
                SELECT FROM pg_depend WHERE classid = kind AND objid = object.oid AND deptype = 'e')
            ORDER BY name
            LIMIT 3) AS found
        """

    private static let version = "SELECT current_setting('server_version_num')::int8"

    /// The time limit for reading the tables to know how many rows they have.
    private static let analysisLimit = Duration.seconds(3600)

    /// Returns the names of some things that are in the database; nil if it is empty.
    package static func examples(on connection: PostgresConnection) async throws -> String? {
        try await connection.query(made)[0].decode(0, String?.self)
    }

    /// Returns the major version of PostgreSQL.
    package static func majorVersion(on connection: PostgresConnection) async throws -> Int {
        Int(try await connection.query(version)[0].decode(0, Int64.self) / 10_000)
    }

    /// Whether the database replays a write-ahead log, and so can only be read.
    package static func isInRecovery(on connection: PostgresConnection) async throws -> Bool {
        try await connection.query("SELECT pg_is_in_recovery()")[0].decode(0, Bool.self)
    }

    /// Has PostgreSQL count the rows of all tables, without which it would plan for empty ones.
    package static func analyse(on connection: PostgresConnection) async throws {
        try await connection.withStatementTimeout(analysisLimit) { try await $0.simple("ANALYZE") }
    }
}
