import Contract
import Postgres
import Scheduling

extension PostgresSlot {
    private static let insertRooms = """
        INSERT INTO rooms (id, starts_at, opened_at, owner, term)
        SELECT id, $1, $2, owner, term
        FROM unnest($3::uuid[], $4::uuid[], $5::int4[]) AS room (id, owner, term)
        """

    private static let bumpRooms = """
        WITH changed AS (SELECT id FROM rooms WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE)
        UPDATE rooms SET revision = revision + 1 FROM changed WHERE rooms.id = changed.id
        RETURNING rooms.id, revision
        """

    /// Lets members leave rooms. An entry may be stored at the same time by the room's own server: a member
    /// who has entered is not moved for a late one, and one who is alone is not moved once a partner has
    /// come.
    private static let leaveRooms = """
        UPDATE members SET left_revision = rooms.revision, present_on = NULL
        FROM unnest($1::uuid[], $2::uuid[], $3::bool[]) AS leaving (room_id, registration_id, is_alone)
        JOIN rooms ON rooms.id = leaving.room_id
        WHERE members.room_id = leaving.room_id AND members.registration_id = leaving.registration_id
            AND members.left_revision IS NULL
            AND CASE WHEN is_alone
                THEN NOT EXISTS (
                    SELECT FROM members AS other
                    WHERE other.room_id = leaving.room_id AND other.registration_id <> leaving.registration_id
                        AND other.left_revision IS NULL AND other.present_on IS NOT NULL)
                ELSE members.entered_at IS NULL END
        """

    private static let insertMembers = """
        INSERT INTO members (room_id, registration_id, joined_revision, away_since)
        SELECT room_id, registration_id, rooms.revision, $3
        FROM unnest($1::uuid[], $2::uuid[]) AS joining (room_id, registration_id)
        JOIN rooms ON rooms.id = room_id
        """

    package func write(_ changes: MatchChanges, at now: Timestamp) async throws {
        var notices = changes.notices
        if !changes.newRooms.isEmpty {
            let choice = try await owners()
            let owners = changes.newRooms.map { choice.server(of: $0) }
            try await connection.query(
                Self.insertRooms,
                [startsAt, now, changes.newRooms, owners, owners.map { Self.firstTerm(of: $0) }])
        }
        if !changes.changedRooms.isEmpty {
            let revisions: [Identifier: Int32] = try await connection.query(
                Self.bumpRooms, [changes.changedRooms]
            ).dictionary()
            for index in notices.indices {
                if let room = notices[index].room, let revision = revisions[room] {
                    notices[index].revision = revision
                }
            }
        }
        if !changes.leaves.isEmpty {
            let left = try await connection.execute(
                Self.leaveRooms,
                [
                    changes.leaves.map(\.room), changes.leaves.map(\.registration),
                    changes.leaves.map { changes.alone.contains($0.registration) },
                ])
            if left != changes.leaves.count { throw MatchOvertaken() }
        }
        if !changes.joins.isEmpty {
            try await connection.query(
                Self.insertMembers, [changes.joins.map(\.room), changes.joins.map(\.registration), now])
        }
        announce(changes)
        if !notices.isEmpty { changed(.notifications) }
        try await NotificationWriter.write(notices, at: now, on: connection)
    }

    /// Notifies other servers to read the rooms again: single ones, or, if they are many, all of the slot.
    private func announce(_ changes: MatchChanges) {
        let rooms = changes.touchedRooms
        if rooms.isEmpty { return }
        if rooms.count > 100 {
            // The event has no origin, so this server reads the rooms too: if the answer to COMMIT is lost,
            // it has no other way to know them.
            return changed(.opened(startsAt, by: ChangeEvent.noProcess))
        }
        for room in rooms { changed(.room(room)) }
    }
}
