import Logging
package import Postgres
import Reactor

/// A time zone by a name for which PostgreSQL has rules.
package struct KnownZone: Equatable, Sendable {
    package let name: String

    fileprivate init(name: String) { self.name = name }
}

/// The time zones that PostgreSQL has rules for: none but UTC until their names are read.
///
/// Names change: Debian's tzdata has no `Asia/Calcutta` any more, and an old one no `Europe/Kyiv`. Accounts
/// and routines keep the name that they were given; `find` resolves it when PostgreSQL is asked.
package final class TimeZones: Sendable {
    /// The time after which the names are read again: PostgreSQL may have other files.
    private static let pause = Duration.seconds(3600)

    private struct State {
        var names: Set<String> = ["UTC"]
        var unknown: [String: Int64] = [:]
    }

    private let state = Lock(State())
    private let wakeSignal = WakeSignal()

    /// Creates the zones of a PostgreSQL that has these names.
    package init(names: Set<String> = []) {
        state.withLock { $0.names.formUnion(names) }
    }

    /// Returns the zone of a name, by that name or by another one of the same zone; nil if PostgreSQL knows
    /// none. PostgreSQL also takes abbreviations, POSIX strings and names in any case, which are no IANA
    /// names: so names are checked here.
    package func find(_ name: String) -> KnownZone? {
        state.withLock { state in
            if state.names.contains(name) { return KnownZone(name: name) }
            return TimeZoneLinks.names(of: name).first { state.names.contains($0) }
                .map { KnownZone(name: $0) }
        }
    }

    /// The names that PostgreSQL has, in their order.
    package var names: [String] { state.withLock { $0.names }.sorted() }

    /// Reads the names, for which PostgreSQL reads the file of each zone.
    package func read(from pool: PostgresPool) async throws(PostgresError) {
        let rows = try await pool.query(
            """
            SELECT name FROM pg_timezone_names
            WHERE name NOT LIKE 'posix/%' AND name NOT LIKE 'right/%'
                AND name NOT IN ('posixrules', 'localtime', 'Factory')
            """, retrying: true)
        let found: [String] = try rows.column()
        state.withLock { $0.names = Set(found + ["UTC"]) }
    }

    /// Counts the accounts whose zones PostgreSQL does not know, by the names of these.
    package func countUnknown(in pool: PostgresPool) async throws(PostgresError) -> [String: Int64] {
        let counts: [String: Int64] = try await pool.query(
            "SELECT time_zone, count(*) FROM accounts GROUP BY time_zone", retrying: true
        ).dictionary()
        return counts.filter { find($0.key) == nil }
    }

    /// Reads the names again soon, as PostgreSQL may be another one than it was.
    package func wake() { wakeSignal.send() }

    /// Logs how many accounts have unknown zones, and reads the names again each hour and when it is woken,
    /// until the task is cancelled. What was logged is logged again only when it has changed.
    package func run(reading pool: PostgresPool) async {
        // They have been read at the start.
        var isOld = false
        await wakeSignal.run(
            on: pool.loop, every: Self.pause, retryingAfter: .seconds(300),
            "reading time zones failed; retrying"
        ) {
            if isOld { try await read(from: pool) }
            isOld = true
            let unknown = try await countUnknown(in: pool)
            let isNews = state.withLock { state in
                defer { state.unknown = unknown }
                return state.unknown != unknown
            }
            if isNews, !unknown.isEmpty { Self.log(unknown) }
        }
    }

    /// The most zones that one line names.
    private static let named = 20

    private static func log(_ unknown: [String: Int64]) {
        let zones = unknown.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(named)
        Log.warning(
            "accounts have time zones that PostgreSQL does not know",
            [
                "accounts": unknown.values.reduce(0, +),
                "zones": zones.map { "\($0.key) (\($0.value))" }.joined(separator: ", "),
            ])
    }
}
