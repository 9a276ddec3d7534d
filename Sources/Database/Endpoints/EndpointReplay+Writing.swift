package import Contract
package import Postgres

extension EndpointReplay {
    /// The most deliveries that one replay makes again, the latest ones.
    private static let limit: Int64 = 1_000

    private static let lock = """
        SELECT kind, reason, reason_code, EXISTS (
            SELECT FROM audit
            WHERE subject = 'endpoint:' || endpoint.id AND action = 'endpoint.disable'
                AND at >= endpoint.disabled_at)
        FROM endpoints AS endpoint
        WHERE id = $1 AND user_id = $2
        FOR NO KEY UPDATE
        """

    /// Deliveries that have expired or that a later one has replaced are of no use any more.
    private static let replay = """
        WITH failed AS MATERIALIZED (
            SELECT id FROM deliveries
            WHERE endpoint_id = $1 AND notification_id IS NOT NULL
                AND outcome IN ('exhausted', 'refused', 'expired', 'gone')
                AND (expires_at IS NULL OR expires_at > $2)
            ORDER BY id DESC
            LIMIT $3
            FOR UPDATE
        )
        UPDATE deliveries SET settled_at = NULL, outcome = NULL, courier = NULL, attempts = 0, due_at = $2
        FROM failed
        WHERE deliveries.id = failed.id
        """

    /// Makes the failed deliveries of a user's endpoint due again, and enables a webhook that its failures
    /// have disabled. Throws an `APIError` if the user has no such endpoint, or if it is disabled otherwise.
    package static func begin(
        _ endpoint: Identifier, of user: SignedInUser, at now: Timestamp, on connection: PostgresConnection
    ) async throws -> EndpointReplay {
        let row = try await connection.query(lock, [endpoint, user.id]).first.orThrow(APIError.notFound)
        let (kind, reason, code, byOperator) = try row.decode(
            String.self, String?.self, String?.self, Bool.self)
        if let reason {
            let said = Text(stored: code, english: reason)
            if byOperator {
                throw APIError(.conflict, "An operator has disabled this endpoint: \(said).")
            }
            guard kind == EndpointKind.webhook.rawValue else {
                throw APIError(
                    .conflict,
                    "This endpoint is disabled (\(said)). Register the device or browser again first.")
            }
            try await DeskDeliveries.enable(endpoint, on: connection)
        }
        return EndpointReplay(deliveries: try await connection.execute(replay, [endpoint, now, limit]))
    }
}
