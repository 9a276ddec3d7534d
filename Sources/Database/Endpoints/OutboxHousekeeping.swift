package import Contract
package import Postgres

/// Deletes attempts, and settled deliveries, that are older than a month and in no partition that is dropped.
package struct OutboxHousekeeping: Sendable {
    package static let retention = Duration.seconds(30 * 24 * 3600)
    /// The number of rows in one transaction.
    static let batch: Int64 = 1_000

    package let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

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
    package func tidy(at now: Timestamp) async throws -> Int {
        let before = now.adding(.zero - Self.retention)
        let attempts = try await pool.executeAll(Self.attempts, [before], batch: Self.batch)
        let deliveries = try await pool.executeAll(Self.deliveries, [before], batch: Self.batch)
        return attempts + deliveries + (try await pool.execute(Self.deliveryWorkers))
    }
}
