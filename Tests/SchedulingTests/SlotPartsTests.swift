import Contract
import Matching
import Postgres
import Reactor
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("A match in parts")
struct SlotPartsTests {
    private struct Killed: Error {}

    /// Returns a store that ends a match after so many committed transactions, as a kill would. A rolled-back
    /// one does not count: a match whose preferences took too long to read is tried again without them.
    private static func mortal(_ store: PostgresSchedule, transactions: Int) -> FaultyStore {
        let left = Lock(transactions)
        return FaultyStore(
            store: store,
            before: { _ in if left.withLock({ $0 <= 0 }) { throw Killed() } },
            committed: { left.withLock { $0 -= 1 } })
    }

    @Test("each person is in one room and notified once, however many parts there are")
    func whole() async throws {
        try await ScheduleFixture.withRegistered(41) { fixture, people in
            fixture.set(ScheduleFixture.opening)
            let outcome = try await fixture.matcher { $0.roomsAtOnce = 3 }.match(
                ScheduleFixture.slot, seed: 1)
            #expect(outcome.isFirst && outcome.people == 41 && outcome.rooms.count == 20)
            try await Self.expectEverybodyOnce(people, fixture)
            let row = try #require(
                try await fixture.pool.query("SELECT opened_at IS NOT NULL, leased_by FROM slots").first)
            let (isOpened, holder) = try row.decode(Bool.self, String?.self)
            #expect(isOpened && holder == nil)
        }
    }

    @Test("another server takes over where one was killed, once the lease is over", arguments: 1...5)
    func takenOver(transactions: Int) async throws {
        try await ScheduleFixture.withRegistered(24) { fixture, people in
            try await fixture.block(people[3], people[4])
            fixture.set(ScheduleFixture.opening)
            var here = fixture.matcher { $0.roomsAtOnce = 3 }
            here = SlotMatcher(
                rules: here.rules, clock: here.clock,
                store: Self.mortal(fixture.store, transactions: transactions), makeRoomID: here.makeRoomID,
                holder: "here")
            await #expect(throws: Killed.self) {
                try await here.match(ScheduleFixture.slot, seed: 1)
            }
            let there = fixture.matcher(holder: "there") { $0.roomsAtOnce = 3 }
            let early = try await there.match(ScheduleFixture.slot, seed: 2)
            if case .leased(let until) = early {
                #expect(until == ScheduleFixture.opening.adding(.seconds(15)))
            } else {
                #expect(!early.isFirst)
            }
            fixture.set(ScheduleFixture.opening.adding(.seconds(16)))
            try await there.match(ScheduleFixture.slot, seed: 2)
            try await there.match(ScheduleFixture.slot, seed: 3)
            try await Self.expectEverybodyOnce(people, fixture)
            for room in try await fixture.rooms().values {
                #expect(!room.isSuperset(of: [people[3], people[4]]))
            }
        }
    }

    @Test("who takes over plans again, and does not part those whose partners of its own plan have a room")
    func takenOverWithPlan() async throws {
        try await ScheduleFixture.withRegistered(24) { fixture, people in
            let there = fixture.matcher(holder: "there") { $0.roomsAtOnce = 3 }
            let old = try await there.plan(ScheduleFixture.slot, seed: 5)
            fixture.set(ScheduleFixture.opening)
            let rules = there.rules
            let here = SlotMatcher(
                rules: rules, clock: there.clock, store: Self.mortal(fixture.store, transactions: 3),
                makeRoomID: there.makeRoomID, holder: "here")
            await #expect(throws: Killed.self) {
                try await here.match(ScheduleFixture.slot, seed: 1)
            }
            #expect(try await fixture.rooms().count == 6)
            fixture.set(ScheduleFixture.opening.adding(.seconds(16)))
            let outcome = try await there.match(ScheduleFixture.slot, following: old, seed: 2)
            #expect(outcome.people == 12 && outcome.rooms.count == 6)
            try await Self.expectEverybodyOnce(people, fixture)
        }
    }

    @Test("the first one stops when another has taken over")
    func leaseLost() async throws {
        try await ScheduleFixture.withRegistered(20) { fixture, people in
            let here = fixture.matcher { $0.roomsAtOnce = 3 }
            let plan = try await here.plan(ScheduleFixture.slot, seed: 1)
            fixture.set(ScheduleFixture.opening)
            try await fixture.matcher(holder: "there").match(ScheduleFixture.slot, seed: 2)
            await #expect(throws: SlotMatcher.LeaseLost.self) {
                try await here.openInParts(ScheduleFixture.slot, plan)
            }
            try await Self.expectEverybodyOnce(people, fixture)
        }
    }

    @Test("who cancels between the parts is left out, and the partner is placed with the late ones")
    func cancelledBetween() async throws {
        try await ScheduleFixture.withRegistered(20) { fixture, people in
            let matcher = fixture.matcher { $0.roomsAtOnce = 3 }
            let plan = try await matcher.plan(ScheduleFixture.slot, seed: 1)
            let gone = plan.people[Int(try #require(plan.match.rooms.last?.first))].registration
            try await fixture.pool.query(
                "UPDATE registrations SET cancelled_at = created_at WHERE id = $1", [gone])
            fixture.set(ScheduleFixture.opening)
            let outcome = try await matcher.match(ScheduleFixture.slot, following: plan, seed: 1)
            #expect(outcome.people == 18 && outcome.hasLeftovers)
            try await matcher.match(ScheduleFixture.slot, seed: 2)
            try await Self.expectEverybodyOnce(people.filter { $0 != gone }, fixture)
        }
    }

    @Test(
        "who was to be alone and is gone, or has cancelled, was not left alone, and the slot opens",
        arguments: [
            "DELETE FROM registrations WHERE id = $1",
            "UPDATE registrations SET cancelled_at = created_at WHERE id = $1",
            "UPDATE registrations SET user_id = NULL, task = NULL, cancelled_at = created_at WHERE id = $1",
        ])
    func goneAlone(leave: String) async throws {
        try await ScheduleFixture.withRegistered(21) { fixture, people in
            let matcher = fixture.matcher {
                $0.roomsAtOnce = 3
                $0.trios = false
            }
            let plan = try await matcher.plan(ScheduleFixture.slot, seed: 1)
            let gone = try #require(plan.leftAlone.first).registration
            try await fixture.pool.query(leave, [gone])
            fixture.set(ScheduleFixture.opening)
            try await matcher.match(ScheduleFixture.slot, following: plan, seed: 1)
            try await Self.expectEverybodyOnce(people.filter { $0 != gone }, fixture)
            #expect(try await fixture.leftAlone(in: ScheduleFixture.slot) == nil)
            #expect(try await fixture.pool.query("SELECT FROM slots WHERE opened_at IS NOT NULL").count == 1)
        }
    }

    private static func expectEverybodyOnce(_ people: [Identifier], _ fixture: ScheduleFixture) async throws {
        let rooms = try await fixture.rooms()
        #expect(rooms.values.map(\.count).reduce(0, +) == people.count)
        #expect(Set(rooms.values.joined()) == Set(people))
        #expect(rooms.values.allSatisfy { (2...3).contains($0.count) })
        for person in people {
            #expect(try await fixture.told(person).filter { $0 == "room.opened" }.count == 1)
        }
    }
}
