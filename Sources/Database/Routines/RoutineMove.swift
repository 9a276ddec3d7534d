import Contract
import Postgres

/// The registrations of a routine whose days start at other instants than they did: a country has changed the
/// rules of its time zone, and PostgreSQL knows the new ones.
struct RoutineMove: Sendable {
    /// The days that move.
    private(set) var dates: Set<LocalDate> = []
    /// The keys of the slots that they leave.
    private(set) var slots: [Timestamp] = []

    /// Cancels these registrations, so that the days can be registered again at their time. Those that begin
    /// up to the barrier stay.
    init(
        of routine: StoredRoutine, from known: [OccurrenceRow], to days: [RoutineDays.Day],
        after barrier: Timestamp, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) {
        let starts = Dictionary(days.map { ($0.date, $0.startsAt) }) { one, _ in one }
        let wrong = known.filter { row in
            guard row.state == .registered, let startsAt = row.startsAt, let start = starts[row.date] else {
                return false
            }
            return startsAt > barrier && start != startsAt
        }
        if wrong.isEmpty { return }
        dates = Set(
            try await connection.query(
                RoutineChanges.release, [routine.id, wrong.map(\.date), barrier, now]
            ).column())
        slots = wrong.filter { dates.contains($0.date) }.compactMap(\.key)
    }

    /// Announces the move to the user, in the user's language.
    /// `outcomes` are what became of the days.
    func announce(
        of routine: StoredRoutine, _ outcomes: [OccurrenceRow], at now: Timestamp,
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        if dates.isEmpty { return }
        let language = try await DeskPeople.language(of: routine.user, on: connection)
        let moved = outcomes.count { dates.contains($0.date) && $0.state == .registered }
        let text: Text =
            "The rules of the time zone \(routine.timeZone) have changed. Your routine at "
            + "\(routine.localTime) keeps that time there, so sessions of it have moved: \(moved) "
            + "of \(dates.count)."
        _ = try await Announcements.add(
            text.said(in: language), to: .person(routine.user), by: Announcements.serviceName, at: now,
            on: connection)
    }
}
