import Postgres

extension PostgresPool {
    /// Returns when a session of this database waits for another's transaction.
    nonisolated func waitForBlocked() async throws {
        let blocked = """
            SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        while try await query(blocked).isEmpty { await Task.yield() }
    }
}
