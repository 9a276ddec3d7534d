package import Contract
import Postgres

/// Removes a closed slot part by part, inside transactions of the caller, each of which gets the slot's lock:
/// no other transaction writes references to the rows that go. The data that `GET /v1/stats`, the attendance
/// limit and the matching need goes to `past_sums`, `past_entries` and `past_meetings` first.
///
/// All rows of one person in one slot go at once, and so do the people of one room, so that a concurrent
/// reader counts each session once. Slots are removed in their order: a streak is continued by the remaining
/// ones.
package struct SlotRemoval: Sendable {
    package struct Counts: Equatable, Sendable {
        package var registrations = 0
        /// The number of slots themselves, counted once nothing of them is left.
        package var slots = 0
    }

    package let startsAt: Timestamp
    /// The number of rooms, or of registrations that never had one, in one part.
    var size: Int64 = 500

    private static let rooms = "SELECT id FROM rooms WHERE starts_at = $1 LIMIT $2"

    /// Selects the members of the rooms, with all other registrations of the same people in the slot.
    private static let ofRooms = """
        WITH chosen AS (
            SELECT registration.id, registration.user_id
            FROM members
            JOIN registrations AS registration ON registration.id = members.registration_id
            WHERE room_id = ANY($2::uuid[])
        ) \(withOthers)
        """

    private static let withoutRooms = """
        WITH chosen AS (SELECT id, user_id FROM registrations WHERE starts_at = $1 LIMIT $2) \(withOthers)
        """

    private static let withOthers = """
        SELECT id, user_id FROM chosen
        UNION
        SELECT other.id, other.user_id
        FROM chosen
        JOIN registrations AS other ON other.user_id = chosen.user_id AND other.starts_at = $1
        """

    /// `AccountErasure` locks registrations before the rows that refer to them, too.
    private static let lock = """
        SELECT id, user_id FROM registrations WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE
        """

    // Parameters: `$1` slot, `$2` registrations, `$3` their users. Rows are written in the order of their
    // keys, so that no writers wait in a circle.

    private static let keepMeetings = """
        INSERT INTO past_meetings (one_id, other_id, last_at, times)
        SELECT DISTINCT least(own.user_id, other.user_id) AS one, greatest(own.user_id, other.user_id) AS two,
            $1::timestamptz, 1
        FROM registrations AS own
        JOIN members AS ours ON ours.registration_id = own.id AND ours.entered_at IS NOT NULL
        JOIN members AS theirs ON \(Met.together("ours", "theirs")) AND theirs.entered_at IS NOT NULL
        JOIN registrations AS other ON other.id = theirs.registration_id AND other.user_id <> own.user_id
        WHERE own.id = ANY($2::uuid[])
        ORDER BY one, two
        ON CONFLICT (one_id, other_id) DO UPDATE SET
            times = past_meetings.times + 
                CASE WHEN past_meetings.last_at < excluded.last_at THEN 1 ELSE 0 END,
            last_at = greatest(past_meetings.last_at, excluded.last_at)
        """

    private static let keepSums = """
        WITH slot AS (\(SlotOutcomes.rows(of: "$3::uuid[]", where: "registration.starts_at = $1"))),
        entry AS (\(SlotOutcomes.entries)),
        kept AS (
            INSERT INTO past_entries (user_id, seconds, times)
            SELECT user_id, round(seconds)::int8, 1 FROM entry ORDER BY user_id
            ON CONFLICT (user_id, seconds) DO UPDATE SET times = past_entries.times + 1
        ),
        visit AS (
            SELECT own.user_id, sum(ales_sent)::int8 AS sent, sum(ales_received)::int8 AS received,
                bool_or(left_revision IS NULL) AS is_seated
            FROM registrations AS own
            JOIN members ON members.registration_id = own.id
            WHERE own.id = ANY($2::uuid[]) AND own.user_id IS NOT NULL
            GROUP BY own.user_id
        ),
        said AS (
            SELECT own.user_id, words.outcome
            FROM registrations AS own
            JOIN session_words AS words ON words.registration_id = own.id
            WHERE own.id = ANY($2::uuid[]) AND own.cancelled_at IS NULL
        ),
        alone AS (SELECT DISTINCT user_id FROM left_alone WHERE registration_id = ANY($2::uuid[]))
        INSERT INTO past_sums (
            user_id, attended, missed, cancelled, current_streak, longest_streak, ales_sent, ales_received,
            entries, entry_seconds, alone_at, seated_at, done, partly, not_done)
        SELECT person.id, sign.attended, sign.missed, sign.cancelled, sign.attended, sign.attended,
            coalesce(visit.sent, 0), coalesce(visit.received, 0),
            CASE WHEN entry.user_id IS NULL THEN 0 ELSE 1 END, coalesce(entry.seconds, 0),
            CASE WHEN alone.user_id IS NOT NULL THEN $1::timestamptz END,
            CASE WHEN visit.is_seated THEN $1::timestamptz END,
            CASE WHEN said.outcome = 'done' THEN 1 ELSE 0 END,
            CASE WHEN said.outcome = 'partly' THEN 1 ELSE 0 END,
            CASE WHEN said.outcome = 'not' THEN 1 ELSE 0 END
        FROM unnest($3::uuid[]) AS person (id)
        LEFT JOIN slot ON slot.user_id = person.id
        LEFT JOIN entry ON entry.user_id = person.id
        LEFT JOIN visit ON visit.user_id = person.id
        LEFT JOIN alone ON alone.user_id = person.id
        LEFT JOIN said ON said.user_id = person.id
        CROSS JOIN LATERAL (
            SELECT CASE WHEN slot.outcome = 'attended' THEN 1 ELSE 0 END AS attended,
                CASE WHEN slot.outcome = 'missed' THEN 1 ELSE 0 END AS missed,
                CASE WHEN slot.outcome = 'cancelled' THEN 1 ELSE 0 END AS cancelled) AS sign
        WHERE slot.outcome IN \(SlotOutcomes.counted) OR visit.user_id IS NOT NULL
            OR alone.user_id IS NOT NULL
        ORDER BY person.id
        ON CONFLICT (user_id) DO UPDATE SET
            attended = past_sums.attended + excluded.attended,
            missed = past_sums.missed + excluded.missed,
            cancelled = past_sums.cancelled + excluded.cancelled,
            current_streak = CASE
                WHEN excluded.attended > 0 THEN past_sums.current_streak + 1
                WHEN excluded.missed + excluded.cancelled > 0 THEN 0
                ELSE past_sums.current_streak END,
            longest_streak = greatest(past_sums.longest_streak,
                CASE WHEN excluded.attended > 0 THEN past_sums.current_streak + 1 ELSE 0 END),
            ales_sent = past_sums.ales_sent + excluded.ales_sent,
            ales_received = past_sums.ales_received + excluded.ales_received,
            entries = past_sums.entries + excluded.entries,
            entry_seconds = past_sums.entry_seconds + excluded.entry_seconds,
            alone_at = coalesce(excluded.alone_at, past_sums.alone_at),
            seated_at = coalesce(excluded.seated_at, past_sums.seated_at),
            done = past_sums.done + excluded.done,
            partly = past_sums.partly + excluded.partly,
            not_done = past_sums.not_done + excluded.not_done
        """

    /// Removes the registrations' rows. Deliveries are dropped before, with their partitions.
    private static let remove = [
        "DELETE FROM notifications WHERE registration_id = ANY($1::uuid[])",
        "DELETE FROM left_alone WHERE registration_id = ANY($1::uuid[])",
        "DELETE FROM members WHERE registration_id = ANY($1::uuid[])",
        "DELETE FROM registrations WHERE id = ANY($1::uuid[])",
    ]

    private static let removeRooms = "DELETE FROM rooms WHERE id = ANY($1::uuid[])"
    private static let removeSlot = "DELETE FROM slots WHERE starts_at = $1"

    /// Removes the next part, or the slot if nothing else of it is left.
    func removePart(on connection: PostgresConnection) async throws -> Counts {
        try await SlotLock.take(startsAt, on: connection)
        let rooms: [Identifier] = try await connection.query(Self.rooms, [startsAt, size]).column()
        let rows =
            if rooms.isEmpty {
                try await connection.query(Self.withoutRooms, [startsAt, size])
            } else {
                try await connection.query(Self.ofRooms, [startsAt, rooms])
            }
        if rooms.isEmpty, rows.isEmpty {
            return Counts(slots: try await connection.execute(Self.removeSlot, [startsAt]))
        }
        let found: [Identifier] = try rows.column()
        var (registrations, users): ([Identifier], Set<Identifier>) = ([], [])
        for row in try await connection.query(Self.lock, [found]) {
            registrations.append(try row.decode(0, Identifier.self))
            if let user = try row.decode(1, Identifier?.self) { users.insert(user) }
        }
        try await connection.query(Self.keepMeetings, [startsAt, registrations])
        try await connection.query(Self.keepSums, [startsAt, registrations, users.sorted()])
        for statement in Self.remove { try await connection.query(statement, [registrations]) }
        if !rooms.isEmpty { try await connection.query(Self.removeRooms, [rooms]) }
        return Counts(registrations: registrations.count)
    }
}
