package import Contract
package import Postgres

/// Removes cancelled registrations that had no effect: they were in no room, were not alone at an opening,
/// and no notification is about them. They go a day after they were cancelled, as the answers to idempotency
/// keys do, or 30 days after if the account has a calendar, whose programs have to read that the event is
/// cancelled.
///
/// A day of a routine whose registration goes stays known as left out.
package struct CancelledRegistrations: Sendable {
    static let retention = Duration.seconds(24 * 3600)
    static let calendarRetention = Duration.seconds(30 * 24 * 3600)
    /// How long before the end of a retention period a pass looks for registrations. Those that fell due
    /// while no server ran for longer go at the end of the second period.
    static let reach = Duration.seconds(7 * 24 * 3600)
    /// The number of registrations in one transaction.
    static let batch: Int64 = 1_000

    package let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Locks what is due, so that no routine takes it back meanwhile.
    private static func due(_ condition: String) -> String {
        """
        SELECT id FROM registrations AS gone
        WHERE cancelled_at > $1 AND cancelled_at <= $2
            AND NOT EXISTS (SELECT FROM members WHERE registration_id = gone.id)
            AND NOT EXISTS (SELECT FROM notifications WHERE registration_id = gone.id)
            AND NOT EXISTS (SELECT FROM left_alone WHERE registration_id = gone.id)
            \(condition)
        ORDER BY cancelled_at
        LIMIT $3
        FOR UPDATE OF gone SKIP LOCKED
        """
    }

    private static let first = due(
        "AND NOT EXISTS (SELECT FROM calendars WHERE calendars.user_id = gone.user_id)")
    private static let second = due("")

    private static let leaveDaysOut = """
        UPDATE routine_occurrences SET outcome = 'skipped', starts_at = NULL, registration_id = NULL
        WHERE registration_id = ANY($1) AND outcome = 'registered'
        """

    private static let remove = "DELETE FROM registrations WHERE id = ANY($1)"

    /// Removes what is due, and returns its number.
    @discardableResult
    package func tidy(at now: Timestamp) async throws -> Int {
        var total = 0
        for (statement, age) in [(Self.first, Self.retention), (Self.second, Self.calendarRetention)] {
            let last = now.adding(.zero - age)
            while true {
                let count = try await removeBatch(statement, from: last.adding(.zero - Self.reach), to: last)
                total += count
                if count < Self.batch { break }
            }
        }
        return total
    }

    private func removeBatch(
        _ statement: String, from first: Timestamp, to last: Timestamp
    ) async throws -> Int {
        try await pool.transaction(attempts: 3) { connection in
            let rows = try await connection.query(statement, [first, last, Self.batch])
            let ids = try rows.map { try $0.decode(0, Identifier.self) }
            if ids.isEmpty { return 0 }
            try await connection.query(Self.leaveDaysOut, [ids])
            try await connection.query(Self.remove, [ids])
            return ids.count
        }
    }
}
