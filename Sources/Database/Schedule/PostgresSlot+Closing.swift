import Contract
import Postgres
import Scheduling

extension PostgresSlot {
    /// Selects the next people without a notification of the slot's outcome. A registration that was never
    /// matched, or whose slot ran while no server was up, has lapsed and counts for no absence.
    private static let readOutcomes = """
        SELECT registrations.user_id, registrations.id, outcome.type,
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
            AND registrations.id > $2
            AND NOT EXISTS (
                SELECT FROM notifications AS told
                WHERE told.registration_id = registrations.id
                    AND told.type IN ('session.missed', 'session.lapsed', 'session.completed'))
        ORDER BY registrations.id
        LIMIT $3
        """

    /// Waits for users who are registering for the slot, since they hold its row by their foreign key; later
    /// ones read that it closes.
    private static let keepOut = "SELECT FROM slots WHERE starts_at = $1 FOR UPDATE"

    private static let beginClosing = """
        UPDATE slots SET closing_at = $2 WHERE starts_at = $1 AND closing_at IS NULL
        """

    private static let markClosed = "UPDATE slots SET closed_at = $2 WHERE starts_at = $1"

    /// Deletes notes of lost rooms that will not be read: their owner is gone for good.
    private static let forgetLost = """
        DELETE FROM lost_rooms USING rooms WHERE rooms.id = room_id AND rooms.starts_at = $1
        """

    package func close(after last: Identifier, at now: Timestamp) async throws -> Identifier? {
        try await connection.query(Self.keepOut, [startsAt])
        try await connection.query(Self.beginClosing, [startsAt, now])
        var notices: [Notice] = []
        for row in try await connection.query(Self.readOutcomes, [startsAt, last, endsAtOnce]) {
            let (user, registration, type) = try row.decode(Identifier.self, Identifier.self, String.self)
            notices.append(
                Notice(
                    user: user, type: NotificationType(rawValue: type) ?? .sessionLapsed,
                    registration: registration, room: try row.decode(3, Identifier?.self),
                    revision: try row.decode(4, Int32?.self)))
        }
        let isOver = notices.count < endsAtOnce
        if isOver {
            try await connection.query(Self.markClosed, [startsAt, now])
            try await connection.query(Self.forgetLost, [startsAt])
        }
        try await NotificationWriter.write(notices, at: now, on: connection)
        changed(.notifications)
        return isOver ? nil : notices.last?.registration
    }
}
