package import Contract
import Matching
package import Postgres
package import Scheduling
package import Settings

/// Registers for the days of a routine that are no further ahead than anybody may register.
///
/// Registrations go through the writer that requests go through, so that all limits hold. A day is registered
/// once: its row is written in the transaction of its registration, under the lock of the user.
package struct RoutinePlanner: Sendable {
    /// The time after which days are tried again for which there was no place.
    private static let retry = Duration.seconds(3600)
    /// The longest time after which a routine that has registrations ahead is looked at again: the rules of
    /// its time zone may have changed.
    private static let look = Duration.seconds(86_400)
    /// The number of days for which is kept that nothing could be registered, or that a day was left out.
    static let memory = 30
    /// The time before the opening of a room from which its registrations stay: a match may be under way. No
    /// transaction takes as long.
    private static let margin = Duration.seconds(30)

    private let rules: ScheduleRules
    private let maxDaysAhead: Int
    /// Whether registration ends once the room is open.
    private let closesAtOpening: Bool
    private let attendance: AttendanceRule?
    private let limit: RegistrationLimit?
    private let spans: RegistrationSpans?
    private let zones: TimeZones

    package init(_ configuration: ServerConfiguration, _ rules: ScheduleRules, _ zones: TimeZones) {
        self.rules = rules
        self.zones = zones
        maxDaysAhead = configuration.maxDaysAhead
        closesAtOpening = configuration.registrationCloses == .lead
        attendance = AttendanceRule(configuration)
        limit = RegistrationLimit(configuration)
        spans = RegistrationSpans(configuration)
    }

    /// Returns the latest start for which anybody may register.
    package func horizon(at now: Timestamp) -> Timestamp {
        now.adding(.seconds(maxDaysAhead * 86_400))
    }

    /// Returns the latest start whose registration a change of a routine leaves alone.
    package func barrier(at now: Timestamp) -> Timestamp { now.adding(rules.lead + Self.margin) }

    /// Returns the zone of a name. Throws an error for a name that PostgreSQL knows no more.
    package func zone(_ name: String) throws(APIError) -> KnownZone {
        guard let zone = zones.find(name) else { throw .unknownTimeZone(name) }
        return zone
    }

    private func isOnGrid(_ start: Timestamp) -> Bool {
        start.microseconds % 1_000_000 == 0 && rules.startGrid.startsOnGrid(start.seconds)
    }

    // The check.

    /// Throws an error for a routine that has no day ahead, or none on which a slot starts at its time.
    package func check(
        _ routine: StoredRoutine, at now: Timestamp, on connection: PostgresConnection
    ) async throws {
        let ahead = try await days(of: routine, at: now, on: connection).filter { $0.startsAt > now }
        if ahead.isEmpty {
            throw RequestError.invalid(at: "/rrule", "The rule has no day that is still to come.")
        }
        guard let wrong = ahead.first(where: { !isOnGrid($0.startsAt) }) else { return }
        let step = rules.startGrid.slotSeconds
        throw RequestError.invalid(
            at: "/localTime",
            "No slot starts at \(routine.localTime) in \(routine.timeZone) on \(wrong.date), "
                + "which is \(wrong.startsAt): slots start every \(step) seconds from 00:00 UTC.")
    }

    /// Returns the days that can be registered, or were since the last time, and the next one.
    func days(
        of routine: StoredRoutine, at now: Timestamp, on connection: PostgresConnection
    ) async throws -> [RoutineDays.Day] {
        let last = max(
            LocalDate(utc: min(routine.plannedAt, now)), LocalDate(utc: now).adding(days: -Self.memory))
        // A local day may be the one before or after that of UTC.
        return try await RoutineDays.read(
            of: routine, in: try zone(routine.timeZone), since: last.adding(days: -1),
            through: LocalDate(utc: horizon(at: now)).adding(days: 1), on: connection)
    }

    // The registrations.

    /// Registers for all days that are available and have no registration yet. Registrations that the rules
    /// of the zone no longer have at that instant move. Returns the slots that have changed. The caller holds
    /// the lock of the user, and the routine is not paused.
    package func plan(
        _ routine: StoredRoutine, at now: Timestamp, on connection: PostgresConnection
    ) async throws -> [Timestamp] {
        let days = try await days(of: routine, at: now, on: connection)
        let today = LocalDate(utc: now)
        let first = min(days.first?.date ?? today, today).adding(days: -2)
        let all = try await OccurrenceRow.read(of: routine.id, from: first, on: connection)
        let move = try await RoutineMove(
            of: routine, from: all, to: days, after: barrier(at: now), at: now, on: connection)
        let known = all.filter { !move.dates.contains($0.date) }
        var pass = Pass(
            known: known, plannedAt: routine.plannedAt, now: now,
            closed: closesAtOpening ? now.adding(rules.lead) : now, horizon: horizon(at: now))
        for day in days { pass.add(day, isOnGrid: isOnGrid(day.startsAt)) }
        let (outcomes, changed) = try await register(
            pass.candidates, for: routine, at: now, on: connection)
        try await move.announce(of: routine, outcomes, at: now, on: connection)
        let rows = pass.notes + outcomes
        try await OccurrenceRow.write(rows, of: routine.id, on: connection)
        var dueAt = pass.beyond.map { $0.adding(.seconds(-maxDaysAhead * 86_400)) }
        if rows.contains(where: { $0.isTriedAgain && $0.state != .offGrid }) {
            dueAt = min(dueAt ?? now.adding(Self.retry), now.adding(Self.retry))
        }
        if (known + outcomes).contains(where: { $0.state == .registered && ($0.startsAt ?? now) > now }) {
            dueAt = min(dueAt ?? now.adding(Self.look), now.adding(Self.look))
        }
        try await connection.query(Self.settle, [routine.id, now, dueAt])
        try await connection.query(Self.forget, [routine.id, today.adding(days: -Self.memory)])
        return changed + move.slots
    }

    private static let settle = "UPDATE routines SET planned_at = $2, due_at = $3 WHERE id = $1"

    private static let forget = """
        DELETE FROM routine_occurrences WHERE routine_id = $1 AND date < $2 AND registration_id IS NULL
        """

    /// Registers for the days one by one, in one transaction. Where slots have several lengths, it is the
    /// first of them.
    private func register(
        _ candidates: [Pass.Candidate], for routine: StoredRoutine, at now: Timestamp,
        on connection: PostgresConnection
    ) async throws -> (rows: [OccurrenceRow], changed: [Timestamp]) {
        var random = SystemRandomNumberGenerator()
        let days = candidates.map(\.day)
        let requests = candidates.map { candidate in
            let slot = rules.key(startsAt: candidate.day.startsAt, minutes: rules.lengths?.standard)
            let cancelled = candidate.cancelled?.key == slot ? candidate.cancelled?.registration : nil
            var request = RegistrationRequest(
                user: routine.user, task: routine.task, tag: routine.tag, createdAt: now,
                slots: [
                    RequestedSlot(
                        id: cancelled ?? .v7(at: now, using: &random), key: slot,
                        adjusted: candidate.day.adjusted, rules, at: now)
                ])
            request.revives = cancelled != nil
            return request
        }
        var states = [RoutineOccurrence.State](repeating: .limit, count: days.count)
        var changed: [Timestamp] = []
        var pending = Array(days.indices)
        // A request that gave way to another one of the transaction is decided the second time.
        for _ in 0..<2 where !pending.isEmpty {
            let (decisions, slots) = try await RegistrationWriter.write(
                pending.map { requests[$0] }, attendance, limit, spans, on: connection)
            changed += slots
            var again: [Int] = []
            for (index, decision) in zip(pending, decisions) {
                switch decision {
                case .again: again.append(index)
                case .settled(let outcome): states[index] = try Self.state(outcome)
                }
            }
            pending = again
        }
        let rows = days.indices.map { index in
            OccurrenceRow(
                date: days[index].date, startsAt: days[index].startsAt,
                registration: states[index] == .registered ? requests[index].slots[0].id : nil,
                state: states[index])
        }
        return (rows, changed)
    }

    private static func state(
        _ outcome: RegistrationRequest.Outcome
    ) throws(APIError) -> RoutineOccurrence.State {
        switch outcome {
        case .registered: .registered
        case .taken, .overlaps: .conflict
        case .over, .leftTwice: .late
        case .tooSeldom: .attendance
        // A routine has neither a key nor an invite.
        case .tooMany, .tooManyToday, .keyUnderWay, .inviteUnusable: .limit
        case .unknownUser: throw APIError.accountDeleted
        }
    }
}

