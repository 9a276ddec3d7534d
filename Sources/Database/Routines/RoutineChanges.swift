package import Contract
package import Postgres

/// The steps by which a routine and its registrations change. The caller holds the lock of the user.
///
/// Registrations are cancelled only as long as no match can have begun (`barrier`, the latest start that is
/// left alone): so none of them is in a room, and the locks of the slots are not needed.
package enum RoutineChanges {
    /// Cancels registrations. `released` has their ids.
    private static let cancel = """
        WITH released AS (
            UPDATE registrations SET cancelled_at = $4, updated_at = $4
            FROM routine_occurrences AS occurrence
            WHERE occurrence.routine_id = $1 AND occurrence.date = ANY($2::date[])
                AND registrations.id = occurrence.registration_id AND registrations.cancelled_at IS NULL
                AND registrations.starts_at > $3
                AND NOT EXISTS (SELECT FROM members WHERE members.registration_id = registrations.id)
            RETURNING registrations.id
        )
        """

    /// Cancels registrations, and removes the rows of their days.
    static let release = """
        \(cancel)
        DELETE FROM routine_occurrences
        WHERE routine_id = $1 AND registration_id IN (SELECT id FROM released)
        RETURNING date
        """

    /// Cancels registrations, which the routine takes back when it goes on.
    private static let suspend = """
        \(cancel)
        UPDATE routine_occurrences SET outcome = 'planned'
        WHERE routine_id = $1 AND registration_id IN (SELECT id FROM released)
        """

    private static let drop = """
        DELETE FROM routine_occurrences WHERE routine_id = $1 AND date = ANY($2::date[])
        """

    private static let rename = """
        UPDATE registrations SET task = $4, tag = $5, updated_at = $6
        FROM routine_occurrences AS occurrence
        WHERE occurrence.routine_id = $1 AND occurrence.date >= $2
            AND registrations.id = occurrence.registration_id
            AND registrations.cancelled_at IS NULL AND registrations.starts_at > $3
            AND NOT EXISTS (SELECT FROM members WHERE members.registration_id = registrations.id)
        """

    private static let today = "SELECT ($1::timestamptz AT TIME ZONE $2::text)::date"

    /// Returns the day that a zone has at an instant.
    package static func day(
        of instant: Timestamp, in zone: KnownZone, by source: some RowSource
    ) async throws(PostgresError) -> LocalDate {
        try await source.rows(today, [instant, zone.name])[0].decode(0, LocalDate.self)
    }

    /// Leaves days out.
    package static func leaveOut(
        _ dates: [LocalDate], of routine: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await OccurrenceRow.write(
            dates.map { OccurrenceRow(date: $0, startsAt: nil, registration: nil, state: .skipped) },
            of: routine, on: connection)
    }

    /// Gives the registrations of a routine its task and tag, from a day on.
    package static func rename(
        _ routine: StoredRoutine, from date: LocalDate, after barrier: Timestamp,
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(
            rename, [routine.id, date, barrier, routine.task, routine.tag, routine.updatedAt])
    }

    /// Cancels all registrations of a routine that lie ahead.
    package static func releaseAll(
        of routine: StoredRoutine, after barrier: Timestamp, at now: Timestamp,
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        let first = LocalDate(utc: now).adding(days: -2)
        let rows = try await OccurrenceRow.read(of: routine.id, from: first, on: connection)
        try await connection.query(release, [routine.id, rows.map(\.date), barrier, now])
    }

    /// Makes room for the routine as it is now, from a day on: registrations on other days or at other times
    /// are cancelled, those that fit stay. Days that were left out stay so. If it is paused, nothing fits;
    /// unless its days change too (`reschedules`) it takes its registrations back when it goes on.
    package static func release(
        for routine: StoredRoutine, since first: LocalDate, reschedules: Bool, _ planner: RoutinePlanner,
        at now: Timestamp, on connection: PostgresConnection
    ) async throws {
        let isPaused = routine.pausedAt != nil
        let days = isPaused ? [] : try await planner.days(of: routine, at: now, on: connection)
        let starts = Dictionary(days.map { ($0.date, $0.startsAt) }) { one, _ in one }
        let barrier = planner.barrier(at: now)
        let rows = try await OccurrenceRow.read(of: routine.id, from: first, on: connection)
        var (released, dropped, leftOut): ([LocalDate], [LocalDate], [LocalDate]) = ([], [], [])
        for row in rows {
            guard let startsAt = row.startsAt, startsAt > now else { continue }
            switch row.state {
            case .registered: if starts[row.date] != startsAt { released.append(row.date) }
            case .skipped: leftOut.append(row.date)
            case .planned: if reschedules { dropped.append(row.date) }
            case .conflict, .limit, .attendance, .offGrid, .late: dropped.append(row.date)
            }
        }
        try await connection.query(
            isPaused && !reschedules ? suspend : release, [routine.id, released, barrier, now])
        try await connection.query(drop, [routine.id, dropped])
        // A cancelled registration does not hold its start for the routine any more.
        try await leaveOut(leftOut, of: routine.id, on: connection)
    }

    package enum Skip: Equatable, Sendable {
        case done
        /// The routine has no such day, or it is past.
        case unknown
        /// The room of the registration opens, or is open.
        case tooLate(Identifier)
        /// As many days are left out as may be.
        case full
    }

    /// Leaves one day out, whose registration is cancelled.
    package static func skip(
        _ date: LocalDate, of routine: StoredRoutine, _ planner: RoutinePlanner, at now: Timestamp,
        on connection: PostgresConnection
    ) async throws -> Skip {
        let rows = try await OccurrenceRow.read(
            of: routine.id, from: LocalDate(utc: now).adding(days: -2), on: connection)
        let row = rows.first { $0.date == date }
        if row?.state == .skipped { return .done }
        var startsAt = row?.startsAt
        if startsAt == nil {
            let days = try await RoutineDays.read(
                of: routine, in: try planner.zone(routine.timeZone), since: date, through: date,
                on: connection)
            startsAt = days.first { $0.date == date }?.startsAt
        }
        guard let startsAt, startsAt > now else { return .unknown }
        if rows.count(where: { $0.state == .skipped }) >= Limits.exdates { return .full }
        if let row, row.state == .registered {
            let released = try await connection.query(
                release, [routine.id, [date], planner.barrier(at: now), now])
            if released.isEmpty, let registration = row.registration { return .tooLate(registration) }
        }
        try await leaveOut([date], of: routine.id, on: connection)
        return .done
    }

    /// Takes back that a day is left out. Returns false if it is not.
    package static func unskip(
        _ date: LocalDate, of routine: StoredRoutine, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        let rows = try await OccurrenceRow.read(of: routine.id, from: date, on: connection)
        guard rows.first?.date == date, rows.first?.state == .skipped else { return false }
        try await connection.query(drop, [routine.id, [date]])
        return true
    }
}
