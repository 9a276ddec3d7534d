import Contract
import Matching
import Postgres
import TestKit
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Promises of the match")
struct SlotPromiseTests {
    @Test("two people do not meet if either has blocked the other")
    func blocked() async throws {
        try await ScheduleFixture.withRegistered(4) { fixture, people in
            try await fixture.block(people[0], people[1])
            try await fixture.block(people[2], people[0])
            try await fixture.matchAtOpening()
            let rooms = Set(try await fixture.rooms().values)
            #expect(rooms == [[people[0], people[3]], [people[1], people[2]]])
        }
    }

    @Test("a block that was taken back does not count")
    func takenBack() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, people in
            try await fixture.block(people[0], people[1])
            try await fixture.pool.query("UPDATE blocks SET removed_at = created_at")
            try await fixture.matchAtOpening()
            #expect(try await fixture.rooms().count == 1)
        }
    }

    @Test("a late one does not join a person it may not meet")
    func lateBlocked() async throws {
        try await ScheduleFixture.withMatched(1) { fixture, alone in
            let late = try await fixture.register(1)
            try await fixture.block(alone[0], late[0])
            try await fixture.match()
            #expect(Set(try await fixture.rooms().values) == [Set(alone), Set(late)])
        }
    }

    @Test("people who met yesterday meet others, favourites and people of one tag meet")
    func preferences() async throws {
        try await ScheduleFixture.withRegistered(6) { fixture, people in
            try await fixture.meet(people[0], people[1], daysAgo: 1)
            try await fixture.favour(people[2], people[0])
            for person in [people[1], people[3]] {
                try await fixture.pool.query(
                    "UPDATE registrations SET tag = 'thesis' WHERE id = $1", [person])
            }
            try await fixture.matchAtOpening()
            let rooms = Set(try await fixture.rooms().values).filter { $0.isSubset(of: people) }
            #expect(rooms == [[people[0], people[2]], [people[1], people[3]], [people[4], people[5]]])
            let row = try #require(
                try await fixture.pool.query(
                    "SELECT match_cost, match_bound, match_method FROM slots WHERE starts_at = $1",
                    [ScheduleFixture.slot]
                ).first)
            let (cost, bound, method) = try row.decode(Int64.self, Int64.self, String.self)
            #expect(cost == 0 && bound == 0 && method == "bound")
        }
    }

    @Test("without trios one is left alone, and another one the next time")
    func withoutTrios() async throws {
        try await ScheduleFixture.withRegistered(3) { fixture, people in
            fixture.set(ScheduleFixture.opening)
            try await fixture.matcher { $0.trios = false }.match(ScheduleFixture.slot, seed: 7)
            let sizes = try await fixture.rooms().values.map(\.count).sorted()
            #expect(sizes == [1, 2])
            let first = try #require(try await fixture.leftAlone(in: ScheduleFixture.slot))
            let next = try await fixture.registerAgain(people, in: ScheduleFixture.end)
            fixture.set(ScheduleFixture.end.adding(.seconds(-60)))
            try await fixture.matcher { $0.trios = false }.match(ScheduleFixture.end, seed: 7)
            let second = try #require(try await fixture.leftAlone(in: ScheduleFixture.end))
            #expect(first != second)
            #expect(next.count == 3)
        }
    }

    @Test("a plan that was made ahead is followed, and mended where people have come, gone or parted since")
    func plannedAhead() async throws {
        try await ScheduleFixture.withRegistered(8) { fixture, people in
            let matcher = fixture.matcher()
            fixture.set(ScheduleFixture.opening.adding(.seconds(-20)))
            let plan = try await matcher.plan(ScheduleFixture.slot, seed: 3)
            let planned = plan.match.rooms.map { room in Set(room.map { plan.people[Int($0)].registration }) }
            let pair = try #require(planned.first).map { $0 }
            try await fixture.block(pair[0], pair[1])
            let gone = try #require(planned.last?.first)
            try await fixture.pool.query(
                "UPDATE registrations SET cancelled_at = created_at WHERE id = $1", [gone])
            let new = try await fixture.register(1)
            fixture.set(ScheduleFixture.opening)
            let outcome = try await matcher.match(ScheduleFixture.slot, following: plan, seed: 4)
            #expect(outcome.isFirst && outcome.people == 8)
            let rooms = try await fixture.rooms().values
            #expect(rooms.allSatisfy { $0.count == 2 && !$0.isSuperset(of: pair) })
            #expect(Set(rooms.joined()) == Set(people + new).subtracting([gone]))
        }
    }

    @Test("a plan that still holds is the match")
    func followed() async throws {
        try await ScheduleFixture.withRegistered(9) { fixture, _ in
            let matcher = fixture.matcher()
            let plan = try await matcher.plan(ScheduleFixture.slot, seed: 3)
            let planned = plan.match.rooms.map { room in Set(room.map { plan.people[Int($0)].registration }) }
            fixture.set(ScheduleFixture.opening)
            try await matcher.match(ScheduleFixture.slot, following: plan, seed: 4)
            #expect(Set(try await fixture.rooms().values) == Set(planned))
        }
    }

    /// The query for a match that has written everything and waits for its time.
    private static let isWritten = """
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'
            AND query LIKE 'COPY members%'
        """

    @Test("with a head start the match is written before the opening, and seen from the opening on")
    func headStart() async throws {
        try await ScheduleFixture.withRegistered(9) { fixture, people in
            let matcher = fixture.matcher { $0.hasHeadStart = true }
            let plan = try await matcher.plan(ScheduleFixture.slot, seed: 3)
            fixture.set(ScheduleFixture.opening.adding(.milliseconds(-300)))
            let early = try await matcher.match(ScheduleFixture.slot, following: plan, seed: 4)
            guard case .tooEarly = early else { throw TestError("it matched: \(early)") }
            fixture.set(ScheduleFixture.opening.adding(.milliseconds(-200)))
            let match = Task(executorPreference: fixture.pool.loop) {
                try await matcher.match(ScheduleFixture.slot, following: plan, seed: 4)
            }
            while try await fixture.pool.query(Self.isWritten).isEmpty { await Task.yield() }
            #expect(try await fixture.rooms().isEmpty)
            // Other writers of notifications do not wait for the opening.
            try await fixture.pool.transaction { try await NotificationWriter.lock(on: $0) }
            fixture.set(ScheduleFixture.opening)
            #expect(try await match.value.isFirst)
            #expect(Set(try await fixture.rooms().values.joined()) == Set(people))
            let row = try #require(try await fixture.pool.query("SELECT opened_at FROM slots").first)
            #expect(try row.decode(0, Timestamp.self) == ScheduleFixture.opening)
        }
    }

    @Test("a block while the match waits for the opening keeps the two apart")
    func blockedInHeadStart() async throws {
        try await ScheduleFixture.withRegistered(8) { fixture, _ in
            let matcher = fixture.matcher { $0.hasHeadStart = true }
            let plan = try await matcher.plan(ScheduleFixture.slot, seed: 3)
            fixture.set(ScheduleFixture.opening.adding(.milliseconds(-200)))
            let match = Task(executorPreference: fixture.pool.loop) {
                try await matcher.match(ScheduleFixture.slot, following: plan, seed: 4)
            }
            while try await fixture.pool.query(Self.isWritten).isEmpty { await Task.yield() }
            let pair = try #require(plan.match.rooms.first).map { plan.people[Int($0)].registration }
            try await fixture.block(pair[1], pair[0])
            fixture.set(ScheduleFixture.opening)
            let outcome = try await match.value
            #expect(outcome.isFirst && outcome.people == 8)
            let rooms = try await fixture.rooms().values
            #expect(rooms.count == 4 && rooms.allSatisfy { !$0.isSuperset(of: pair) })
            for person in rooms.joined() { #expect(try await fixture.told(person) == ["room.opened"]) }
        }
    }

    @Test("if wishes cannot be read, all people are matched without them, and blocks hold")
    func withoutPreferences() async throws {
        try await ScheduleFixture.withRegistered(4) { fixture, people in
            try await fixture.block(people[0], people[1])
            try await fixture.block(people[2], people[0])
            fixture.set(ScheduleFixture.opening)
            try await fixture.pool.transaction { connection in
                try await connection.query("LOCK TABLE favourites IN ACCESS EXCLUSIVE MODE")
                let outcome = try await fixture.match()
                #expect(outcome.isFirst && outcome.people == 4)
            }
            let rooms = Set(try await fixture.rooms().values)
            #expect(rooms == [[people[0], people[3]], [people[1], people[2]]])
        }
    }
}