/// The days of one routine, as far as they are to be registered now.
private struct Pass {
    private let known: [LocalDate: OccurrenceRow]
    private let plannedAt: Timestamp
    private let now: Timestamp
    /// The latest start for which it is too late.
    private let closed: Timestamp
    private let horizon: Timestamp
    /// The days that hold a start; two days of a zone that has left one out may have the same.
    private var holders: [Timestamp: LocalDate] = [:]
    /// A day to register, with the row that has the registration which a pause has cancelled.
    struct Candidate {
        let day: RoutineDays.Day
        let cancelled: OccurrenceRow?
    }

    /// The days to register.
    private(set) var candidates: [Candidate] = []
    /// The rows of days for which nothing can be registered.
    private(set) var notes: [OccurrenceRow] = []
    /// The first start that is too far ahead.
    private(set) var beyond: Timestamp?

    init(
        known: [OccurrenceRow], plannedAt: Timestamp, now: Timestamp, closed: Timestamp, horizon: Timestamp
    ) {
        self.known = Dictionary(known.map { ($0.date, $0) }) { one, _ in one }
        self.plannedAt = plannedAt
        self.now = now
        self.closed = closed
        self.horizon = horizon
        for row in known {
            if let startsAt = row.startsAt { holders[startsAt] = row.date }
        }
    }

    mutating func add(_ day: RoutineDays.Day, isOnGrid: Bool) {
        let row = known[day.date]
        let isPlanned = row?.state == .planned
        if let row, !row.isTriedAgain, !isPlanned { return }
        if day.startsAt <= now {
            if row == nil || isPlanned, day.startsAt > plannedAt { note(day, .late) }
        } else if day.startsAt <= closed {
            // It is noted as late once it has begun.
            return
        } else if day.startsAt > horizon {
            if beyond == nil { beyond = day.startsAt }
        } else if holders[day.startsAt, default: day.date] == day.date {
            holders[day.startsAt] = day.date
            let candidate = Candidate(day: day, cancelled: isPlanned ? row : nil)
            if isOnGrid { candidates.append(candidate) } else { note(day, .offGrid) }
        }
    }

    private mutating func note(_ day: RoutineDays.Day, _ state: RoutineOccurrence.State) {
        guard holders[day.startsAt, default: day.date] == day.date else { return }
        holders[day.startsAt] = day.date
        notes.append(OccurrenceRow(date: day.date, startsAt: day.startsAt, registration: nil, state: state))
    }
}
