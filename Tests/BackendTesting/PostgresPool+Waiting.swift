import Postgres

extension PostgresPool {
    /// Returns when so many sessions of this database wait for another's transaction, or it is over.
    nonisolated func waitForBlocked(_ count: Int = 1, unless isOver: () -> Bool = { false }) async throws {
        let blocked = """
            SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        while try await query(blocked).count < count, !isOver() { await Task.yield() }
    }
}
