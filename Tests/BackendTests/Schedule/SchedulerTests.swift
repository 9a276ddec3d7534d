import Contract
import Postgres
import Reactor
import Testing

@testable import Backend

@Suite("The scheduler")
struct SchedulerTests {
    /// Nobody is in a room here.
    private struct NoRooms: ScheduledRooms {
        func storeEntries() async throws {}
        func storeEverything() async throws {}
        func storePresence() async throws {}
        func refresh(_ rooms: [UUID]) async {}
    }

    private static func scheduler(
        _ fixture: ScheduleFixture, _ store: FaultyStore, clock: LoopClock? = nil
    ) -> Scheduler {
        Scheduler(
            fixture.matcher().rules, store: store, rooms: NoRooms(), clock: clock ?? fixture.scheduleClock,
            metrics: ScheduleMetrics(), on: fixture.pool.loop, changed: { _ in })
    }

    /// The fixture's clock, but it goes on.
    private static func runningClock(_ fixture: ScheduleFixture) -> LoopClock {
        let begin = fixture.application.now()
        let begun = Monotonic.nanoseconds()
        return LoopClock(
            fixture.pool.loop,
            now: { begin.adding(.nanoseconds(Int64(clamping: Monotonic.nanoseconds() &- begun))) })
    }

    /// The scheduler runs while the body does.
    private static func run(
        _ scheduler: Scheduler, _ fixture: ScheduleFixture, _ body: () async -> Void
    ) async {
        let running = Task(executorPreference: fixture.pool.loop) {
            await Log.$isMuted.withValue(true) { await scheduler.run() }
        }
        await body()
        running.cancel()
        await running.value
    }

    @Test("a slot whose match fails is tried again, and keeps no other slot waiting")
    func oneFails() async throws {
        try await ScheduleFixture.with { fixture in
            let people = try await fixture.register(2)
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

    @Test("a late one is placed, and that a server was up while the slot ran is noted all the same")
    func servedLate() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.register(2)
            fixture.set(ScheduleFixture.opening)
            try await fixture.match()
            fixture.set(ScheduleFixture.slot.adding(.seconds(60)))
            try await fixture.register(1)
            let (notes, continuation) = AsyncStream<Void>.makeStream()
            let store = FaultyStore(store: fixture.store, beforeNote: { continuation.yield() })
            await Self.run(Self.scheduler(fixture, store), fixture) {
                for await _ in notes { break }
            }
            #expect(try await fixture.rooms().values.map(\.count) == [3])
            let row = try #require(try await fixture.pool.query("SELECT served_at FROM slots").first)
            #expect(try row.decode(0, Timestamp?.self) == fixture.application.now())
        }
    }
}
