package import Contract
package import Postgres

/// The lock of a slot, which a transaction that changes rooms or members holds to its end.
package enum SlotLock {
    /// The offset of its keys from those of the other advisory locks of the schema, which are small.
    private static let offset: Int64 = 1 << 48

    /// The time after which an idle transaction loses the lock: a stalled transaction blocks no other.
    package static let idle = Duration.seconds(5)

    package static func take(_ startsAt: Timestamp, on connection: PostgresConnection)
        async throws(PostgresError)
    {
        try await connection.query(
            "SELECT \(limitIdle), pg_advisory_xact_lock($2)",
            [String(idle.components.seconds), number(of: SlotKey(startsAt))])
    }

    /// Returns the number of the lock. Slots of several lengths that start together have different locks.
    private static func number(of key: SlotKey) -> Int64 {
        offset + Int64(key.minutes ?? 0) << 40 + key.instant.seconds
    }

    /// Sets the idle timeout for the rest of the transaction.
    static func allow(idle: Duration, on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query("SELECT \(limitIdle)", [String(idle.components.seconds)])
    }

    private static let limitIdle = "set_config('idle_in_transaction_session_timeout', $1 || 's', true)"
}
