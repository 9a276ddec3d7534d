import API
import Contract
import Matching
import Postgres
import Reactor
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("The notification feed")
struct NotificationFeedTests {
    /// A running feed, and what it needs.
    private struct World {
        let fixture: ScheduleFixture
        let feed: NotificationFeed
        let lastIDs: LastIDs

        init(_ fixture: ScheduleFixture) {
            self.fixture = fixture
            let lastIDs = LastIDs()
            self.lastIDs = lastIDs
            feed = NotificationFeed(
                pool: fixture.pool, reader: NotificationReader(tickets: fixture.application.tickets),
                now: fixture.application.now, lastID: { try await lastIDs.read($0) })
        }

        /// Opens the slot as another server would, without a change event.
        func openElsewhere() async throws {
            fixture.set(ScheduleFixture.opening)
            try await fixture.store.transaction(on: ScheduleFixture.slot) { try await Self.open(in: $0) }
        }

        /// Subscribes the user with that index, in the order of the registrations.
        func subscribe(_ index: Int) async throws -> NotificationFeed.Events {
            let rows = try await fixture.pool.query("SELECT user_id FROM registrations ORDER BY id")
            let user = try Array(rows)[index].decode(0, Identifier.self)
            return try await feed.subscribe(user, tokenVersion: 1).events
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
            let opening = SlotOpening(rooms: [room], record: record)
            try await transaction.open(opening, at: ScheduleFixture.opening)
            try await transaction.tell(opening, at: ScheduleFixture.opening)
        }

        /// Returns the ids of the notifications stored for the registration with that index.
        func stored(_ index: Int) async throws -> [Int64] {
            let rows = try await fixture.pool.query(
                """
                SELECT notifications.id FROM notifications
                WHERE registration_id = (SELECT id FROM registrations ORDER BY id OFFSET $1 LIMIT 1)
                ORDER BY notifications.id
                """, [Int64(index)])
            return try rows.map { try $0.decode(0, Int64.self) }
        }

        /// Ends the slot. Its notification comes last, so that a duplicate would come before it.
        func close() async throws {
            fixture.set(ScheduleFixture.end)
            _ = try await fixture.close()
            await feed.wake()
        }
    }

    /// A reader of the newest id that can hold back an answer.
    private final class LastIDs: Sendable {
        private enum Next {
            case answer
            case hold
            case held(CheckedContinuation<Void, Never>)
        }

        private let next = Lock(Next.answer)
        private let answered = Lock(0)

        /// Holds back the next answer.
        func hold() { next.withLock { $0 = .hold } }

        func read(_ pool: PostgresPool) async throws -> Int64 {
            let last = try await NotificationReader.lastID(from: pool)
            defer { answered.withLock { $0 += 1 } }
            await withCheckedContinuation { continuation in
                let isHeld = next.withLock { next in
                    guard case .hold = next else { return false }
                    next = .held(continuation)
                    return true
                }
                if !isHeld { continuation.resume() }
            }
            return last
        }

        /// Returns when so many questions have been answered.
        func waitUntilAnswered(_ count: Int) async {
            while answered.withLock({ $0 < count }) { await Task.yield() }
        }

        /// Returns when an answer is held back.
        func waitUntilHeld() async {
            while !next.withLock({ if case .held = $0 { true } else { false } }) { await Task.yield() }
        }

        func release() {
            let held: CheckedContinuation<Void, Never>? = next.withLock { next in
                guard case .held(let continuation) = next else { return nil }
                next = .answer
                return continuation
            }
            held?.resume()
        }
    }

    private struct GivenUp: Error {}

    /// Lends a world to the body, in which two people are registered.
    private static func with(_ body: (World) async throws -> Void) async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, _ in
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

    /// Returns the ids from a stream, up to the last notification that is stored for its user.
    private static func all(
        _ index: Int, of events: NotificationFeed.Events, _ world: World
    ) async throws -> [Int64] {
        let last = try await world.stored(index).last
        var found: [Int64] = []
        for await event in events {
            found.append(event.id)
            if event.id == last { break }
        }
        return found
    }

    @Test("what a transaction tells is read in it, and handed out once when it has committed")
    func onceAfterTheCommit() async throws {
        try await Self.with { world in
            let events = try await world.subscribe(0)
            try await world.open {
                // A later reading would show this name.
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
            let events = try await world.subscribe(0)
            let attempts = Lock(0)
            let store = PostgresSchedule(pool: world.fixture.pool, serverName: "here", feed: world.feed)
            try await store.transaction(on: ScheduleFixture.slot) { transaction in
                let attempt = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                // The other server had the slot's lock in between.
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
            let events = try await world.subscribe(0)
            await #expect(throws: GivenUp.self) { try await world.open { throw GivenUp() } }
            await world.feed.wake()
            try await world.open()
            try await world.close()
            #expect(await Self.first(2, of: events).map(\.id) == (try await world.stored(0)))
        }
    }

    @Test("of two who begin at the same time, the later one shares no reading that began before it")
    func laterReading() async throws {
        try await Self.with { world in
            world.lastIDs.hold()
            let first = Task { try await world.subscribe(0) }
            await world.lastIDs.waitUntilHeld()
            try await world.openElsewhere()
            // The second subscriber learns the newest id, and the first does not.
            let newcomer = Task { try await world.subscribe(1) }
            world.lastIDs.release()
            let events = try await first.value
            let second = try await newcomer.value
            try await world.close()
            #expect(try await Self.all(0, of: events, world) == (try await world.stored(0)))
            let rest = Array(try await world.stored(1).dropFirst())
            #expect(try await Self.all(1, of: second, world) == rest)
        }
    }

    @Test("if the feed goes back for a newcomer, no stream gets a notification twice")
    func newcomerBehind() async throws {
        try await Self.with { world in
            let old = try await world.subscribe(0)
            var iterator = old.makeAsyncIterator()
            // The subscriber reads the newest id, and so does the feed, which it wakes.
            await world.lastIDs.waitUntilAnswered(2)
            world.lastIDs.hold()
            let newcomer = Task { try await world.subscribe(1) }
            await world.lastIDs.waitUntilHeld()
            try await world.openElsewhere()
            await world.feed.wake()
            let opened = await iterator.next()
            world.lastIDs.release()
            let events = try await newcomer.value
            try await world.close()
            let rest = try await Self.all(0, of: old, world)
            #expect([opened?.id] + rest == (try await world.stored(0)))
            #expect(try await Self.all(1, of: events, world) == (try await world.stored(1)))
        }
    }

    @Test("a newcomer during a reading that is not for them is read for next")
    func newcomerDuringReading() async throws {
        try await Self.with { world in
            let old = try await world.subscribe(0)
            await world.lastIDs.waitUntilAnswered(2)
            world.lastIDs.hold()
            let newcomer = Task { try await world.subscribe(1) }
            await world.lastIDs.waitUntilHeld()
            try await world.openElsewhere()
            let events = Lock<NotificationFeed.Events?>(nil)
            try await world.fixture.pool.transaction { connection in
                // The feed knows the newest id, and cannot read the notification yet.
                try await connection.query("LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
                await world.feed.wake()
                try await world.fixture.pool.waitForBlocked()
                world.lastIDs.release()
                let new = try await newcomer.value
                events.withLock { $0 = new }
            }
            try await world.close()
            #expect(try await Self.all(0, of: old, world) == (try await world.stored(0)))
            let others = try #require(events.withLock { $0 })
            #expect(try await Self.all(1, of: others, world) == (try await world.stored(1)))
        }
    }
}
