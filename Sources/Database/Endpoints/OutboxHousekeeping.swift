package import Contract
package import Postgres

/// Deletes attempts, and settled deliveries, that are older than a month and in no partition that is dropped.
package enum OutboxHousekeeping {
    package static let retention = Duration.seconds(30 * 24 * 3600)
    /// The number of rows in one transaction.
    static let batch: Int64 = 1_000

    private static let attempts = """
        DELETE FROM attempts_others
        WHERE id IN (SELECT id FROM attempts_others WHERE at < $1 ORDER BY at LIMIT $2)
        """

    private static let deliveries = """
        DELETE FROM deliveries_others
        WHERE id IN (SELECT id FROM deliveries_others WHERE settled_at < $1 ORDER BY settled_at LIMIT $2)
        """

    private static let deliveryWorkers = "DELETE FROM couriers WHERE alive_until < now() - interval '1 day'"

    /// Deletes old rows, and returns their number.
    @discardableResult
    package static func tidy(at now: Timestamp, in pool: PostgresPool) async throws -> Int {
        let before = now.adding(.zero - retention)
        let attempts = try await pool.executeAll(attempts, [before], batch: batch)
        let deliveries = try await pool.executeAll(deliveries, [before], batch: batch)
        return attempts + deliveries + (try await pool.execute(deliveryWorkers))
    }
}
