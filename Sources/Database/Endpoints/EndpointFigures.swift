package import Codecs
package import Contract
package import Postgres
import Reactor

/// The figures of pending deliveries, endpoints and deleted accounts in the database.
package enum EndpointFigures {
    private static let select = """
        SELECT (SELECT count(*) FROM deliveries WHERE settled_at IS NULL),
            (SELECT min(due_at) FROM deliveries
                WHERE settled_at IS NULL AND priority < \(BulkReplay.priority)),
            (SELECT count(*) FROM endpoints WHERE disabled_at IS NOT NULL AND farewell_at IS NULL)
        """

    package static func read(
        from pool: PostgresPool, at now: Timestamp
    ) async throws(PostgresError) -> [Figure] {
        let row = try await pool.query(select, retrying: true)[0]
        let (waiting, oldest, disabled) = try row.decode(Int64.self, Timestamp?.self, Int64.self)
        let erasure = try await pool.query(AccountErasure.waiting, retrying: true)[0]
        let (erasures, oldestErasure) = try erasure.decode(Int64.self, Timestamp?.self)
        func age(_ begin: Timestamp?) -> Double { begin.map { max(0, now.since($0).inSeconds) } ?? 0 }
        return [
            Figure("deliveries_waiting", "Deliveries that are not settled.", Int(waiting)),
            Figure(
                "deliveries_oldest_seconds",
                "How long the oldest delivery that is not settled has been due, without replayed ones.",
                age(oldest)),
            Figure("endpoints_disabled", "Endpoints that are disabled.", Int(disabled)),
            Figure(
                "account_erasures_waiting", "Deleted accounts whose rows are not all removed.",
                Int(erasures)),
            Figure(
                "account_erasure_oldest_seconds", "The time since the oldest of their deletions.",
                age(oldestErasure)),
        ]
    }
}
