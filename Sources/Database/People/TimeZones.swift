package import Postgres

/// The names of time zones that PostgreSQL has rules for.
package struct TimeZones: Sendable {
    private let names: Set<String>

    /// Returns whether PostgreSQL has rules for exactly that name. PostgreSQL also takes abbreviations, POSIX
    /// strings and names in any case, which are no IANA names: so names are checked here.
    package func contains(_ name: String) -> Bool { names.contains(name) }

    package static func read(from pool: PostgresPool) async throws(PostgresError) -> TimeZones {
        let rows = try await pool.query(
            """
            SELECT name FROM pg_timezone_names
            WHERE name NOT LIKE 'posix/%' AND name NOT LIKE 'right/%'
                AND name NOT IN ('posixrules', 'localtime', 'Factory')
            """, retrying: true)
        var names: Set<String> = ["UTC"]
        for row in rows { names.insert(try row.decode(0, String.self)) }
        return TimeZones(names: names)
    }
}
