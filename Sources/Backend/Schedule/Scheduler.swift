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

    private let rules: ScheduleRules
    private let store: any ScheduleStore
    private let rooms: any ScheduledRooms
    private let clock: any ScheduleClock
    private let metrics: ScheduleMetrics
    private let changed: @Sendable (Hint) -> Void
    private let makeRoomID: @Sendable () -> UUID
    private let loop: EventLoop
    private var agenda: Agenda
    private var generator: any RandomNumberGenerator & Sendable
    private var lastRead: Timestamp?
    private var failures = 0
    private var wakeUp: CheckedContinuation<Void, Never>?
    private var wasWoken = false
    private var cancelAlarm: (@Sendable () -> Void)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Lives on the loop. `changed` is told at once, in this process, of what the others hear by the database.
    init(
        _ rules: ScheduleRules, store: any ScheduleStore, rooms: any ScheduledRooms, clock: any ScheduleClock,
        metrics: ScheduleMetrics, on loop: EventLoop, changed: @escaping @Sendable (Hint) -> Void,
        using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        makeRoomID: @escaping @Sendable () -> UUID = Scheduler.unguessable
    ) {
        self.rules = rules
        self.store = store
        self.rooms = rooms
        self.clock = clock
        self.metrics = metrics
        self.changed = changed
        self.makeRoomID = makeRoomID
        self.generator = generator
        self.loop = loop
        agenda = Agenda(lead: rules.lead, grace: rules.grace)
    }

    /// Not of the match's own generator: that one can be seeded, and a room's id must not be guessed.
    static let unguessable: @Sendable () -> UUID = {
        var system = SystemRandomNumberGenerator()
        return UUID.v4(using: &system)
    }

    /// Works until its task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await rereadWhereDue()
                try await work()
                failures = 0
                await sleep(until: nextInstant())
            } catch {
                if Task.isCancelled { return }
                failures += 1
                lastRead = nil
                Log.warning("the scheduler tries again", ["error": "\(error)", "attempt": "\(failures)"])
                await sleep(
                    until: clock.now().adding(.milliseconds(min(100 << min(failures, 5), 2_000))))
            }
        }
    }

    /// Somebody registered for the slot, or something else made it worth a look.
    func slotChanged(_ startsAt: Timestamp) {
        let now = clock.now()
        if var slot = agenda[startsAt] {
            // Before the opening it is on the agenda anyway. From then on a match may be under way that does not see it.
            guard now >= rules.opensAt(startsAt), slot.endsAt > now else { return }
            slot.hasLateArrivals = true
            agenda[startsAt] = slot
        } else {
            agenda[startsAt] = Agenda.Slot(endsAt: rules.endsAt(startsAt), isOpened: false, isServed: false)
        }
        wake()
    }

    /// Hints may have been lost: the agenda is read anew.
    func reread() {
        lastRead = nil
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
        let entries = try await store.agenda()
        var read = Agenda(lead: rules.lead, grace: rules.grace)
        for entry in entries {
            read[entry.startsAt] = Agenda.Slot(
                endsAt: entry.endsAt, isOpened: entry.isOpened, isServed: entry.isServed,
                hasLateArrivals: entry.hasLateArrivals)
        }
        // A hint that came while the query ran may tell of what it did not see yet.
        for (startsAt, slot) in agenda.slots where slot.hasLateArrivals || read[startsAt] == nil {
            if slot.endsAt > now && read[startsAt] == nil { read[startsAt] = slot }
            if slot.hasLateArrivals { read[startsAt]?.hasLateArrivals = true }
        }
        agenda = read
        lastRead = now
    }

    private func nextInstant() -> Timestamp {
        let now = clock.now()
        let reread = (lastRead ?? now).adding(Self.rereadInterval)
        return min(agenda.nextInstant(after: now) ?? reread, reread)
    }

    // The work.

    private func work() async throws {
        while true {
            let due = agenda.due(at: clock.now())
            if due.isEmpty { return }
            for (startsAt, task) in due {
                switch task {
                case .match: try await match(startsAt)
                case .serve: try await serve(startsAt)
                case .close: try await close(startsAt)
                }
            }
        }
    }

    private func match(_ startsAt: Timestamp) async throws {
        let wasOpened = agenda[startsAt]?.isOpened ?? false
        agenda[startsAt]?.hasLateArrivals = false
        if wasOpened { try await rooms.storeEntries() }
        let begun = Monotonic.nanoseconds()
        let outcome: SlotMatcher.Outcome
        do {
            let matcher = SlotMatcher(rules: rules, clock: clock, store: store, makeRoomID: makeRoomID)
            outcome = try await matcher.match(startsAt, seed: generator.next())
        } catch {
            agenda[startsAt]?.hasLateArrivals = true
            throw error
        }
        agenda[startsAt]?.isOpened = true
        if clock.now() >= startsAt { agenda[startsAt]?.isServed = true }
        if outcome.rooms.isEmpty { return }
        let seconds = Double(Monotonic.nanoseconds() &- begun) / 1e9
        let lateness = clock.now().since(wasOpened ? clock.now() : rules.opensAt(startsAt))
        metrics.matched(
            people: outcome.people, seconds: seconds, isFirst: outcome.isFirst, lateness: lateness)
        Log.info(
            "matched",
            ["slot": "\(startsAt)", "people": "\(outcome.people)", "rooms": "\(outcome.rooms.count)"])
        changed(.notifications)
        await rooms.refresh(outcome.rooms)
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
        guard closed else { return }
        Log.info("closed", ["slot": "\(startsAt)"])
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
