package import Contract
package import Postgres

/// A delivery, as an operator sees it.
package struct DeliverySummary: Sendable {
    package let id: Int64
    /// The type of the notification, or `test`.
    package let type: String
    package let kind: String
    package let host: String
    package let dueAt: Timestamp
    package let attempts: Int
    /// The outcome; `retried` or `waiting` for a delivery that is not over.
    package let outcome: String
    /// The detail of the latest attempt; empty before the first.
    package let detail: String
}

/// Reads deliveries for an operator.
package enum DeliveryReader {
    private static let list = """
        SELECT delivery.id, coalesce(notice.type, 'test'), endpoint.kind, endpoint.host, delivery.due_at,
            delivery.attempts,
            coalesce(delivery.outcome, CASE WHEN delivery.attempts > 0 THEN 'retried' ELSE 'waiting' END),
            coalesce(latest.detail, '')
        FROM deliveries AS delivery
        JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
        LEFT JOIN notifications AS notice ON notice.id = delivery.notification_id
        LEFT JOIN LATERAL (
            SELECT attempt.detail FROM attempts AS attempt
            WHERE attempt.endpoint_id = delivery.endpoint_id AND attempt.delivery_id = delivery.id
            ORDER BY attempt.id DESC
            LIMIT 1) AS latest ON true
        WHERE NOT $1 OR delivery.outcome IN ('exhausted', 'refused', 'expired', 'gone')
            OR (delivery.settled_at IS NULL AND delivery.attempts > 0)
        ORDER BY delivery.id DESC
        LIMIT $2
        """

    /// Returns the latest deliveries, the newest first; `onlyFailing` leaves out those that were delivered,
    /// and those that have not been tried.
    package static func latest(
        _ limit: Int64, onlyFailing: Bool, from pool: PostgresPool
    ) async throws(PostgresError) -> [DeliverySummary] {
        try await pool.query(list, [onlyFailing, limit])
            .read(DeliverySummary.init(id:type:kind:host:dueAt:attempts:outcome:detail:))
    }
}
