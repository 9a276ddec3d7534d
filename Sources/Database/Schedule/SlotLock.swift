package import Contract
package import Postgres

/// The lock of a slot, which a transaction that changes rooms or members holds to its end.
package enum SlotLock {
    /// The offset of its keys from those of the other advisory locks of the schema, which are small.
    private static let offset: Int64 = 1 << 48

    package static func take(_ startsAt: Timestamp, on connection: PostgresConnection)
        async throws(PostgresError)
    {
        try await connection.query(
            "SELECT \(limitIdle), pg_advisory_xact_lock($2)",
            [usualIdle(on: connection), number(of: SlotKey(startsAt))])
    }

    /// Returns the number of the lock. Slots of several lengths that start together have different locks.
    private static func number(of key: SlotKey) -> Int64 {
        offset + Int64(key.minutes ?? 0) << 40 + key.instant.seconds
    }

    /// Sets the time after which the transaction loses the lock if it is idle; nil stands for the usual one.
    static func allow(idle: Duration?, on connection: PostgresConnection) async throws(PostgresError) {
        let time = idle.map { String($0.components.seconds) } ?? usualIdle(on: connection)
        try await connection.query("SELECT \(limitIdle)", [time])
    }

    /// A stalled transaction keeps the lock for as long as others of its pool wait for one, at least for 5 s.
    private static func usualIdle(on connection: PostgresConnection) -> String {
        String(max(5, connection.configuration.lockTimeout.components.seconds))
    }

    private static let limitIdle = "set_config('idle_in_transaction_session_timeout', $1 || 's', true)"
}
