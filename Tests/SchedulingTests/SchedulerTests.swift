import API
import Codecs
import Contract
import Postgres
import Reactor
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Database
@testable import Logging
@testable import Scheduling

@Suite("The scheduler")
struct SchedulerTests {
    /// Rooms of whose members only the entries matter.
    private struct Rooms: ScheduledRooms {
        var entries: @Sendable () async throws -> Void = {}

        func storeEntries() async throws { try await entries() }
        func storeEverything() async throws {}
        func storePresence() async throws {}
        func refresh(_ rooms: [Identifier]) async {}
    }

    private static func scheduler(
        _ fixture: ScheduleFixture, _ store: FaultyStore, clock: LoopClock? = nil, rooms: Rooms = Rooms(),
        metrics: ScheduleMetrics = ScheduleMetrics()
    ) -> Scheduler {
        Scheduler(
            fixture.matcher().rules, store: store, rooms: rooms, clock: clock ?? fixture.scheduleClock,
            metrics: metrics, on: fixture.pool.loop, changed: { _ in })
    }

    /// Returns a clock that starts at the fixture's time and runs.
    private static func runningClock(_ fixture: ScheduleFixture) -> LoopClock {
        let begin = fixture.application.now()
        let begun = Monotonic.nanoseconds()
        return LoopClock(
            fixture.pool.loop,
            now: { begin.adding(.nanoseconds(Int64(clamping: Monotonic.nanoseconds() &- begun))) })
    }

    /// Runs the scheduler while the body runs.
    private static func run(
        _ scheduler: Scheduler, _ fixture: ScheduleFixture, _ body: () async throws -> Void
    ) async rethrows {
        let running = Task(executorPreference: fixture.pool.loop) {
            await Log.$isMuted.withValue(true) { await scheduler.run() }
        }
        defer { running.cancel() }
        try await body()
        running.cancel()
        await running.value
    }

