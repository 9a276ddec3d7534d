import Contract
import Database
import HTTP1
import HTTPServer
import Matching
import Postgres

extension REST {
    func addSlots(to router: inout Router) {
        router.on(.get, Routes.slots, signedIn(listSlots))
    }

    private static let today = "SELECT to_char($1::timestamptz AT TIME ZONE $2::text, 'YYYY-MM-DD')"

    /// Selects the slots of a local day. It counts no registrations: for a million that would take a quarter
    /// of a second.
    ///
    /// A local day lies within the day before and the day after it in UTC, whatever its zone. Midnight may be
    /// missing or come twice there, so the local day of each start is compared.
    private static let slotsOfDay = """
        WITH day AS (
            SELECT starts_at, starts_at AT TIME ZONE $3::text AS local
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
            SELECT registration.starts_at, registration.id, member.room_id,
                \(RegistrationRow.state(
                    isOver: "(slot.closed_at IS NOT NULL OR slot.ends_at <= $5)")) AS state
            FROM bounds
            JOIN (\(RegistrationRow.tables))
                ON registration.starts_at BETWEEN bounds.first AND bounds.last
                AND registration.user_id = $1 AND registration.cancelled_at IS NULL
        )
        SELECT day.starts_at, to_char(day.local, 'YYYY-MM-DD"T"HH24:MI:SS'), coalesce(people.number, 0),
            own.id, own.room_id, own.state
        FROM day
        LEFT JOIN people USING (starts_at)
        LEFT JOIN own USING (starts_at)
        ORDER BY day.starts_at
        """

    private func listSlots(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let query = QueryReader(request.query)
        let zone = try query.timeZone(knownTo: application.timeZones) ?? user.timeZone
        let database = application.database(request.loop)
        let now = application.now()
        let date: LocalDate
        if let given = try query.date() {
            date = given
        } else {
            date = try await localDate(at: now, in: zone, database)
        }
        let rows = try await database.query(
            Self.slotsOfDay,
            [user.id, date.description, zone, Double(application.grid.slotSeconds), now], retrying: true)
        let slots = try rows.map { try view(of: $0, at: now) }
        return try Answer.json(SlotList(date: date, timeZone: zone, slots: slots))
    }

    private func localDate(
        at instant: Timestamp, in zone: String, _ database: PostgresPool
    ) async throws -> LocalDate {
        let row = try await database.query(Self.today, [instant, zone], retrying: true).first
        guard let text = try row?.decode(0, String.self), let date = LocalDate(text) else {
            throw PostgresError.decoding("no date")
        }
        return date
    }

    private func view(of row: PostgresRow, at now: Timestamp) throws -> SlotView {
        let (startsAt, localTime, people, registration, room, state) = try row.decode(
            Timestamp.self, String.self, Int64.self, Identifier?.self, Identifier?.self, String?.self)
        let own = state.flatMap { RegistrationState(rawValue: $0) }
        let others = max(0, Int(people) - (own == nil ? 0 : 1))
        // The local time has seconds only if the grid, or the zone, has some.
        let clock = localTime.hasSuffix(":00") ? String(localTime.dropLast(3)) : localTime
        return SlotView(
            startsAt: startsAt, endsAt: application.endsAt(startsAt), localTime: clock,
            state: Self.slotState(own, others: others, isTooLate: application.isTooLate(startsAt, at: now)),
            others: others, registrationId: registration, roomId: room)
    }

    /// Returns the state of a slot for a user, from the user's own registration.
    static func slotState(_ own: RegistrationState?, others: Int, isTooLate: Bool) -> SlotState {
        switch own {
        case .registered: others > 0 ? .partnered : .registered
        case .matched: .open
        case .attended: .attended
        case .missed: .missed
        case .lapsed: .lapsed
        case .cancelled, nil: isTooLate ? .closed : others > 0 ? .waiting : .empty
        }
    }
}
