package import Contract
import Outbox
package import Postgres
package import Scheduling

/// Takes members out of their rooms, and returns the notifications for the others.
///
/// The caller holds the locks of the slots, and tells of the rooms and the slots after the commit: members
/// who have no partner left are matched again.
package enum RoomDeparture {
    package struct Outcome: Sendable {
        package var rooms: [Identifier] = []
        /// The keys of the slots of these rooms.
        package var slots: Set<Timestamp> = []
        package var notices: [Notice] = []

        package init() {}

        package var changeEvents: [ChangeEvent] {
            rooms.map { .room($0) } + slots.map { .left($0) }
        }
    }

    private static let rooms = """
        SELECT DISTINCT room_id, starts_at
        FROM members JOIN rooms ON rooms.id = room_id
        WHERE registration_id = ANY($1::uuid[]) AND left_revision IS NULL
        """

    private static let bump = """
        WITH changed AS (SELECT id FROM rooms WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE)
        UPDATE rooms SET revision = revision + 1 FROM changed WHERE rooms.id = changed.id
        """

    private static let leave = """
        UPDATE members SET left_revision = rooms.revision, present_on = NULL
        FROM rooms
        WHERE rooms.id = room_id AND registration_id = ANY($1::uuid[]) AND left_revision IS NULL
        """

    private static let remaining = """
        SELECT user_id, registrations.id, room_id, revision
        FROM members
        JOIN rooms ON rooms.id = room_id
        JOIN registrations ON registrations.id = registration_id
        WHERE room_id = ANY($1::uuid[]) AND left_revision IS NULL AND user_id IS NOT NULL
        """

    package static func leave(
        _ registrations: [Identifier], on connection: PostgresConnection
    ) async throws -> Outcome {
        var outcome = Outcome()
        for row in try await connection.query(rooms, [registrations]) {
            let (room, slot) = try row.decode(Identifier.self, Timestamp.self)
            outcome.rooms.append(room)
            outcome.slots.insert(slot)
        }
        if outcome.rooms.isEmpty { return outcome }
        try await connection.query(bump, [outcome.rooms])
        try await connection.query(leave, [registrations])
        outcome.notices = try await connection.query(remaining, [outcome.rooms]).map { row in
            Notice(
                user: try row.decode(0), type: .roomChanged, registration: try row.decode(1),
                room: try row.decode(2), revision: try row.decode(3))
        }
        return outcome
    }
}
