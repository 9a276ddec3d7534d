package import Contract
package import Postgres

/// Whoever changes who meets whom in a slot holds this, to the end of the transaction.
package enum SlotLock {
    /// Apart from the other advisory locks of the schema, whose keys are small.
    private static let offset: Int64 = 1 << 48

    /// Who holds a lock and does nothing for so long loses it: one that stands still keeps nobody waiting.
    package static let idle = Duration.seconds(5)

    package static func take(_ startsAt: Timestamp, on connection: PostgresConnection)
        async throws(PostgresError)
    {
        try await connection.query(
            "SELECT \(limitIdle), pg_advisory_xact_lock($2)",
            [String(idle.components.seconds), offset + startsAt.seconds])
    }

    /// For the rest of the transaction.
    static func allow(idle: Duration, on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query("SELECT \(limitIdle)", [String(idle.components.seconds)])
    }

    private static let limitIdle = "set_config('idle_in_transaction_session_timeout', $1 || 's', true)"
}
