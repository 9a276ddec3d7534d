package import Contract
package import Postgres

/// The reason and the end of an account's suspension. Without an end it lasts until it is lifted.
package struct Suspension: Equatable, Sendable {
    package var reason: String
    package var until: Timestamp?

    package init(reason: String, until: Timestamp?) {
        self.reason = reason
        self.until = until
    }
}

/// Writes suspensions. The caller holds the lock of the account.
package enum Suspensions {
    /// The condition that the account of a row is suspended now.
    static func isInForce(_ user: String) -> String {
        """
        EXISTS (
            SELECT FROM suspensions AS held
            WHERE held.user_id = \(user) AND \(holds))
        """
    }

    /// The condition that the suspension `held` is in force now.
    static let holds = "(held.until IS NULL OR held.until > now())"

    private static let put = """
        INSERT INTO suspensions (user_id, since, until, reason, operator) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (user_id) DO UPDATE SET since = excluded.since, until = excluded.until,
            reason = excluded.reason, operator = excluded.operator
        """

    /// Registrations whose slot is not over.
    private static let cancelOpen = """
        UPDATE registrations SET cancelled_at = $2, updated_at = $2
        FROM slots
        WHERE user_id = $1 AND cancelled_at IS NULL AND slots.starts_at = registrations.starts_at
            AND closed_at IS NULL AND ends_at > $2
        RETURNING registrations.id, registrations.starts_at
        """

    /// Registrations that are in no room, while the suspension is in force.
    private static let cancelWaiting = """
        UPDATE registrations SET cancelled_at = $2, updated_at = $2
        WHERE user_id = $1 AND cancelled_at IS NULL AND starts_at > $2
            AND NOT EXISTS (SELECT FROM members WHERE registration_id = registrations.id)
            AND \(isInForce("$1"))
        RETURNING registrations.id, registrations.starts_at
        """

    private static let forgetSpans = "DELETE FROM registration_spans WHERE registration_id = ANY($1::uuid[])"

    private static let lift = """
        DELETE FROM suspensions WHERE user_id = $1 AND (until IS NULL OR until > $2) RETURNING reason
        """

    /// Suspends an account, and replaces a suspension that it has.
    package static func put(
        _ suspension: Suspension, on user: Identifier, by operatorName: String, at now: Timestamp,
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(
            put, [user, now, suspension.until, suspension.reason, operatorName])
    }

    /// Cancels all registrations that are not over, or with `onlyWaiting` those that are in no room yet.
    /// Returns the keys of their slots. The caller holds the lock of the account; for all registrations also
    /// the locks of the slots that may be matched meanwhile, and has taken them out of their rooms.
    package static func cancelRegistrations(
        of user: Identifier, onlyWaiting: Bool, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> [Timestamp] {
        let statement = onlyWaiting ? cancelWaiting : cancelOpen
        let cancelled = try await connection.query(statement, [user, now]).map { row throws(PostgresError) in
            try row.decode(Identifier.self, Timestamp.self)
        }
        try await connection.query(forgetSpans, [cancelled.map(\.0)])
        return cancelled.map(\.1)
    }

    /// Lifts the suspension of an account. Returns its reason; nil where there is none in force.
    package static func lift(
        _ user: Identifier, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> String? {
        try await connection.query(lift, [user, now]).first?.decode(0, String.self)
    }
}
