package import Contract
package import Postgres

/// A room of a user, as the database has it.
package struct StoredRoom: Sendable {
    package let id: Identifier
    /// The key of the slot.
    package let key: Timestamp
    package let slot: SlotSpan
    package let ales: Int64
    package let isClosed: Bool
    /// The server that has the room.
    package let owner: Identifier?
    /// When an operator has closed the room; nil if none has.
    package let closedAt: Timestamp?
    package var members: [Member]
}

/// Reads the rooms of a user.
package enum RoomReader {
    private static let own = """
        SELECT room.id, room.starts_at, slot.ends_at, room.ales,
            slot.closed_at IS NOT NULL OR room.closed_early_at IS NOT NULL, room.owner,
            room.closed_early_at
        FROM registrations AS registration
        JOIN members AS member ON member.registration_id = registration.id AND member.left_revision IS NULL
        JOIN rooms AS room ON room.id = member.room_id
        JOIN slots AS slot ON slot.starts_at = room.starts_at
        WHERE registration.user_id = $1 AND registration.cancelled_at IS NULL
        """

    private static let page = """
        \(own) AND ($2::timestamptz IS NULL OR (room.starts_at, room.id) < ($2, $3::uuid))
        ORDER BY room.starts_at DESC, room.id DESC
        LIMIT $4
        """

    private static let one = "\(own) AND room.id = $2"

    private static let members = """
        SELECT member.room_id, registration.id, coalesce(person.name, 'former user'),
            CASE WHEN person.id IS NOT NULL THEN registration.task END,
            CASE WHEN person.id IS NOT NULL THEN registration.tag END,
            coalesce(registration.user_id = $2, false), member.present_on IS NOT NULL,
            \(SessionWords.columns), intent.quiet
        FROM members AS member
        JOIN registrations AS registration ON registration.id = member.registration_id
        LEFT JOIN accounts AS person ON person.id = registration.user_id
        LEFT JOIN session_words AS words ON words.registration_id = registration.id
            AND words.user_id = person.id
        LEFT JOIN intents AS intent ON intent.registration_id = registration.id AND intent.quiet
            AND person.id IS NOT NULL
        WHERE member.room_id = ANY($1) AND member.left_revision IS NULL
        ORDER BY member.room_id, member.joined_revision, registration.id
        """

    /// Reads the rooms of the user, the latest slot first.
    package static func page(
        of user: Identifier, before: (startsAt: Timestamp, id: Identifier)?, limit: Int,
        from pool: PostgresPool
    ) async throws(PostgresError) -> [StoredRoom] {
        try await rooms(
            try await pool.query(page, [user, before?.startsAt, before?.id, Int64(limit)], retrying: true),
            of: user, from: pool)
    }

    /// Returns nil where there is no such room, and where the user is not in it.
    package static func find(
        _ id: Identifier, of user: Identifier, from pool: PostgresPool
    ) async throws(PostgresError) -> StoredRoom? {
        try await rooms(try await pool.query(one, [user, id], retrying: true), of: user, from: pool).first
    }

    private static func rooms(
        _ rows: PostgresRows, of user: Identifier, from pool: PostgresPool
    ) async throws(PostgresError) -> [StoredRoom] {
        if rows.isEmpty { return [] }
        var rooms = try rows.map { row throws(PostgresError) in
            StoredRoom(
                id: try row.decode(0), key: try row.decode(1),
                slot: SlotSpan(key: try row.decode(1), endsAt: try row.decode(2)), ales: try row.decode(3),
                isClosed: try row.decode(4), owner: try row.decode(5), closedAt: try row.decode(6),
                members: [])
        }
        var among: [Identifier: [Member]] = [:]
        for row in try await pool.query(members, [rooms.map(\.id), user], retrying: true) {
            among[try row.decode(0), default: []].append(
                Member(
                    id: try row.decode(1), name: try row.decode(2), task: try row.decode(3),
                    tag: try row.decode(4), you: try row.decode(5), present: try row.decode(6),
                    words: SessionWords(
                        checkIn: try row.decode(7), outcome: try row.decode(8), note: try row.decode(9)),
                    quiet: try row.decode(10)))
        }
        for index in rooms.indices { rooms[index].members = among[rooms[index].id] ?? [] }
        return rooms
    }
}
