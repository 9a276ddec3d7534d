import Contract
import Postgres

extension PostgresSlot {
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
            AND registrations.id > $3 AND registrations.id <= $4
            AND NOT EXISTS (
                SELECT FROM notifications AS told
                WHERE told.registration_id = registrations.id
                    AND told.type IN ('session.missed', 'session.lapsed', 'session.completed'))
        ORDER BY registrations.id
        ON CONFLICT DO NOTHING
        """

    /// The last of the next so many; none where they are fewer.
    private static let readPart = """
        SELECT id FROM registrations
        WHERE starts_at = $1 AND cancelled_at IS NULL AND id > $2
        ORDER BY id
        OFFSET $3 - 1 LIMIT 1
        """

    /// Waits for whoever is registering for the slot, since they hold its row by their foreign key; who comes then reads
    /// that it is closed.
    private static let keepOut = "SELECT FROM slots WHERE starts_at = $1 FOR UPDATE"

    private static let markClosed = "UPDATE slots SET closed_at = $2 WHERE starts_at = $1"

    func close(at now: Timestamp) async throws {
        try await connection.query(Self.keepOut, [startsAt])
        try await connection.query(Self.markClosed, [startsAt, now])
        try await tellEnd(after: UUID(value: 0), upTo: UUID(value: .max), at: now)
    }

    /// Tells the next of those who are registered, where there are `count` of them after that one; answers the last.
    /// Nil: there are fewer, or the slot is not over.
    func tellEnd(after last: UUID, count: Int64, at now: Timestamp) async throws -> UUID? {
        guard let slot = try await slot(), !slot.isClosed, slot.endsAt <= now,
            let row = try await connection.query(Self.readPart, [startsAt, last, count]).first
        else { return nil }
        let end = try row.decode(0, UUID.self)
        try await tellEnd(after: last, upTo: end, at: now)
        return end
    }

    private func tellEnd(after first: UUID, upTo last: UUID, at now: Timestamp) async throws {
        try await NotificationWriter.lock(on: connection)
        try await connection.query(Self.notify, [startsAt, now, first, last])
        try await Hint.notifications.send(on: connection)
    }
}
