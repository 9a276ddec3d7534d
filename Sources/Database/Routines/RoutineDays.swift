import Contract
import Postgres

/// The days of a routine with the instants at which they start.
struct RoutineDays: Sendable {
    struct Day: Sendable {
        let date: LocalDate
        let startsAt: Timestamp
        let adjusted: Registration.Adjustment?
    }

    /// Returns the days of a routine as it is now, from `since` on: those whose date is not past `through`,
    /// `limit` at most, and the next one after these.
    static func read(
        of routine: StoredRoutine, in zone: KnownZone, since: LocalDate, through: LocalDate,
        limit: Int = .max, on connection: PostgresConnection
    ) async throws(PostgresError) -> [Day] {
        let since = max(since, routine.actsFrom)
        var dates = routine.rule.dates(
            from: routine.startDate, since: since, through: through, limit: limit)
        dates += routine.rule.dates(
            from: routine.startDate, since: max(since, (dates.last ?? through).adding(days: 1)),
            through: since.adding(days: RecurrenceRule.farthest), limit: 1)
        let times = dates.compactMap { routine.localTime.on($0) }
        let resolved = try await LocalTimes.resolve(times, in: zone, by: connection)
        return zip(dates, resolved).map { Day(date: $0, startsAt: $1.instant, adjusted: $1.adjusted) }
    }
}
