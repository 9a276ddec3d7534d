import Contract
import Postgres

/// Ends a slot: its rooms are over, and everybody is told how it went.
struct SlotCloser: Sendable {
    let application: Application

    private static let readSlot = "SELECT ends_at FROM slots WHERE starts_at = $1 AND closed_at IS NULL"

    /// Whoever was never matched, or sat in a slot during which no server was up, lapsed: nobody's fault.
    private static let notify = """
        INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
        SELECT registrations.user_id, outcome.type, $2, registrations.id,
            CASE WHEN outcome.type = 'session.completed' THEN rooms.id END,
            CASE WHEN outcome.type = 'session.completed' THEN rooms.revision END
        FROM registrations
        JOIN slots USING (starts_at)
        LEFT JOIN members ON members.registration_id = registrations.id AND members.left_revision IS NULL
        LEFT JOIN rooms ON rooms.id = members.room_id
        CROSS JOIN LATERAL (
            SELECT CASE
                WHEN rooms.id IS NOT NULL AND EXISTS (
                    SELECT FROM members AS visit
                    WHERE visit.registration_id = registrations.id AND visit.entered_at IS NOT NULL)
                THEN 'session.completed'
                WHEN rooms.id IS NULL OR slots.served_at IS NULL THEN 'session.lapsed'
                ELSE 'session.missed'
            END) AS outcome (type)
        WHERE registrations.starts_at = $1 AND registrations.cancelled_at IS NULL
            AND registrations.user_id IS NOT NULL
        ORDER BY registrations.id
        ON CONFLICT DO NOTHING
        """

    private static let markClosed = "UPDATE slots SET closed_at = $2 WHERE starts_at = $1"

    /// False where there was nothing to close, or it is too early.
    func close(_ startsAt: Timestamp, on pool: PostgresPool) async throws -> Bool {
        try await pool.transaction(attempts: 3) { connection in
            try await SlotLock.take(startsAt, on: connection)
            let now = application.now()
            guard let slot = try await connection.query(Self.readSlot, [startsAt]).first,
                try slot.decode(0, Timestamp.self) <= now
            else { return false }
            try await connection.query(Self.markClosed, [startsAt, now])
            try await NotificationWriter.lock(on: connection)
            try await connection.query(Self.notify, [startsAt, now])
            try await Hint.notifications.send(on: connection)
            return true
        }
    }
}
