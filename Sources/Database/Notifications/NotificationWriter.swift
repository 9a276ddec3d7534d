package import Contract
package import Postgres
package import Scheduling

/// Writes notifications, in the transaction that makes them true.
package enum NotificationWriter {
    private static let key: Int64 = 0x6C65_7474

    private static let insert = """
        INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
        SELECT user_id, type, $1, registration_id, room_id, revision
        FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::int4[])
            AS notice (user_id, type, registration_id, room_id, revision)
        ON CONFLICT DO NOTHING
        """

    /// Writes notifications, as the last statement of a transaction: ids are drawn under a lock that is held
    /// until the commit, so that they become visible in their order, and a reader who has gone past one has
    /// missed none.
    package static func write(
        _ notices: [Notice], at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) {
        if notices.isEmpty { return }
        try await lock(on: connection)
        try await connection.query(
            insert,
            [
                now, notices.map(\.user), notices.map(\.type.rawValue), notices.map(\.registration),
                notices.map(\.room), notices.map(\.revision),
            ])
    }

    static let newest = "SELECT coalesce(max(id), 0) FROM notifications"

    /// Returns the newest id of all users' notifications; 0 if there is none. Waits for the writers that have
    /// drawn ids, so that no id above it was drawn.
    package static func newest(in pool: PostgresPool) async throws -> Int64 {
        try await pool.transaction(attempts: 3) { connection in
            try await connection.query("SELECT pg_advisory_xact_lock_shared($1)", [key])
            return try await connection.query(newest).first?.decode(0, Int64.self) ?? 0
        }
    }

    /// Takes the lock before ids are drawn, for a transaction that writes its notifications by a statement of
    /// its own.
    static func lock(on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query("SELECT pg_advisory_xact_lock($1)", [key])
    }
}
