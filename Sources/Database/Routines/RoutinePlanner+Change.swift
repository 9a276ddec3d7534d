package import Contract
package import Postgres

extension RoutinePlanner {
    /// Changes a routine by `PATCH /v1/routines/{id}`, from a day on, and the registrations that it has
    /// ahead: those that fit stay, and get its task and tag; others are cancelled. Returns the routine as it
    /// is now, whose days are to be registered.
    package func apply(
        _ patch: RoutinePatch, to routine: StoredRoutine, at now: Timestamp, on connection: PostgresConnection
    ) async throws -> StoredRoutine {
        let today = try await RoutineChanges.day(
            of: now, in: try zone(patch.timeZone ?? routine.timeZone), by: connection)
        if let from = patch.from { try check(from, since: today, at: now) }
        let from = patch.from ?? today
        var changed = routine
        changed.updatedAt = now
        changed.plannedAt = now
        changed.task = patch.task ?? routine.task
        changed.tag = patch.tag.applied(to: routine.tag)
        changed.rule = patch.rrule ?? routine.rule
        changed.localTime = patch.localTime ?? routine.localTime
        changed.timeZone = patch.timeZone ?? routine.timeZone
        if let paused = patch.paused { changed.pausedAt = paused ? routine.pausedAt ?? now : nil }
        let reschedules =
            changed.rule != routine.rule || changed.localTime != routine.localTime
            || changed.timeZone != routine.timeZone
        // Going on, the routine as it is now speaks of all days: those of an earlier form were cancelled.
        if routine.pausedAt != nil, changed.pausedAt == nil {
            changed.actsFrom = max(from, routine.startDate)
        }
        if reschedules {
            changed.actsFrom = max(from, routine.startDate)
            if changed.rule != routine.rule {
                changed.startDate = start(of: changed.rule, replacing: routine, from: from)
            }
            try await check(changed, at: now, on: connection)
        }
        try await changed.update(on: connection)
        if reschedules || changed.pausedAt != nil {
            try await RoutineChanges.release(
                for: changed, since: reschedules && changed.pausedAt == nil ? changed.actsFrom : from,
                reschedules: reschedules, self, at: now, on: connection)
        }
        if changed.task != routine.task || changed.tag != routine.tag {
            try await RoutineChanges.rename(
                changed, from: from, after: barrier(at: now), on: connection)
        }
        return changed
    }

    /// Returns the day from which another rule counts. While FREQ and INTERVAL stay, so do the weeks or days
    /// that the interval takes, and the weekday of a weekly rule without BYDAY (RFC 5545 §3.8.5.3): it is the
    /// first day that the rule, counted from the old start, has from then on.
    private func start(
        of rule: RecurrenceRule, replacing routine: StoredRoutine, from: LocalDate
    ) -> LocalDate {
        let from = max(from, routine.startDate)
        guard rule.frequency == routine.rule.frequency, rule.interval == routine.rule.interval else {
            return from
        }
        // A rule without a day to come is refused by the check.
        return rule.first(onOrAfter: from, from: routine.startDate) ?? routine.startDate
    }

    /// Throws a 422 for a first day that is past, or further ahead than anything is registered.
    private func check(_ from: LocalDate, since today: LocalDate, at now: Timestamp) throws(RequestError) {
        let last = LocalDate(utc: horizon(at: now))
        guard from < today || from > last else { return }
        throw .invalid(
            at: "/from",
            from < today
                ? "This day is past."
                : "Changes can begin on \(last) at the latest: no later day is "
                    + "registered yet.")
    }
}
