import Contract
import Matching
import Reactor

/// Opens, serves and closes slots when their time comes.
///
/// Every server runs one, and the database decides: a slot is taken under a lock, and what another server has done
/// already is found done. It sleeps until the next instant at which something is due, not in ticks, and reads its
/// agenda from the database at the start, after each reconnect, and once a minute in case a hint was lost.
actor Scheduler {
    private static let rereadInterval = Duration.seconds(60)
    /// A clock that is set while we sleep is noticed after that long.
    private static let longestSleep = Duration.seconds(15)
    /// Between two plans of a slot for which somebody registers in the last moment.
    private static let replanInterval = Duration.seconds(1)
    /// While a slot is open it is noted that often that a server is up.
    private static let aliveInterval = Duration.seconds(25)
    /// Without a note for so long no server was up, or a single one is gone.
    private static let silence = Duration.seconds(75)
    /// From a change of who is present to a look at who is alone.
    private static let rematchInterval = Duration.milliseconds(200)

    private let rules: ScheduleRules
    private let store: any ScheduleStore
    private let rooms: any ScheduledRooms
    private let clock: any ScheduleClock
    private let metrics: ScheduleMetrics
    private let changed: @Sendable (Hint) -> Void
    private let makeRoomID: @Sendable () -> UUID
    private let holder: String
    private let loop: any ScheduleLoop
    private var agenda: Agenda
    /// Of slots that open soon.
    private var plans: [Timestamp: SlotPlan] = [:]
    private var lastPlanTook = Duration.zero
    private var lastMatchTook = Duration.zero
    private var generator: any RandomNumberGenerator & Sendable
    private var lastRead: Timestamp?
    private var lastAlive: Timestamp?
    /// Since when the notes follow each other.
    private var aliveSince: Timestamp?
    /// The others may have taken this server for gone, and have not heard since who is present.
    private var owesPresence = false
    /// When the database last answered, and since when it has done so again and again.
    private var lastContact: Timestamp?
    private var upSince: Timestamp?
    /// Of reading the agenda, and of noting that a server is up.
    private var reading = Retry()
    private var noting = Retry()
    private var wakeUp: CheckedContinuation<Void, Never>?
    private var wasWoken = false
    private var cancelAlarm: (@Sendable () -> Void)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Lives on the loop. `holder` is what leases are in the name of, another one in each run. `changed` is told at once,
    /// in this process, of what the others hear by the database.
    init(
        _ rules: ScheduleRules, store: any ScheduleStore, rooms: any ScheduledRooms, clock: any ScheduleClock,
        metrics: ScheduleMetrics, on loop: any ScheduleLoop, changed: @escaping @Sendable (Hint) -> Void,
        using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        makeRoomID: @escaping @Sendable () -> UUID = Scheduler.unguessable, holder: String = "\(Hint.origin)"
    ) {
        self.rules = rules
        self.store = store
        self.rooms = rooms
        self.clock = clock
        self.metrics = metrics
        self.changed = changed
        self.makeRoomID = makeRoomID
        self.holder = holder
        self.generator = generator
        self.loop = loop
        agenda = Agenda(lead: rules.lead, grace: rules.grace, planAhead: rules.planAhead)
    }

    /// Not of the match's own generator: that one can be seeded, and a room's id must not be guessed.
    static let unguessable: @Sendable () -> UUID = {
        var system = SystemRandomNumberGenerator()
        return UUID.v4(using: &system)
    }

    /// Works until its task is cancelled. What fails is tried again after a pause, in which the rest is done.
    func run() async {
        while !Task.isCancelled {
            do {
                try await rereadWhereDue()
            } catch {
                reading.fail(at: clock.now())
                warn(error, reading.failures)
            }
            await work()
            do {
                try await noteAliveWhereDue()
            } catch {
                noting.fail(at: clock.now())
                warn(error, noting.failures)
            }
            if Task.isCancelled { return }
            await sleep(until: nextInstant())
        }
    }

    private func warn(_ error: any Error, _ attempt: Int) {
        if Task.isCancelled { return }
        // The database may have been away, and hints lost.
        lastRead = nil
        Log.warning("the scheduler tries again", ["error": "\(error)", "attempt": "\(attempt)"])
    }

    /// Somebody registered for the slot, or something else made it worth a look.
    func slotChanged(_ startsAt: Timestamp) {
        let now = clock.now()
        if var slot = agenda[startsAt] {
            guard slot.endsAt > now else { return }
            if slot.isOpened || now >= rules.opensAt(startsAt).adding(.zero - slot.headStart) {
                // A match may be under way that does not see it: with a head start, from before the opening on.
                slot.hasLateArrivals = true
            } else {
                // It is on the agenda anyway, and so is a plan that was not made yet.
                guard slot.isPlanned, slot.replanAt == nil else { return }
                return replan(startsAt)
            }
            agenda[startsAt] = slot
        } else {
            agenda[startsAt] = Agenda.Slot(endsAt: rules.endsAt(startsAt), isOpened: false, isServed: false)
        }
        wake()
    }

    /// Unless the plan would be in the way of the match: what it does not know is mended then.
    private func replan(_ startsAt: Timestamp) {
        guard let slot = agenda[startsAt] else { return }
        let next = clock.now().adding(Self.replanInterval)
        let done = next.adding(.milliseconds(500) + lastPlanTook * 2 + slot.headStart)
        guard done < rules.opensAt(startsAt) else { return }
        agenda[startsAt]?.replanAt = next
        wake()
    }

    /// Somebody entered a room or left one: who is alone may be another.
    func presenceChanged() {
        guard let noShow = rules.noShow else { return }
        let now = clock.now()
        var hasFound = false
        for (startsAt, slot) in agenda.slots
        where slot.isOpened && slot.endsAt > now && startsAt.adding(noShow) <= now {
            // Many come and go at once: they are looked at together.
            let pause = min(max(Self.rematchInterval, lastMatchTook * 4), .milliseconds(800))
            let due = now.adding(pause)
            agenda[startsAt]?.rematchAt = min(slot.rematchAt ?? due, due)
            hasFound = true
        }
        if hasFound { wake() }
    }

    /// Hints may have been lost: the agenda is read anew. Where the database was away, other servers have to store first
    /// what they know of a slot that is over.
    func reread() {
        agenda.settle(at: clock.now())
        lastRead = nil
        reading.hasten()
        noting.hasten()
        agenda.hastenRetries()
        wake()
    }

    func wake() {
        wasWoken = true
        wakeUp?.resume()
        wakeUp = nil
    }

    // The agenda.

    private func rereadWhereDue() async throws {
        let now = clock.now()
        if let lastRead, now < lastRead.adding(Self.rereadInterval), now >= lastRead { return }
        if reading.notBefore(now, at: now) > now { return }
        let entries = try await store.agenda()
        var read = agenda
        read.removeAll()
        for entry in entries {
            var slot = Agenda.Slot(
                endsAt: entry.endsAt, isOpened: entry.isOpened, isServed: entry.isServed,
                hasLateArrivals: entry.hasLateArrivals)
            if let known = agenda[entry.startsAt] {
                // A hint that came while the query ran may tell of what it did not see yet.
                if known.hasLateArrivals { slot.hasLateArrivals = true }
                slot.isPlanned = known.isPlanned
                slot.replanAt = known.replanAt
                slot.headStart = known.headStart
                slot.rematchAt = known.rematchAt
                slot.leasedUntil = known.leasedUntil
                slot.retry = known.retry
            }
            if slot.isOpened, let noShow = rules.noShow {
                // What a server knew that is gone is looked for now.
                let first = entry.startsAt.adding(noShow)
                slot.rematchAt = min(slot.rematchAt ?? first, max(first, now))
            }
            read[entry.startsAt] = slot
        }
        for (startsAt, slot) in agenda.slots where slot.endsAt > now && read[startsAt] == nil {
            read[startsAt] = slot
        }
        agenda = read
        lastRead = now
        reading.succeed()
        noteContact(at: now)
    }

    private func noteContact(at now: Timestamp) {
        upSince = contactSince(at: now)
        lastContact = now
    }

    private func contactSince(at now: Timestamp) -> Timestamp {
        guard let lastContact, lastContact <= now, now < lastContact.adding(Self.silence) else { return now }
        return upSince ?? now
    }

    /// At the start, at each opening, and while a slot is open.
    private func noteAliveWhereDue() async throws {
        let now = clock.now()
        if let lastAlive {
            guard hasOpenSlot(at: now) else { return }
            guard now >= lastAlive.adding(Self.aliveInterval) || now < lastAlive else { return }
        }
        if noting.notBefore(now, at: now) > now { return }
        let goesOn = lastAlive.map { $0 <= now && now < $0.adding(Self.silence) } ?? false
        if !goesOn { aliveSince = now }
        // Between slots nobody notes anything: the others had to have the time to.
        let isLong = aliveSince.map { $0.adding(Self.silence) <= now } ?? false
        if !goesOn { owesPresence = true }
        let note = try await store.noteAlive(
            at: now, upSince: contactSince(at: now), silence: Self.silence, releasing: isLong)
        lastAlive = now
        noteContact(at: now)
        if note.released > 0 { presenceChanged() }
        if note.isNew { owesPresence = true }
        if owesPresence {
            try await rooms.storePresence()
            owesPresence = false
        }
        noting.succeed()
    }

    private func hasOpenSlot(at now: Timestamp) -> Bool {
        agenda.slots.contains { rules.opensAt($0.key) <= now && now < $0.value.endsAt }
    }

    private func nextInstant() -> Timestamp {
        let now = clock.now()
        var next = reading.notBefore(lastRead?.adding(Self.rereadInterval) ?? now, at: now)
        if lastAlive == nil || hasOpenSlot(at: now) {
            next = min(next, noting.notBefore(lastAlive?.adding(Self.aliveInterval) ?? now, at: now))
        }
        return min(agenda.nextInstant(after: now) ?? next, next)
    }

    // The work.

    /// Until nothing is due, or something failed: then it is time for a look at the whole.
    private func work() async {
        var isWell = true
        while isWell {
            let due = agenda.due(at: clock.now())
            if due.isEmpty { return }
            for (startsAt, task) in due {
                do {
                    try await work(on: startsAt, task)
                    agenda[startsAt]?.retry.succeed()
                } catch {
                    if Task.isCancelled { return }
                    isWell = false
                    agenda[startsAt]?.retry.fail(at: clock.now())
                    warn(error, agenda[startsAt]?.retry.failures ?? 1)
                }
            }
        }
    }

    private func work(on startsAt: Timestamp, _ task: Agenda.Task) async throws {
        switch task {
        case .plan: await plan(startsAt)
        case .match: try await match(startsAt)
        case .serve: try await serve(startsAt)
        case .close: try await close(startsAt)
        }
    }

    private var matcher: SlotMatcher {
        SlotMatcher(rules: rules, clock: clock, store: store, makeRoomID: makeRoomID, holder: holder)
    }

    private func plan(_ startsAt: Timestamp) async {
        let begun = clock.monotonicNanoseconds()
        agenda[startsAt]?.isPlanned = true
        agenda[startsAt]?.replanAt = nil
        let plan: SlotPlan
        do {
            plan = try await matcher.plan(startsAt, seed: generator.next())
        } catch {
            // The match is not kept back by that: it does without, or with the plan before.
            warn(error, 1)
            return replan(startsAt)
        }
        plans[startsAt] = plan
        agenda[startsAt]?.headStart = rules.headStart(of: plan)
        lastPlanTook = .nanoseconds(Int64(clamping: clock.monotonicNanoseconds() &- begun))
        Log.debug(
            "planned", ["slot": startsAt, "people": plan.people.count, "took": lastPlanTook])
    }

    private func match(_ startsAt: Timestamp) async throws {
        let before = agenda[startsAt]
        let wasOpened = before?.isOpened ?? false
        agenda[startsAt]?.hasLateArrivals = false
        agenda[startsAt]?.rematchAt = nil
        if wasOpened { try await rooms.storeEntries() }
        let begun = clock.monotonicNanoseconds()
        let outcome: SlotMatcher.Outcome
        do {
            outcome = try await matcher.match(startsAt, following: plans[startsAt], seed: generator.next())
        } catch {
            agenda[startsAt]?.hasLateArrivals = true
            throw error
        }
        if outcome.isTooEarly {
            // The clock was set back: it is due when the time has come again.
            if before?.hasLateArrivals ?? false { agenda[startsAt]?.hasLateArrivals = true }
            if agenda[startsAt]?.rematchAt == nil { agenda[startsAt]?.rematchAt = before?.rematchAt }
            return
        }
        if let until = outcome.leasedUntil {
            agenda[startsAt]?.leasedUntil = until
            return
        }
        if wasOpened { lastMatchTook = .nanoseconds(Int64(clamping: clock.monotonicNanoseconds() &- begun)) }
        plans[startsAt] = nil
        agenda[startsAt]?.leasedUntil = nil
        agenda[startsAt]?.isOpened = true
        if outcome.hasLeftovers { agenda[startsAt]?.hasLateArrivals = true }
        lookAgain(startsAt, outcome)
        // Where another server was first, its hint may not have come.
        if !wasOpened || !outcome.rooms.isEmpty { changed(.notifications) }
        if outcome.rooms.isEmpty { return }
        report(startsAt, outcome, seconds: Double(clock.monotonicNanoseconds() &- begun) / 1e9)
        await rooms.refresh(outcome.rooms)
    }

    /// Whoever is alone too long is matched again.
    private func lookAgain(_ startsAt: Timestamp, _ outcome: SlotMatcher.Outcome) {
        guard let noShow = rules.noShow else { return }
        let first = startsAt.adding(noShow)
        // What came while the match was under way has said so.
        if agenda[startsAt]?.rematchAt != nil { return }
        agenda[startsAt]?.rematchAt = clock.now() < first ? first : outcome.lookAgainAt
    }

    private func report(_ startsAt: Timestamp, _ outcome: SlotMatcher.Outcome, seconds: Double) {
        let now = clock.now()
        let lateness = outcome.isFirst ? now.since(rules.opensAt(startsAt)) : .zero
        metrics.matched(
            people: outcome.people, rematched: outcome.rematched, seconds: seconds, isFirst: outcome.isFirst,
            lateness: lateness)
        Log.info(
            "matched",
            ["slot": startsAt, "people": outcome.people, "rooms": outcome.rooms.count, "seconds": seconds])
    }

    private func serve(_ startsAt: Timestamp) async throws {
        try await store.serve(startsAt, at: clock.now())
        agenda[startsAt]?.isServed = true
    }

    private func close(_ startsAt: Timestamp) async throws {
        // What this server knows of the slot is stored first: who entered, and how often they cheered.
        try await rooms.storeEverything()
        let closed = try await SlotCloser(clock: clock, store: store).close(startsAt)
        agenda[startsAt] = nil
        plans[startsAt] = nil
        if closed { Log.info("closed", ["slot": "\(startsAt)"]) }
        changed(.notifications)
    }

    private func sleep(until instant: Timestamp) async {
        if wasWoken {
            wasWoken = false
            return
        }
        let delay = min(max(instant.since(clock.now()), .zero), Self.longestSleep)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wakeUp = continuation
                cancelAlarm = clock.wake(after: delay) { [weak self] in
                    self?.assumeIsolated { $0.wake() }
                }
                if Task.isCancelled || wasWoken { wake() }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.wake() } }
        }
        cancelAlarm?()
        cancelAlarm = nil
        wasWoken = false
    }
}