    @Test("a slot whose match fails is tried again, and keeps no other slot waiting")
    func oneFails() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, people in
            try await fixture.registerAgain(people, in: ScheduleFixture.end)
            fixture.set(ScheduleFixture.end.adding(.seconds(-60)))
            let (attempts, continuation) = AsyncStream<Timestamp>.makeStream()
            let store = FaultyStore(
                store: fixture.store,
                before: { startsAt in
                    continuation.yield(startsAt)
                    if startsAt == ScheduleFixture.slot { throw PostgresError.refused(.lockNotAvailable) }
                })
            var failed = 0
            var others = 0
            let scheduler = Self.scheduler(fixture, store, clock: Self.runningClock(fixture))
            await Self.run(scheduler, fixture) {
                for await slot in attempts {
                    if slot == ScheduleFixture.slot { failed += 1 } else { others += 1 }
                    if failed == 4 { break }
                }
            }
            #expect(others == 1)
            #expect(try await fixture.rooms().values.map(\.count) == [2])
        }
    }

    @Test("the opening and the closing of a slot are measured, each once")
    func measured() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, _ in
            let metrics = ScheduleMetrics()
            let store = FaultyStore(store: fixture.store)
            fixture.set(ScheduleFixture.opening)
            await Self.run(Self.scheduler(fixture, store, metrics: metrics), fixture) {
                while metrics.current.openingSeconds.count == 0 { await Task.yield() }
            }
            #expect(metrics.current.closingSeconds.count == 0)
            fixture.set(ScheduleFixture.end.adding(.seconds(5)))
            await Self.run(Self.scheduler(fixture, store, metrics: metrics), fixture) {
                while metrics.current.closingSeconds.count == 0 { await Task.yield() }
            }
            #expect(metrics.current.openingSeconds.count == 1)
            #expect(metrics.current.closingSeconds.count == 1)
        }
    }

    @Test("a late one is placed, and that a server was up while the slot ran is noted all the same")
    func servedLate() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, _ in
            fixture.set(ScheduleFixture.slot.adding(.seconds(60)))
            try await fixture.register(1)
            let (notes, continuation) = AsyncStream<Void>.makeStream()
            let store = FaultyStore(store: fixture.store, beforeNote: { continuation.yield() })
            try await Self.run(Self.scheduler(fixture, store), fixture) {
                for await _ in notes { break }
                while try await fixture.rooms().values.map(\.count) != [3] { await Task.yield() }
                let served = "SELECT FROM slots WHERE served_at IS NOT NULL"
                while try await fixture.pool.query(served).isEmpty { await Task.yield() }
            }
            #expect(try await fixture.rooms().values.map(\.count) == [3])
            let row = try #require(try await fixture.pool.query("SELECT served_at FROM slots").first)
            #expect(try row.decode(0, Timestamp?.self) == fixture.application.now())
        }
    }

    @Test("a member who enters while a match waits for the slot is not moved as absent")
    func enteredMeanwhile() async throws {
        try await ScheduleFixture.with(lockTimeout: .seconds(600)) { fixture in
            let people = try await fixture.registerAndMatch(3)
            let entered = Lock<[Identifier]>([])
            let rooms = Rooms(entries: { try await fixture.enter(entered.withLock { $0 }) })
            let scheduler = Self.scheduler(fixture, FaultyStore(store: fixture.store), rooms: rooms)
            try await Self.run(scheduler, fixture) {
                try await fixture.pool.transaction { connection in
                    try await SlotLock.take(ScheduleFixture.slot, on: connection)
                    try await SlotLock.allow(idle: .seconds(600), on: connection)
                    try await fixture.register(1)
                    await scheduler.slotChanged(ScheduleFixture.slot)
                    let waiting =
                        "SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database "
                        + "WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()"
                    while try await fixture.pool.query(waiting).isEmpty { await Task.yield() }
                    entered.withLock { $0 = people }
                }
                while try await fixture.rooms().count < 2 { await Task.yield() }
            }
            #expect(try await fixture.rooms().values.contains(Set(people)))
        }
    }

    @Test("nothing is opened while it is uncertain what time it is")
    func standsBack() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, people in
            let clock = ReferenceClock(monotonic: { 0 }, machine: ScheduleFixture.slot)
            let (reads, continuation) = AsyncStream<Void>.makeStream()
            let transactions = Lock(0)
            let store = FaultyStore(
                store: fixture.store, before: { _ in transactions.withLock { $0 += 1 } },
                beforeAgenda: { continuation.yield() })
            let scheduler = Self.scheduler(fixture, store, clock: LoopClock(fixture.pool.loop, clock))
            try await Self.run(scheduler, fixture) {
                var times = 0
                for await _ in reads {
                    times += 1
                    // The scheduler has passed over what the first reading of the agenda found due by then.
                    if times == 3 { break }
                    await scheduler.reread()
                }
                #expect(transactions.withLock { $0 } == 0)
                clock.add(
                    ClockOffset.Measurement(sent: 0, received: 0, shown: ScheduleFixture.slot))
                await scheduler.wake()
                while try await fixture.rooms().isEmpty { await Task.yield() }
            }
            #expect(try await Set(fixture.rooms().values) == [Set(people)])
        }
    }

    @Test("a slot that takes long keeps no other slot waiting")
    func sideBySide() async throws {
        try await ScheduleFixture.with(lockTimeout: .seconds(600)) { fixture in
            let people = try await fixture.register(2)
            let others = try await fixture.registerAgain(people, in: ScheduleFixture.end)
            fixture.set(ScheduleFixture.end.adding(.seconds(-60)))
            let (isLocked, locked) = AsyncStream<Void>.makeStream()
            let (mayGoOn, letGoOn) = AsyncStream<Void>.makeStream()
            async let holder: Void = fixture.pool.transaction { connection in
                try await connection.query("SET LOCAL idle_in_transaction_session_timeout = 0")
                try await SlotLock.take(ScheduleFixture.slot, on: connection)
                try await SlotLock.allow(idle: .seconds(600), on: connection)
                locked.yield()
                for await _ in mayGoOn { break }
            }
            for await _ in isLocked { break }
            let scheduler = Self.scheduler(fixture, FaultyStore(store: fixture.store))
            try await Self.run(scheduler, fixture) {
                while try await fixture.rooms().isEmpty { await Task.yield() }
                #expect(try await Set(fixture.rooms().values) == [Set(others)])
                letGoOn.yield()
                while try await fixture.rooms().count < 2 { await Task.yield() }
            }
            try await holder
        }
    }
}
