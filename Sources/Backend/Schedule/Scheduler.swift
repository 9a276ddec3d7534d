import Contract
import Matching
import Postgres
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

    private let application: Application
    private let pool: PostgresPool
    private let loop: EventLoop
    private let rooms: RoomKeeper
    private let metrics: ScheduleMetrics
    private var agenda: Agenda
    private var generator: any RandomNumberGenerator & Sendable
    private var lastRead: Timestamp?
    private var failures = 0
    private var wakeUp: CheckedContinuation<Void, Never>?
    private var wasWoken = false
    private var alarm: EventLoop.Timer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ application: Application, pool: PostgresPool, rooms: RoomKeeper, metrics: ScheduleMetrics,
        using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.application = application
        self.pool = pool
        self.rooms = rooms
        self.metrics = metrics
        self.generator = generator
        loop = pool.loop
        agenda = Agenda(
            lead: .seconds(application.configuration.leadSeconds), grace: .milliseconds(500))
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
                    until: application.now().adding(.milliseconds(min(100 << min(failures, 5), 2_000))))
            }
        }
    }

    /// Somebody registered for the slot, or something else made it worth a look.
    func slotChanged(_ startsAt: Timestamp) {
        let now = application.now()
        if var slot = agenda[startsAt] {
            // Before the opening it is on the agenda anyway. From then on a match may be under way that does not see it.
            guard now >= application.opensAt(startsAt), slot.endsAt > now else { return }
            slot.hasLateArrivals = true
            agenda[startsAt] = slot
        } else {
            let end = Timestamp(seconds: application.grid.end(ofSlotAt: startsAt.seconds))
            agenda[startsAt] = Agenda.Slot(endsAt: end, isOpened: false, isServed: false)
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

    private static let readAgenda = """
        SELECT starts_at, ends_at, opened_at IS NOT NULL, served_at IS NOT NULL,
            opened_at IS NOT NULL AND EXISTS (
                SELECT FROM registrations
                WHERE registrations.starts_at = slots.starts_at AND cancelled_at IS NULL AND user_id IS NOT NULL
                    AND NOT EXISTS (
                        SELECT FROM members WHERE registration_id = registrations.id AND left_revision IS NULL))
        FROM slots WHERE closed_at IS NULL
        """

    private func rereadWhereDue() async throws {
        let now = application.now()
        if let lastRead, now < lastRead.adding(Self.rereadInterval), now >= lastRead { return }
        let rows = try await pool.query(Self.readAgenda, retrying: true)
        var read = Agenda(lead: .seconds(application.configuration.leadSeconds), grace: .milliseconds(500))
        for row in rows {
            let (startsAt, endsAt, isOpened, isServed, isLate) = try row.decode(
                Timestamp.self, Timestamp.self, Bool.self, Bool.self, Bool.self)
            read[startsAt] = Agenda.Slot(
                endsAt: endsAt, isOpened: isOpened, isServed: isServed, hasLateArrivals: isLate)
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
        let now = application.now()
        let reread = (lastRead ?? now).adding(Self.rereadInterval)
        return min(agenda.nextInstant(after: now) ?? reread, reread)
    }

    // The work.

    private func work() async throws {
        while true {
            let due = agenda.due(at: application.now())
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
            outcome = try await SlotMatcher(application: application).match(
                startsAt, on: pool, seed: generator.next())
        } catch {
            agenda[startsAt]?.hasLateArrivals = true
            throw error
        }
        agenda[startsAt]?.isOpened = true
        if application.now() >= startsAt { agenda[startsAt]?.isServed = true }
        if outcome.rooms.isEmpty { return }
        let seconds = Double(Monotonic.nanoseconds() &- begun) / 1e9
        let lateness = application.now().since(wasOpened ? application.now() : application.opensAt(startsAt))
        metrics.matched(
            people: outcome.people, seconds: seconds, isFirst: outcome.isFirst, lateness: lateness)
        Log.info(
            "matched",
            ["slot": "\(startsAt)", "people": "\(outcome.people)", "rooms": "\(outcome.rooms.count)"])
        application.changed(.notifications)
        await rooms.refresh(outcome.rooms)
    }

    private func serve(_ startsAt: Timestamp) async throws {
        try await pool.execute(
            "UPDATE slots SET served_at = $2 WHERE starts_at = $1 AND served_at IS NULL",
            [startsAt, application.now()])
        agenda[startsAt]?.isServed = true
    }

    private func close(_ startsAt: Timestamp) async throws {
        // What this server knows of the slot is stored first: who entered, and how often they cheered.
        try await rooms.storeEverything()
        let closed = try await SlotCloser(application: application).close(startsAt, on: pool)
        agenda[startsAt] = nil
        guard closed else { return }
        Log.info("closed", ["slot": "\(startsAt)"])
        application.changed(.notifications)
    }

    private func sleep(until instant: Timestamp) async {
        if wasWoken {
            wasWoken = false
            return
        }
        let delay = min(max(instant.since(application.now()), .zero), Self.longestSleep)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wakeUp = continuation
                alarm = loop.schedule(after: delay) { [weak self] in
                    self?.assumeIsolated { $0.wake() }
                }
                if Task.isCancelled || wasWoken { wake() }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.wake() } }
        }
        if let alarm { loop.cancel(alarm) }
        alarm = nil
        wasWoken = false
    }
}
