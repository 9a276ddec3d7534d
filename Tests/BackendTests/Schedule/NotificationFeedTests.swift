import Contract
import Matching
import Postgres
import Reactor
import Testing

@testable import Backend

@Suite("The notification feed")
struct NotificationFeedTests {
    /// A feed that runs, and what it needs.
    private struct World {
        let fixture: ScheduleFixture
        let feed: NotificationFeed

        init(_ fixture: ScheduleFixture) {
            self.fixture = fixture
            feed = NotificationFeed(
                pool: fixture.pool, reader: NotificationReader(tickets: fixture.application.tickets),
                now: fixture.application.now)
        }

        /// The stream of one of those who are registered, in the order of their registrations.
        func subscribe(_ index: Int) async throws -> NotificationFeed.Events {
            let rows = try await fixture.pool.query("SELECT user_id FROM registrations ORDER BY id")
            return try await feed.subscribe(try Array(rows)[index].decode(0, UUID.self)).events
        }

        /// Opens the slot; `meanwhile` runs when everything is written and nothing is committed.
        func open(meanwhile: @escaping @Sendable () async throws -> Void = {}) async throws {
            fixture.set(ScheduleFixture.opening)
            let store = PostgresSchedule(pool: fixture.pool, serverName: "here", feed: feed)
            try await store.transaction(on: ScheduleFixture.slot) { transaction in
                try await Self.open(in: transaction)
                try await meanwhile()
            }
        }

        static func open(in transaction: any SlotTransaction) async throws {
            let people = try await transaction.arrivals()
            let room = SlotOpening.Room(id: Scheduler.unguessable(), members: people)
            let record = MatchRecord(
                seed: 1, method: .bound, cost: 0, bound: 0, asOf: ScheduleFixture.opening)
            try await transaction.open(
                SlotOpening(rooms: [room], record: record), at: ScheduleFixture.opening)
        }

        /// The ids of what one of them was told, as the table has them.
        func stored(_ index: Int) async throws -> [Int64] {
            let rows = try await fixture.pool.query(
                """
                SELECT notifications.id FROM notifications
                WHERE registration_id = (SELECT id FROM registrations ORDER BY id OFFSET $1 LIMIT 1)
                ORDER BY notifications.id
                """, [Int64(index)])
            return try rows.map { try $0.decode(0, Int64.self) }
        }

        /// Ends the slot. What it tells comes last, so that a second copy of something would come before it.
        func close() async throws {
            fixture.set(ScheduleFixture.end)
            _ = try await fixture.close()
            await feed.wake()
        }
    }

    private struct GivenUp: Error {}

    private static func with(_ body: (World) async throws -> Void) async throws {
        try await ScheduleFixture.with { fixture in
            let world = World(fixture)
            let running = Task(executorPreference: fixture.pool.loop) { await world.feed.run() }
            defer { running.cancel() }
            try await body(world)
        }
    }

    private static func first(
        _ count: Int, of events: NotificationFeed.Events
    ) async -> [NotificationFeed.Event] {
        var found: [NotificationFeed.Event] = []
        for await event in events {
            found.append(event)
            if found.count == count { break }
        }
        return found
    }

    @Test("what a transaction tells is read in it, and handed out once when it has committed")
    func onceAfterTheCommit() async throws {
        try await Self.with { world in
            try await world.fixture.register(2)
            let events = try await world.subscribe(0)
            try await world.open {
                // Seen by whoever reads later.
                try await world.fixture.pool.query("UPDATE users SET name = 'renamed'")
            }
            await world.feed.wake()
            try await world.close()
            let told = await Self.first(2, of: events)
            #expect(try await world.stored(0) == told.map(\.id))
            #expect(String(decoding: told[0].bytes, as: UTF8.self).contains("somebody"))
        }
    }

    @Test("who subscribes between the writing and the commit is told too")
    func newcomer() async throws {
        try await Self.with { world in
            try await world.fixture.register(2)
            let events = try await world.subscribe(0)
            let late = Lock<NotificationFeed.Events?>(nil)
            try await world.open {
                let events = try await world.subscribe(1)
                late.withLock { $0 = events }
            }
            try await world.close()
            #expect(await Self.first(2, of: events).map(\.id) == (try await world.stored(0)))
            let others = try #require(late.withLock { $0 })
            #expect(await Self.first(2, of: others).map(\.id) == (try await world.stored(1)))
        }
    }

    @Test("what another server has opened meanwhile is told as that one did it")
    func overtaken() async throws {
        try await Self.with { world in
            try await world.fixture.register(2)
            let events = try await world.subscribe(0)
            let attempts = Lock(0)
            let store = PostgresSchedule(pool: world.fixture.pool, serverName: "here", feed: world.feed)
            try await store.transaction(on: ScheduleFixture.slot) { transaction in
                let attempt = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                // As where the other server had the slot's lock in between.
                if attempt > 1 { return }
                try await World.open(in: transaction)
                throw PostgresError.refused(.serializationFailure)
            }
            try await world.fixture.store.transaction(on: ScheduleFixture.slot) { transaction in
                try await World.open(in: transaction)
            }
            try await world.close()
            #expect(await Self.first(2, of: events).map(\.id) == (try await world.stored(0)))
        }
    }

    @Test("what was not committed is not told, and is told once when it is")
    func givenUp() async throws {
        try await Self.with { world in
            try await world.fixture.register(2)
            let events = try await world.subscribe(0)
            await #expect(throws: GivenUp.self) { try await world.open { throw GivenUp() } }
            await world.feed.wake()
            try await world.open()
            try await world.close()
            #expect(await Self.first(2, of: events).map(\.id) == (try await world.stored(0)))
        }
    }
}
