package import Contract
package import Postgres

/// Reads slots and rooms for operators, without private words.
package enum DeskSlots {
    static let people = """
        (SELECT coalesce((SELECT people FROM slot_counts WHERE slot_counts.starts_at = slot.starts_at), 0)
            + coalesce((
                SELECT sum(change) FROM slot_count_changes
                    WHERE slot_count_changes.starts_at = slot.starts_at), 0))::int8
        """

    /// The opening of a slot is `$1` seconds before its start.
    private static let line = """
        jsonb_build_object(
            'key', \(DeskRows.key("slot.starts_at")), 'startsAt', \(DeskRows.start("slot.starts_at")),
            'endsAt', \(DeskRows.start("slot.ends_at")), 'minutes', \(DeskRows.minutes("slot.starts_at")),
            'state', CASE WHEN slot.closed_at IS NOT NULL THEN 'closed'
                WHEN slot.opened_at IS NOT NULL THEN 'open' ELSE 'waiting' END,
            'openedAt', \(DeskRows.time("slot.opened_at")), 'closedAt', \(DeskRows.time("slot.closed_at")),
            'servedAt', \(DeskRows.time("slot.served_at")), 'people', \(people),
            'rooms', (SELECT count(*) FROM rooms WHERE rooms.starts_at = slot.starts_at),
            'method', slot.match_method, 'cost', slot.match_cost, 'bound', slot.match_bound,
            'latenessSeconds', CASE WHEN slot.opened_at IS NOT NULL THEN greatest(0, extract(epoch FROM
                slot.opened_at - (date_trunc('second', slot.starts_at) - make_interval(secs => $1)))) END,
            'aloneAtOpening', (SELECT count(*) FROM left_alone WHERE left_alone.starts_at = slot.starts_at),
            'registrationClosedAt', \(DeskRows.time("slot.registration_closed_at")))
        """

    /// Selects a page of slots, the latest first. Parameters: `$1` as for `line`, `$2` key below which it
    /// begins, `$3` first key, `$4` number of rows.
    package static let list = """
        SELECT \(line)::text, (extract(epoch FROM slot.starts_at) * 1000000)::int8::text
        FROM slots AS slot
        WHERE ($2::timestamptz IS NULL OR slot.starts_at < $2)
            AND ($3::timestamptz IS NULL OR slot.starts_at >= $3)
        ORDER BY slot.starts_at DESC LIMIT $4
        """

    private static let roomLine = """
        jsonb_build_object(
            'id', room.id, 'slot', \(DeskRows.key("room.starts_at")), 'startsAt',
                \(DeskRows.start("room.starts_at")),
            'openedAt', \(DeskRows.time("room.opened_at")), 'ales', room.ales, 'term', room.term,
            'closedByOperatorAt', \(DeskRows.time("room.closed_early_at")),
            'owner', coalesce(server.server_name, left(room.owner::text, 8)),
            'members', (SELECT count(*) FROM members WHERE room_id = room.id AND left_revision IS NULL),
            'present', (SELECT count(*) FROM members WHERE room_id = room.id AND present_on IS NOT NULL))
        """

    /// Returns the source of the rooms of a slot, by the index of slots: in the order of the ids all rooms of
    /// other slots would be read too.
    private static func rooms(of key: String) -> String {
        """
        (SELECT * FROM rooms WHERE rooms.starts_at = \(key) OFFSET 0) AS room
        LEFT JOIN servers AS server ON server.name = room.owner::text
        """
    }

    /// Selects the slot with key `$2`, its first rooms, and the people who are alone. `$1` is as for `line`.
    package static let one = """
        SELECT (\(line) || jsonb_build_object(
            'rooms', coalesce((SELECT jsonb_agg(found.line) FROM (
                SELECT \(roomLine) AS line FROM \(rooms(of: "slot.starts_at"))
                ORDER BY room.id LIMIT 100) AS found), '[]'),
            'roomCount', (SELECT count(*) FROM rooms WHERE rooms.starts_at = slot.starts_at),
            'alone', coalesce((SELECT jsonb_agg(found.id) FROM (
                SELECT own.id FROM rooms AS room
                CROSS JOIN LATERAL (
                    SELECT (array_agg(registration_id))[1] AS id FROM members
                    WHERE room_id = room.id AND left_revision IS NULL
                    HAVING count(*) = 1 OFFSET 0) AS own
                WHERE room.starts_at = slot.starts_at
                LIMIT 100) AS found), '[]')))::text
        FROM slots AS slot WHERE slot.starts_at = $2
        """

    /// The state of a slot under lock.
    package struct Locked: Sendable {
        package let isOpen: Bool
        package let isClosed: Bool
        package let registrationClosedAt: Timestamp?
    }

    private static let lock = """
        SELECT opened_at IS NOT NULL, closed_at IS NOT NULL, registration_closed_at
        FROM slots WHERE starts_at = $1 FOR NO KEY UPDATE
        """

    package static func lock(
        _ key: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Locked? {
        try await connection.query(lock, [key]).first?
            .read(Locked.init(isOpen:isClosed:registrationClosedAt:))
    }

    private static let setRegistration = "UPDATE slots SET registration_closed_at = $2 WHERE starts_at = $1"

    /// Closes the registration for a slot, or opens it again with nil.
    package static func setRegistration(
        of key: Timestamp, closedAt: Timestamp?, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(setRegistration, [key, closedAt])
    }

    // Rooms.

    /// Selects a page of the rooms of a slot. Parameters: `$1` key, `$2` last id, `$3` number of rows.
    package static let roomsOfSlot = """
        SELECT \(roomLine)::text, \(DeskRows.cursor("room.starts_at", "room.id"))
        FROM \(rooms(of: "$1"))
        WHERE $2::uuid IS NULL OR room.id > $2
        ORDER BY room.id LIMIT $3
        """

    /// Selects a page of the rooms of all slots that are open. Parameters: `$1` and `$2` cursor, `$3` number
    /// of rows.
    package static let openRooms = """
        SELECT \(roomLine)::text, \(DeskRows.cursor("room.starts_at", "room.id"))
        FROM (
            SELECT found.* FROM slots AS slot
            CROSS JOIN LATERAL (
                SELECT own.* FROM (SELECT * FROM rooms WHERE rooms.starts_at = slot.starts_at OFFSET 0) AS own
                WHERE own.closed_early_at IS NULL
                    AND ($1::timestamptz IS NULL OR (own.starts_at, own.id) > ($1, $2::uuid))
                ORDER BY own.id LIMIT $3) AS found
            WHERE slot.closed_at IS NULL AND slot.opened_at IS NOT NULL
                AND ($1::timestamptz IS NULL OR slot.starts_at >= $1)
            ORDER BY slot.starts_at, found.id LIMIT $3) AS room
        LEFT JOIN servers AS server ON server.name = room.owner::text
        ORDER BY room.starts_at, room.id LIMIT $3
        """

    /// Selects room `$1` with its members and what happened in it.
    package static let room = """
        SELECT (\(roomLine) || jsonb_build_object(
            'revision', room.revision,
            'closedAt', \(DeskRows.time("coalesce(room.closed_early_at, slot.closed_at)")),
            'memberCount', (SELECT count(*) FROM members WHERE room_id = room.id AND left_revision IS NULL),
            'members', coalesce((
                SELECT jsonb_agg(jsonb_build_object(
                    'registrationId', registration.id, 'personId', person.id, 'name', person.name,
                    'joinedRevision', member.joined_revision, 'leftRevision', member.left_revision,
                    'enteredAt', \(DeskRows.time("member.entered_at")),
                    'awaySince', \(DeskRows.time("member.away_since")),
                    'isPresent', member.present_on IS NOT NULL, 'alesSent', member.ales_sent,
                    'alesReceived', member.ales_received, 'hasTask', person.id IS NOT NULL)
                    ORDER BY member.joined_revision, registration.id)
                FROM members AS member JOIN registrations AS registration
                    ON registration.id = member.registration_id
                LEFT JOIN accounts AS person ON person.id = registration.user_id
                WHERE member.room_id = room.id), '[]'),
            'timeline', coalesce((
                SELECT jsonb_agg(jsonb_build_object(
                    'at', \(DeskRows.time("event.at")), 'what', event.what, 'revision', event.revision,
                    'registrationId', event.registration_id, 'name', person.name)
                    ORDER BY event.at NULLS LAST, event.revision)
                FROM (
                    SELECT room.opened_at AS at, 'opened' AS what, 1 AS revision,
                        NULL::uuid AS registration_id
                    UNION ALL
                    SELECT entered_at, 'entered', joined_revision, registration_id FROM members
                    WHERE room_id = room.id AND entered_at IS NOT NULL
                    UNION ALL
                    SELECT away_since, 'away', joined_revision, registration_id FROM members
                    WHERE room_id = room.id AND away_since IS NOT NULL AND left_revision IS NULL
                    UNION ALL
                    SELECT NULL, 'joined', joined_revision, registration_id FROM members
                    WHERE room_id = room.id AND joined_revision > 1
                    UNION ALL
                    SELECT NULL, 'left', left_revision, registration_id FROM members
                    WHERE room_id = room.id AND left_revision IS NOT NULL
                    UNION ALL
                    SELECT coalesce(room.closed_early_at, slot.closed_at), 'closed', room.revision, NULL
                    WHERE room.closed_early_at IS NOT NULL OR slot.closed_at IS NOT NULL
                ) AS event
                LEFT JOIN registrations AS registration ON registration.id = event.registration_id
                LEFT JOIN accounts AS person ON person.id = registration.user_id), '[]')))::text
        FROM rooms AS room JOIN slots AS slot ON slot.starts_at = room.starts_at
        LEFT JOIN servers AS server ON server.name = room.owner::text
        WHERE room.id = $1
        """

    /// Whether anybody has registered for the slot.
    package static func exists(
        _ key: Timestamp, in pool: PostgresPool
    ) async throws(PostgresError) -> Bool {
        try await !pool.query("SELECT FROM slots WHERE starts_at = $1", [key], retrying: true).isEmpty
    }

    private static let words = """
        SELECT json_build_object('members', coalesce(json_agg(json_build_object(
            'registrationId', registration.id,
            'task', CASE WHEN person.id IS NOT NULL THEN registration.task END,
            'tag', CASE WHEN person.id IS NOT NULL THEN registration.tag END,
            'checkIn', said.check_in, 'outcome', said.outcome, 'note', said.note) ORDER BY registration.id),
                '[]'))::text
        FROM (SELECT DISTINCT registration_id FROM members WHERE room_id = $1) AS member
        JOIN registrations AS registration ON registration.id = member.registration_id
        LEFT JOIN accounts AS person ON person.id = registration.user_id
        LEFT JOIN session_words AS said
            ON said.registration_id = registration.id AND said.user_id = person.id
        HAVING count(*) > 0
        """

    /// Returns what the members of a room say they do; nil where there is no such room. The caller writes an
    /// entry of the audit log with it.
    package static func reveal(
        _ room: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) -> String? {
        try await connection.query(words, [room]).first?.decode(0, String.self)
    }
}
