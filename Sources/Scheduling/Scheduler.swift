package import Contract
import Logging
import Matching
import Reactor
package import Tracing

/// Opens, serves and closes slots when their time comes.
///
/// Every server runs one, and the database decides: a slot is taken under a lock, and work that another
/// server has done already is found done. The scheduler sleeps until the next instant at which a task is due,
/// not in ticks, and reads its agenda from the database at the start, after each reconnect, and once a minute
/// in case a change event was lost.
package actor Scheduler {
    /// The longest sleep, after which a change of the clock is noticed.
    private static let longestSleep = Duration.seconds(15)
    /// The time between two plans of a slot that gets registrations at the last moment.
    private static let replanInterval = Duration.seconds(1)
    /// The interval at which the scheduler looks whether another server has finished the match of a slot.
    private static let leaseInterval = Duration.milliseconds(500)
    /// The time from a change of presence to a look at members who are alone.
    private static let rematchInterval = Duration.milliseconds(200)

    private let rules: ScheduleRules
    private let store: any ScheduleStore
    private let rooms: any ScheduledRooms
    private let clock: any ScheduleClock
    private let metrics: any ScheduleRecorder
    private let tracer: Tracer?
    private let changed: @Sendable (ChangeEvent) -> Void
    private let makeRoomID: @Sendable () -> Identifier
    private let holder: String
    private let loop: any SerialExecutor
    private var agenda: Agenda
    /// The plans of slots that open soon.
    private var plans: [Timestamp: SlotPlan] = [:]
    private var lastPlanTook = Duration.zero
    private var lastMatchTook = Duration.zero
    private var generator: any RandomNumberGenerator & Sendable
    private var reading = AgendaReading()
    private var presence = ServerPresence()
    private var underWay: WorkUnderWay
    private let wakeSignal = WakeSignal()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates a scheduler on the loop. `holder` is the name on its leases, another one in each run.
    /// `changed` is told at once, in this process, of changes that other servers learn from the database.
    /// `underWay` knows how many connections the store has.
    package init(
        _ rules: ScheduleRules, store: any ScheduleStore, rooms: any ScheduledRooms, clock: any ScheduleClock,
        metrics: any ScheduleRecorder, tracer: Tracer? = nil, on loop: any SerialExecutor,
        changed: @escaping @Sendable (ChangeEvent) -> Void,
        underWay: WorkUnderWay = WorkUnderWay(),
        using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        makeRoomID: @escaping @Sendable () -> Identifier = Scheduler.unguessable,
        holder: String = "\(ChangeEvent.origin)"
    ) {
        self.rules = rules
        self.store = store
        self.rooms = rooms
        self.clock = clock
        self.metrics = metrics
        self.tracer = tracer
        self.changed = changed
        self.underWay = underWay
        self.makeRoomID = makeRoomID
        self.holder = holder
        self.generator = generator
        self.loop = loop
        agenda = Agenda(lead: rules.lead, grace: rules.grace, planAhead: rules.planAhead)
    }

    /// Works until its task is cancelled. Slots are worked on side by side; a failed task is tried again
    /// after a pause, in which the other tasks are done.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = clock.now()
                if reading.isDue(at: now) {
                    reading.begin(at: now)
                    group.addTask { await self.readAgenda(at: now) }
                }
                if clock.isCertain, presence.isDue(at: now, hasOpenSlot: hasOpenSlot(at: now)) {
                    presence.begin()
                    group.addTask { await self.notePresence() }
                }
                // While the time is uncertain, nothing is due.
                for (startsAt, task) in clock.isCertain ? underWay.take(agenda.due(at: now)) : [] {
                    group.addTask { await self.perform(task, startsAt) }
                }
                await sleep(until: nextInstant(after: now))
            }
        }
    }

    private func perform(_ task: Agenda.Task, _ startsAt: Timestamp) async {
        do {
            try await work(on: startsAt, task)
            agenda[startsAt]?.retry.succeed()
        } catch {
            agenda[startsAt]?.retry.fail(at: clock.now())
            warn(error, agenda[startsAt]?.retry.failures ?? 1)
        }
        underWay.end(startsAt)
        wake()
    }

    private func warn(_ error: any Error, _ attempt: Int) {
        if Task.isCancelled { return }
        // The database may have been away, and change events lost.
        reading.outdate()
        Log.warning("scheduler failed; retrying", ["error": "\(error)", "attempt": "\(attempt)"])
    }

    /// Notes that the slot has a new registration, or needs a look for another reason.
    package func slotChanged(_ startsAt: Timestamp) {
        let now = clock.now()
        if var slot = agenda[startsAt] {
            guard slot.endsAt > now else { return }
            if slot.isOpened || now >= rules.opensAt(startsAt).adding(.zero - slot.headStart) {
                // A match may be under way that does not see the registration: with a head start, from before
                // the opening on.
                slot.hasLateArrivals = true
            } else {
                // The slot is on the agenda anyway, and so is a plan that was not made yet.
                guard slot.hasPlan else { return }
                return replan(startsAt)
            }
            agenda[startsAt] = slot
        } else {
            agenda[startsAt] = Agenda.Slot(endsAt: rules.endsAt(startsAt), isOpened: false, isServed: false)
        }
        wake()
    }

    /// Plans the slot again, unless the plan would be in the way of the match, which then takes the changes
    /// into account itself.
    private func replan(_ startsAt: Timestamp) {
        guard let slot = agenda[startsAt] else { return }
        let next = clock.now().adding(Self.replanInterval)
        let done = next.adding(.milliseconds(500) + lastPlanTook * 2 + slot.headStart)
        guard done < rules.opensAt(startsAt) else { return }
        agenda[startsAt]?.stage = .planned(headStart: slot.headStart, replanAt: next)
        wake()
    }

    /// Schedules a look at members who are alone, since a member entered or left a room: in slots in which
    /// absent members are no longer waited for, or members have no partner left.
    package func presenceChanged() {
        let now = clock.now()
        var hasFound = false
        for (startsAt, slot) in agenda.slots where slot.isOpened && slot.endsAt > now {
            let mayRematch = rules.noShow.map { startsAt.adding($0) <= now } ?? false
            if !mayRematch && !slot.awaitsEntry { continue }
            agenda[startsAt]?.rematch(by: now.adding(rematchPause))
            hasFound = true
        }
        if hasFound { wake() }
    }

    /// Schedules a look at members who have no partner left, since others left rooms of the slot.
    package func membersLeft(_ startsAt: Timestamp) {
        guard let slot = agenda[startsAt], slot.endsAt > clock.now() else { return }
        guard slot.isOpened else {
            agenda[startsAt]?.hasDepartures = true
            return
        }
        agenda[startsAt]?.rematch(by: clock.now().adding(rematchPause))
        wake()
    }

    /// Many members come and go at once: one look serves all of them.
    private var rematchPause: Duration {
        min(max(Self.rematchInterval, lastMatchTook * 4), .milliseconds(800))
    }

    /// Reads the agenda again, since change events may have been lost. If the database was away, other
    /// servers first have to store what they know of a slot that is over.
    package func reread() {
        agenda.settle(at: clock.now())
        reading.outdate()
        reading.hasten()
        presence.hasten()
        agenda.hastenRetries()
        wake()
    }

    package func wake() { wakeSignal.send() }

    // The agenda.

    private func readAgenda(at now: Timestamp) async {
        do {
            let entries = try await store.agenda()
            agenda.take(entries, at: now)
            presence.answered(at: now)
            reading.succeeded()
        } catch {
            warn(error, reading.failed(at: clock.now()))
        }
        wake()
    }

    private func notePresence() async {
        do {
            let now = clock.now()
            let note = presence.note(at: now)
            let stored = try await store.noteAlive(
                at: now, upSince: note.upSince, silence: ServerPresence.silence, releasing: note.isReleasing)
            presence.stored(at: now, isNew: stored.isNew)
            if stored.released > 0 { presenceChanged() }
            if presence.owesPresence {
                try await rooms.storePresence()
                presence.presenceStored()
            }
            presence.succeeded()
        } catch {
            warn(error, presence.failed(at: clock.now()))
        }
        wake()
    }

    private func hasOpenSlot(at now: Timestamp) -> Bool {
        agenda.slots.contains { rules.opensAt($0.key) <= now && now < $0.value.endsAt }
    }

    /// The time for which the match of the first slot that is due has been waited for; zero if none is due.
    package var overdue: Duration { agenda.overdue(at: clock.now()) }

    /// The time until the next task is due, zero while a slot is open; nil if there is none.
    package var idleTime: Duration? {
        let now = clock.now()
        return hasOpenSlot(at: now) ? .zero : agenda.nextInstant(after: now)?.since(now)
    }

    /// Returns the next instant at which something is due. A task that is under way wakes the scheduler when
    /// it ends, also for the tasks that wait for a place.
    private func nextInstant(after now: Timestamp) -> Timestamp {
        var next = now.adding(Self.longestSleep)
        if let due = reading.nextInstant(at: now) { next = min(next, due) }
        // The clock's measurement wakes the scheduler when the time is certain.
        if !clock.isCertain { return next }
        if let due = presence.nextInstant(at: now, hasOpenSlot: hasOpenSlot(at: now)) {
            next = min(next, due)
        }
        return agenda.instants(after: now) { !underWay.contains($0) }.min().map { min($0, next) } ?? next
    }

    // The work.

    private func work(on startsAt: Timestamp, _ task: Agenda.Task) async throws {
        switch task {
        case .plan: await plan(startsAt)
        case .match: try await match(startsAt)
        case .serve: try await serve(startsAt)
        case .close: try await close(startsAt)
        }
    }

    private var matcher: SlotMatcher {
        SlotMatcher(
            rules: rules, clock: clock, store: store, makeRoomID: makeRoomID, holder: holder,
            storeEntries: rooms.storeEntries)
    }

    private func plan(_ startsAt: Timestamp) async {
        let begun = clock.monotonicNanoseconds()
        let headStart = agenda[startsAt]?.headStart ?? .zero
        agenda[startsAt]?.stage = .planned(headStart: headStart, replanAt: nil)
        let plan: SlotPlan
        do {
            plan = try await matcher.plan(startsAt, seed: generator.next())
        } catch {
            // A failed plan does not delay the match, which uses the previous plan or none.
            warn(error, 1)
            return replan(startsAt)
        }
        plans[startsAt] = plan
        if case .planned(_, let replanAt)? = agenda[startsAt]?.stage {
            agenda[startsAt]?.stage = .planned(headStart: rules.headStart(of: plan), replanAt: replanAt)
        }
        lastPlanTook = .nanoseconds(Int64(clamping: clock.monotonicNanoseconds() &- begun))
        Log.debug(
            "planned", ["slot": "\(SlotKey(startsAt))", "people": plan.people.count, "took": lastPlanTook])
    }

    private func match(_ startsAt: Timestamp) async throws {
        guard let before = agenda[startsAt] else { return }
        agenda[startsAt]?.hasLateArrivals = false
        var matcher = self.matcher
        if let due = before.rematchAt, due <= clock.now() {
            agenda[startsAt]?.stage = .open(rematchAt: nil)
            matcher.unites = true
        }
        let begun = clock.monotonicNanoseconds()
        let outcome: MatchOutcome
        do {
            outcome = try await traced(startsAt) { [matcher] in
                try await matcher.match(startsAt, following: plans[startsAt], seed: generator.next())
            }
        } catch {
            agenda[startsAt]?.hasLateArrivals = true
            if let due = before.rematchAt { agenda[startsAt]?.rematch(by: due) }
            throw error
        }
        let took = Duration.nanoseconds(Int64(clamping: clock.monotonicNanoseconds() &- begun))
        switch outcome {
        case .tooEarly:
            // The clock was set back: the match is due when the time has come again.
            if before.hasLateArrivals { agenda[startsAt]?.hasLateArrivals = true }
            if let rematchAt = before.rematchAt { agenda[startsAt]?.rematch(by: rematchAt) }
        case .leased(let until):
            // The holder may be done before the lease ends: then the members here are looked after at once.
            agenda[startsAt]?.stage = .leased(until: min(until, clock.now().adding(Self.leaseInterval)))
        case .opened, .placed, .rematched, .nothing:
            if before.isOpened { lastMatchTook = took }
            matched(startsAt, outcome)
            // If another server was first, its change event may not have come.
            if !before.isOpened || !outcome.rooms.isEmpty { changed(.notifications) }
            if outcome.rooms.isEmpty { return }
            report(startsAt, outcome, took)
            let committed = clock.monotonicNanoseconds()
            await rooms.refresh(outcome.rooms)
            if outcome.isFirst { metrics.opened(seconds: seconds(since: committed)) }
        }
    }

    private func seconds(since begun: UInt64) -> Double {
        Double(clock.monotonicNanoseconds() &- begun) / 1e9
    }

    /// Makes a match within a trace of its own: there are few, so that each is traced.
    private func traced(
        _ startsAt: Timestamp, _ body: () async throws -> MatchOutcome
    ) async throws -> MatchOutcome {
        let slot = (name: "letsswitch.slot", value: Span.Value.text("\(SlotKey(startsAt))"))
        guard let span = tracer?.begin("match", .inside, [slot], lot: 0) else { return try await body() }
        do {
            let outcome = try await Span.$current.withValue(span) { try await body() }
            span.end([(name: "letsswitch.people", value: .number(Int64(outcome.people)))])
            return outcome
        } catch {
            span.end(fault: "\(error)")
            throw error
        }
    }

    private func matched(_ startsAt: Timestamp, _ outcome: MatchOutcome) {
        plans[startsAt] = nil
        let noShow = rules.noShow.map { startsAt.adding($0) }
        agenda[startsAt]?.matched(outcome, absentFrom: noShow, at: clock.now())
    }

    private func report(_ startsAt: Timestamp, _ outcome: MatchOutcome, _ took: Duration) {
        let seconds = took / .seconds(1)
        let lateness = outcome.isFirst ? clock.now().since(rules.opensAt(startsAt)) : .zero
        metrics.matched(
            people: outcome.people, rematched: outcome.rematched, seconds: seconds, isFirst: outcome.isFirst,
            lateness: lateness)
        Log.info(
            "matched",
            [
                "slot": "\(SlotKey(startsAt))", "people": outcome.people, "rooms": outcome.rooms.count,
                "seconds": seconds,
            ])
    }

    private func serve(_ startsAt: Timestamp) async throws {
        try await store.serve(startsAt, at: clock.now())
        agenda[startsAt]?.isServed = true
    }

    private func close(_ startsAt: Timestamp) async throws {
        // The entries and ale counts that this server knows of the slot are stored first.
        try await rooms.storeEverything()
        let begun = clock.monotonicNanoseconds()
        let closed = try await SlotCloser(clock: clock, store: store).close(startsAt)
        agenda[startsAt] = nil
        plans[startsAt] = nil
        if closed {
            metrics.closed(seconds: seconds(since: begun))
            Log.info("closed", ["slot": "\(SlotKey(startsAt))"])
        }
        changed(.notifications)
    }

    private func sleep(until instant: Timestamp) async {
        let delay = min(max(instant.since(clock.now()), .zero), Self.longestSleep)
        await wakeSignal.wait(alarm: { clock.wake(after: delay, $0) })
    }
}
