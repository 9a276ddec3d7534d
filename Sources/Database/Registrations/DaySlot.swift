package import Contract
package import Postgres

/// A slot of a local day, as one user sees it.
package struct DaySlot: Sendable {
    /// The key of the slot.
    package let key: Timestamp
    /// The start on the clock of the user's time zone. It has seconds only where the grid or the zone has
    /// some.
    package let localTime: String
    /// The offset of the local time from UTC, such as `+05:30`.
    package let utcOffset: String
    /// The number of registrations for the slot, the user's own included.
    package let people: Int
    /// The user's own registration; nil where there is none.
    package let registration: Identifier?
    /// The room that the user is in; nil where there is none.
    package let room: Identifier?
    /// Whether an operator has closed that room.
    package let isClosedByOperator: Bool
    /// The state of the user's own registration.
    package let state: RegistrationState?
    /// The user's own task; nil where there is no registration.
    package let task: String?
    /// The other members of the room that the user is in; nil where there is none.
    package let partners: [Partner]?
    /// Whether the user has left the slot, since it opened, as often as one may without an invite.
    package let isLeft: Bool

    /// The query counts nothing: counting a million registrations would take a quarter of a second.
    ///
    /// In every zone a local day lies between the day before and the day after it in UTC. Midnight may be
    /// missing or come twice, so the query asks each start for its own local day. `$6` is what a key has
    /// in addition to the start, in microseconds; `$7` is the lead of the opening, in seconds.
    private static let ofDay = """
        WITH day AS (
            SELECT starts_at + $6::float8 * interval '1 microsecond' AS starts_at,
                starts_at AT TIME ZONE $3::text AS local
            FROM generate_series(
                ($2::text::date - 1)::timestamp AT TIME ZONE 'UTC',
                ($2::text::date + 2)::timestamp AT TIME ZONE 'UTC',
                make_interval(secs => $4::float8)) AS starts_at
            WHERE (starts_at AT TIME ZONE $3::text)::date = $2::text::date
        ), bounds AS (
            SELECT min(starts_at) AS first, max(starts_at) AS last FROM day
        ), people AS (
            SELECT starts_at, sum(number)::int8 AS number
            FROM (
                SELECT starts_at, people AS number
                FROM bounds JOIN slot_counts ON starts_at BETWEEN bounds.first AND bounds.last
                UNION ALL
                SELECT starts_at, change
                FROM bounds JOIN slot_count_changes ON starts_at BETWEEN bounds.first AND bounds.last
            ) AS part
            GROUP BY starts_at
        ), own AS (
            SELECT registration.starts_at, registration.id, member.room_id, registration.task,
                room.closed_early_at IS NOT NULL AS is_closed,
                \(RegistrationRow.state(
                    isOver: "(slot.closed_at IS NOT NULL OR slot.ends_at <= $5)")) AS state
            FROM bounds
            JOIN (\(RegistrationRow.tables))
                ON registration.starts_at BETWEEN bounds.first AND bounds.last
                AND registration.user_id = $1 AND registration.cancelled_at IS NULL
            LEFT JOIN rooms AS room ON room.id = member.room_id
        ), gone AS (
            SELECT registrations.starts_at, count(*) AS times
            FROM bounds
            JOIN registrations ON registrations.starts_at BETWEEN bounds.first AND bounds.last
                AND user_id = $1
                AND cancelled_at >= date_trunc('second', registrations.starts_at)
                    - make_interval(secs => $7::float8)
            GROUP BY registrations.starts_at
        )
        SELECT day.starts_at, to_char(day.local, 'YYYY-MM-DD"T"HH24:MI:SS'), coalesce(people.number, 0),
            own.id, own.room_id, own.state, own.task, partner.ids, partner.names, partner.tasks, partner.tags,
            partner.quiets, coalesce(gone.times, 0), coalesce(own.is_closed, false),
            extract(epoch FROM day.local - day.starts_at AT TIME ZONE 'UTC')::int8
        FROM day
        LEFT JOIN people USING (starts_at)
        LEFT JOIN own USING (starts_at)
        LEFT JOIN gone USING (starts_at)
        LEFT JOIN LATERAL (\(partners)) AS partner ON own.room_id IS NOT NULL
        ORDER BY day.starts_at
        """

    private static let partners = PartnerColumns.select(
        where: "member.room_id = own.room_id AND member.left_revision IS NULL AND other.id <> own.id")

    /// Reads the slots of a local day in the order of their starts, one each `step` seconds, as long as
    /// `SLOT_SECONDS` or of so many minutes.
    package static func read(
        on date: LocalDate, in zone: KnownZone, of user: Identifier, step: Int64, minutes: Int? = nil,
        lead: Duration, at now: Timestamp, from pool: PostgresPool
    ) async throws(PostgresError) -> [DaySlot] {
        let rows = try await pool.query(
            ofDay,
            [
                user, date.description, zone.name, Double(step), now, Double(minutes ?? 0),
                Double(lead.components.seconds),
            ], retrying: true)
        return try rows.map { row throws(PostgresError) in try DaySlot(row) }
    }

    private init(_ row: PostgresRow) throws(PostgresError) {
        key = try row.decode(0)
        let time = try row.decode(1, String.self)
        localTime = time.hasSuffix(":00") ? String(time.dropLast(3)) : time
        people = try row.decode(2)
        registration = try row.decode(3)
        room = try row.decode(4)
        state = try row.decode(5, String?.self).flatMap { RegistrationState(rawValue: $0) }
        task = try row.decode(6)
        partners = room == nil ? nil : try PartnerColumns.read(row, at: 7)
        isLeft = try row.decode(12, Int64.self) >= Returns.cancellations
        isClosedByOperator = try row.decode(13)
        utcOffset = Self.text(offset: try row.decode(14, Int64.self))
    }

    /// Returns an offset as ISO 8601 writes it. It has seconds only where the zone has some.
    private static func text(offset: Int64) -> String {
        let seconds = abs(offset)
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
        return (offset < 0 ? "-" : "+") + parts.prefix(seconds % 60 == 0 ? 2 : 3).joined(separator: ":")
    }
}
