import Contract
import Postgres

extension PostgresSlot {
    private static let insertRooms = """
        INSERT INTO rooms (id, starts_at, opened_at) SELECT id, $1, $2 FROM unnest($3::uuid[]) AS room (id)
        """

    private static let bumpRooms = """
        UPDATE rooms SET revision = revision + 1 WHERE id = ANY($1::uuid[]) RETURNING id, revision
        """

    /// An entry may be stored at the same time by the room's own server: who has entered is not moved.
    private static let leaveRooms = """
        UPDATE members SET left_revision = rooms.revision
        FROM unnest($1::uuid[], $2::uuid[]) AS leaving (room_id, registration_id)
        JOIN rooms ON rooms.id = leaving.room_id
        WHERE members.room_id = leaving.room_id AND members.registration_id = leaving.registration_id
            AND members.left_revision IS NULL AND members.entered_at IS NULL
        """

    private static let insertMembers = """
        INSERT INTO members (room_id, registration_id, joined_revision)
        SELECT room_id, registration_id, rooms.revision
        FROM unnest($1::uuid[], $2::uuid[]) AS joining (room_id, registration_id)
        JOIN rooms ON rooms.id = room_id
        """

    private static let markOpened = """
        UPDATE slots SET opened_at = coalesce(opened_at, $2),
            served_at = coalesce(served_at, CASE WHEN $2 >= starts_at THEN $2 END)
        WHERE starts_at = $1
        """

    func write(_ changes: MatchChanges, at now: Timestamp) async throws {
        var notices = changes.notices
        if !changes.newRooms.isEmpty {
            try await connection.query(Self.insertRooms, [startsAt, now, changes.newRooms])
        }
        if !changes.changedRooms.isEmpty {
            let revisions = try await bump(changes.changedRooms)
            for index in notices.indices {
                if let room = notices[index].room, let revision = revisions[room] {
                    notices[index].revision = revision
                }
            }
        }
        if !changes.leaves.isEmpty {
            let left = try await connection.execute(
                Self.leaveRooms, [changes.leaves.map(\.room), changes.leaves.map(\.registration)])
            if left != changes.leaves.count { throw MatchOvertaken() }
        }
        if !changes.joins.isEmpty {
            try await connection.query(
                Self.insertMembers, [changes.joins.map(\.room), changes.joins.map(\.registration)])
        }
        try await connection.query(Self.markOpened, [startsAt, now])
        try await announce(changes)
        try await NotificationWriter.write(notices, at: now, on: connection)
    }

    private func bump(_ rooms: [UUID]) async throws -> [UUID: Int32] {
        var revisions: [UUID: Int32] = [:]
        for row in try await connection.query(Self.bumpRooms, [rooms]) {
            let (room, revision) = try row.decode(UUID.self, Int32.self)
            revisions[room] = revision
        }
        return revisions
    }

    /// Other servers read the rooms of a whole slot at its opening, and single ones afterwards.
    private func announce(_ changes: MatchChanges) async throws {
        let rooms = changes.touchedRooms
        if rooms.isEmpty { return }
        if changes.isFirst || rooms.count > 100 {
            return try await Hint.opened(startsAt, by: Hint.origin).send(on: connection)
        }
        for room in rooms { try await Hint.room(room).send(on: connection) }
    }
}
