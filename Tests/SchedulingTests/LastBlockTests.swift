import Contract
import Matching
import Postgres
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

/// Tests of a match that has read the blocks, and waits for the lock of the notification writers.
@Suite("Blocks that are acknowledged while a match waits for its last lock")
struct LastBlockTests {
    @Test("those two do not meet at the opening", arguments: [5_000, 1])
    func opening(roomsAtOnce: Int) async throws {
        try await ScheduleFixture.withRegistered(4) { fixture, people in
            let matcher = fixture.matcher { $0.roomsAtOnce = roomsAtOnce }
            let plan = try await matcher.plan(ScheduleFixture.slot, seed: 1)
            let pair = try #require(plan.match.rooms.first).map { plan.people[Int($0)].registration }
            fixture.set(ScheduleFixture.opening)
            try await Self.block(pair, while: matcher, following: plan, fixture)
            // In a match in parts those two are placed among the others afterwards.
            try await matcher.match(ScheduleFixture.slot, seed: 2)
            let rooms = try await fixture.rooms().values
            #expect(rooms.allSatisfy { !$0.isSuperset(of: pair) })
            #expect(Set(rooms.joined()) == Set(people))
        }
    }

    @Test("a late one does not join the other")
    func late() async throws {
        try await ScheduleFixture.withMatched(1) { fixture, alone in
            let late = try await fixture.register(1)
            try await Self.block(alone + late, while: fixture.matcher(), fixture)
            #expect(Set(try await fixture.rooms().values) == [Set(alone), Set(late)])
        }
    }

    @Test("who is alone is not taken to the other")
    func rematch() async throws {
        try await ScheduleFixture.with { fixture in
            let matcher = fixture.matcher { $0.noShow = .seconds(120) }
            try await fixture.register(4)
            fixture.set(ScheduleFixture.opening)
            try await matcher.match(ScheduleFixture.slot, seed: 1)
            let present = try await fixture.rooms().values.compactMap(\.first)
            try await fixture.arrive(present)
            fixture.set(ScheduleFixture.slot.adding(.seconds(120)))
            try await Self.block(present, while: matcher, fixture)
            for room in try await fixture.rooms().values { #expect(!room.isSuperset(of: present)) }
        }
    }

    @Test("two who have met already, and have blocked each other since, keep no other person from joining")
    func metAlready() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            let late = try await fixture.register(1)
            try await Self.block(pair, while: fixture.matcher(), fixture)
            #expect(Set(try await fixture.rooms().values) == [Set(pair + late)])
        }
    }

    /// Has the first of the pair block the second, once the match waits for the lock.
    private static func block(
        _ pair: [Identifier], while matcher: SlotMatcher, following plan: SlotPlan? = nil,
        _ fixture: ScheduleFixture
    ) async throws {
        let (isLocked, locked) = AsyncStream<Void>.makeStream()
        let (mayGoOn, letGoOn) = AsyncStream<Void>.makeStream()
        async let writer: Void = fixture.pool.transaction { connection in
            try await NotificationWriter.lock(on: connection)
            locked.yield()
            for await _ in mayGoOn { break }
        }
        for await _ in isLocked { break }
        let match = Task(executorPreference: fixture.pool.loop) {
            try await matcher.match(ScheduleFixture.slot, following: plan, seed: 1)
        }
        let waiting =
            "SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database "
            + "WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()"
        while try await fixture.pool.query(waiting).isEmpty { await Task.yield() }
        try await fixture.block(pair[0], pair[1])
        letGoOn.yield()
        try await writer
        _ = try await match.value
    }
}
