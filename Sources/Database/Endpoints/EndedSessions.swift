import Contract
package import Postgres

/// Ends the endpoints of browsers whose session has expired. The session is kept for another day, and its
/// endpoint with it, so that a last push can say that notifications end. A session that is signed out or
/// revoked is deleted, and takes its endpoint along at once.
package enum EndedSessions {
    private static let reason = "its session has expired"
    private static let batch: Int64 = 1_000

    /// An endpoint that is disabled already gets no last push.
    private static let end = """
        WITH ended AS MATERIALIZED (
            SELECT endpoint.id
            FROM tokens AS session
            JOIN endpoints AS endpoint
                ON endpoint.user_id = session.user_id AND endpoint.session = session.number
            WHERE session.expires_at <= now() AND endpoint.disabled_at IS NULL
            ORDER BY endpoint.id
            LIMIT $1
            FOR NO KEY UPDATE OF endpoint SKIP LOCKED
        ), disabled AS (
            UPDATE endpoints SET disabled_at = now(), farewell_at = now(), reason = '\(reason)'
            FROM ended WHERE endpoints.id = ended.id
            RETURNING endpoints.id
        ), abandoned AS (
            UPDATE deliveries SET settled_at = now(), outcome = 'gone', courier = NULL
            FROM disabled WHERE deliveries.endpoint_id = disabled.id AND deliveries.settled_at IS NULL
        )
        INSERT INTO deliveries (endpoint_id, priority, due_at, expires_at)
        SELECT id, 1, now(), now() + interval '1 day' FROM disabled
        """

    /// Disables the endpoints, and writes their last pushes. Returns their number.
    @discardableResult
    package static func endEndpoints(in pool: PostgresPool) async throws -> Int {
        // A settlement locks a delivery before its endpoint.
        try await pool.transaction(attempts: 3) { try await $0.execute(end, [batch]) }
    }
}
