package import Contract
package import Postgres

/// Reads routines as their owners see them.
package enum RoutineView {
    /// Returns the routine with its next occurrences. Without a zone these are the registered ones only: the
    /// days of the rule are not known.
    package static func read(
        _ routine: StoredRoutine, in zone: KnownZone?, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Routine {
        let today = LocalDate(utc: now)
        let rows = try await OccurrenceRow.read(
            of: routine.id, from: today.adding(days: -RoutinePlanner.memory), on: connection
        ).filter { $0.state != .planned }
        // Two of the days may be past: the local one before that of UTC, and that day itself.
        var days: [RoutineDays.Day]?
        if let zone {
            days = try await RoutineDays.read(
                of: routine, in: zone, since: today.adding(days: -1), through: farthest(from: today),
                limit: Limits.nextOccurrences + 2, on: connection)
        }
        let next = occurrences(days, rows, of: routine).filter { $0.startsAt > now }
            .sorted { ($0.startsAt, $0.date) < ($1.startsAt, $1.date) }
        let isOver = next.isEmpty && days != nil
        let state: Routine.State = routine.pausedAt != nil ? .paused : isOver ? .ended : .active
        return Routine(
            id: routine.id, task: routine.task, tag: routine.tag, rrule: routine.rule,
            localTime: routine.localTime, timeZone: routine.timeZone, startDate: routine.startDate,
            exdates: rows.filter { $0.state == .skipped && $0.date >= today.adding(days: -1) }.map(\.date),
            state: state, createdAt: routine.createdAt, updatedAt: routine.updatedAt,
            next: Array(next.prefix(Limits.nextOccurrences)), problems: rows.compactMap(problem))
    }

    /// Returns a day until which every rule has more days than are shown.
    private static func farthest(from today: LocalDate) -> LocalDate { today.adding(days: 366 * 80) }

    /// Returns the days of the routine as it is now, and those that an earlier form of it has left.
    private static func occurrences(
        _ days: [RoutineDays.Day]?, _ rows: [OccurrenceRow], of routine: StoredRoutine
    ) -> [RoutineOccurrence] {
        let known = Dictionary(rows.map { ($0.date, $0) }) { one, _ in one }
        var occurrences: [RoutineOccurrence] = []
        for day in days ?? [] {
            let row = known[day.date]
            occurrences.append(
                RoutineOccurrence(
                    date: day.date, startsAt: row?.startsAt ?? day.startsAt, state: row?.state ?? .planned,
                    registrationId: row?.registration, adjusted: day.adjusted))
        }
        for row in rows where row.date < routine.actsFrom || days == nil {
            guard let startsAt = row.startsAt else { continue }
            occurrences.append(
                RoutineOccurrence(
                    date: row.date, startsAt: startsAt, state: row.state, registrationId: row.registration))
        }
        return occurrences
    }

    private static func problem(_ row: OccurrenceRow) -> RoutineOccurrence? {
        guard row.isTriedAgain || row.state == .late, let startsAt = row.startsAt else { return nil }
        return RoutineOccurrence(date: row.date, startsAt: startsAt, state: row.state)
    }
}
