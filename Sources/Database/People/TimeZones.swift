package import Postgres
import Reactor

/// The names of time zones that PostgreSQL has rules for: none but UTC until they are read.
package final class TimeZones: Sendable {
    private let names = Lock<Set<String>>(["UTC"])

    package init() {}

    /// Returns whether PostgreSQL has rules for exactly that name. PostgreSQL also takes abbreviations, POSIX
    /// strings and names in any case, which are no IANA names: so names are checked here.
    package func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }

    /// Reads the names, for which PostgreSQL reads the file of each zone.
    package func read(from pool: PostgresPool) async throws(PostgresError) {
        let rows = try await pool.query(
            """
            SELECT name FROM pg_timezone_names
            WHERE name NOT LIKE 'posix/%' AND name NOT LIKE 'right/%'
                AND name NOT IN ('posixrules', 'localtime', 'Factory')
            """, retrying: true)
        var found: Set<String> = ["UTC"]
        for row in rows { found.insert(try row.decode(0, String.self)) }
        names.withLock { $0 = found }
    }
}
