package import Contract
package import Postgres

/// The delivery of a test that the owner of an endpoint asked for.
package enum TestDelivery {
    /// A test is due when the first attempt must be over. Another server makes it then where this one died;
    /// it expires five seconds later.
    private static let insert = """
        INSERT INTO deliveries (endpoint_id, priority, due_at, expires_at, courier)
        SELECT endpoint.id, 0, $3 + interval '25 seconds', $3 + interval '30 seconds', $4
        FROM endpoints AS endpoint
        WHERE endpoint.id = $1 AND endpoint.user_id = $2
            AND $5 > (SELECT count(*) FROM deliveries
                WHERE endpoint_id = $1 AND notification_id IS NULL AND due_at > $3 - interval '35 seconds')
        RETURNING id
        """

    private static let select = """
        SELECT \(EndpointRow.columns(now: "$3"))
        FROM endpoints AS endpoint
        WHERE endpoint.id = $1 AND endpoint.user_id = $2
        """

    /// Returns nil where the user has no such endpoint.
    package static func endpoint(
        _ id: Identifier, of user: Identifier, at now: Timestamp, in pool: PostgresPool
    ) async throws -> EndpointRow? {
        try await pool.query(select, [id, user, now]).first.map { try EndpointRow($0, from: 0) }
    }

    /// Stores a delivery that this process has claimed. Returns its id; nil where the endpoint has had so
    /// many tests within the last minute.
    package static func begin(
        _ endpoint: Identifier, of user: Identifier, at now: Timestamp, claimedBy name: String, limit: Int64,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> Int64? {
        try await connection.query(insert, [endpoint, user, now, name, limit]).first?.decode(0, Int64.self)
    }
}
