package import Contract
package import Postgres

/// Ends the endpoints of browsers whose session has ended by its age or by an operator, with a last push
/// that says that notifications end. A session that has expired is kept for another day, and its endpoint
/// with it. A session that its person signs out or revokes is deleted, and takes its endpoint along at once.
package enum EndedSessions {
    private static let reason = Text(.sessionEnded)
    private static let batch: Int64 = 1_000

    /// Returns the statement that ends the endpoints of a query, and sets another column of them.
    /// An endpoint that is disabled already gets no last push.
    private static func ending(_ endpoints: String, also assignment: String = "") -> String {
        """
        WITH ended AS MATERIALIZED (\(endpoints)), disabled AS (
            UPDATE endpoints SET disabled_at = now(), farewell_at = now(), reason = '\(reason)',
                reason_code = '\(DetailCode.sessionEnded)'\(assignment)
            FROM ended WHERE endpoints.id = ended.id
            RETURNING endpoints.id
        ), abandoned AS (
            UPDATE deliveries SET settled_at = now(), outcome = 'gone', courier = NULL
            FROM disabled WHERE deliveries.endpoint_id = disabled.id AND deliveries.settled_at IS NULL
        )
        INSERT INTO deliveries (endpoint_id, priority, due_at, expires_at)
        SELECT id, 1, now(), now() + interval '1 day' FROM disabled
        """
    }

    private static let endExpired = ending(
        """
        SELECT endpoint.id
        FROM tokens AS session
        JOIN endpoints AS endpoint
            ON endpoint.user_id = session.user_id AND endpoint.session = session.number
        WHERE session.expires_at <= now() AND endpoint.disabled_at IS NULL
        ORDER BY endpoint.id
        LIMIT $1
        FOR NO KEY UPDATE OF endpoint SKIP LOCKED
        """)

    private static let endOfUser = ending(
        """
        SELECT id FROM endpoints WHERE user_id = $1 AND session IS NOT NULL AND disabled_at IS NULL
        ORDER BY id
        FOR NO KEY UPDATE
        """, also: ", session = NULL")

    /// Disables the endpoints of expired sessions, and writes their last pushes. Returns their number.
    @discardableResult
    package static func endEndpoints(in pool: PostgresPool) async throws -> Int {
        // A settlement locks a delivery before its endpoint.
        try await pool.transaction(attempts: 3) { try await $0.execute(endExpired, [batch]) }
    }

    /// Disables the endpoints of all sessions of an account, which an operator ends in the same transaction,
    /// and writes their last pushes. So the person hears of it.
    package static func endEndpoints(
        of user: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(endOfUser, [user])
    }
}
