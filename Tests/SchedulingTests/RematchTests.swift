import API
import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Matching again who is alone")
struct RematchTests {
    private static let noShow = ScheduleFixture.slot.adding(.seconds(120))

    /// Two pairs, of each of which one member is present.
    private struct Pairs {
        var present: [Identifier]
        var absent: [Identifier]
        var all: [Identifier] { present + absent }
    }

    /// Lends a fixture to the body, a matcher that waits so long for a member, and two pairs in its slot.
    private static func withPairs(
        noShow: Duration? = .seconds(120),
        _ body: (ScheduleFixture, SlotMatcher, Pairs) async throws -> Void
    ) async throws {
        try await ScheduleFixture.with { fixture in
            let matcher = fixture.matcher { $0.noShow = noShow }
            try await fixture.register(4)
            fixture.set(ScheduleFixture.opening)
            try await matcher.match(ScheduleFixture.slot, seed: 1)
            let rooms = try await fixture.rooms().values.map { $0.sorted { $0.value < $1.value } }
            let pairs = Pairs(present: rooms.map { $0[0] }, absent: rooms.map { $0[1] })
            try await fixture.arrive(pairs.present)
            try await body(fixture, matcher, pairs)
        }
    }

    @Test("two whose partners do not come meet each other, and all people concerned are told")
    func together() async throws {
        try await Self.withPairs { fixture, matcher, pairs in
            fixture.set(Self.noShow.adding(.microseconds(-1)))
            #expect(try await matcher.match(ScheduleFixture.slot, seed: 2).rooms.isEmpty)
            fixture.set(Self.noShow)
            let outcome = try await matcher.match(ScheduleFixture.slot, seed: 2)
            #expect(outcome.rematched == 1 && outcome.rooms.count == 2)
            #expect(try await fixture.room(of: pairs.present[0]).isSuperset(of: pairs.present))
            for person in pairs.all {
                #expect(try await fixture.told(person) == ["room.opened", "room.changed"])
            }
            // The member who moved is on the way, and is waited for.
            #expect(try await matcher.match(ScheduleFixture.slot, seed: 3).rooms.isEmpty)
            #expect(outcome.lookAgainAt == Self.noShow.adding(.seconds(120)))
        }
    }

    @Test("a member who is first matched while the slot runs is waited for from then on")
    func openedLate() async throws {
        try await ScheduleFixture.with { fixture in
            let matcher = fixture.matcher { $0.noShow = .seconds(120) }
            fixture.set(Self.noShow.adding(.seconds(80)))
            for (seed, people) in [2, 1, 1].enumerated() {
                try await fixture.register(people)
                try await matcher.match(ScheduleFixture.slot, seed: UInt64(seed))
            }
            // No member is absent yet: the fourth person is joined by one from the trio.
            #expect(try await fixture.rooms().values.map(\.count).sorted() == [2, 2])
        }
    }

    @Test("who is told that a room has changed reads who is in it then")
    func partners() async throws {
        try await Self.withPairs { fixture, matcher, pairs in
            fixture.set(Self.noShow)
            try await matcher.match(ScheduleFixture.slot, seed: 2)
            let reader = NotificationReader(tickets: fixture.application.tickets)
            for person in pairs.all {
                let row = try await fixture.pool.query(
                    "SELECT user_id FROM registrations WHERE id = $1", [person]
                ).first
                let user = try #require(try row?.decode(0, Identifier.self))
                let last = try await reader.read(for: user, after: 0, limit: 10, from: fixture.pool).last
                guard case .roomChanged(let details)? = last?.data else {
                    Issue.record("not room.changed")
                    continue
                }
                let partners = Set(details.partners.map(\.id))
                #expect(partners == (try await fixture.room(of: person)).subtracting([person]))
            }
        }
    }

    @Test("a member who comes to a room that was left is alone, and is matched with another lone member")
    func comesLater() async throws {
        try await Self.withPairs { fixture, matcher, pairs in
            fixture.set(Self.noShow)
            try await matcher.match(ScheduleFixture.slot, seed: 2)
            try await fixture.arrive(pairs.present)
            let deserted = try #require(try await fixture.rooms().values.first { $0.count == 1 }?.first)
            #expect(pairs.absent.contains(deserted))
            fixture.set(Self.noShow.adding(.seconds(60)))
            try await fixture.arrive([deserted])
            let outcome = try await matcher.match(ScheduleFixture.slot, seed: 3)
            #expect(outcome.rematched == 1)
            #expect(try await fixture.room(of: deserted).isSuperset(of: pairs.present))
        }
    }

    @Test("two who may not meet stay alone")
    func blocked() async throws {
        try await Self.withPairs { fixture, matcher, pairs in
            try await fixture.block(pairs.present[1], pairs.present[0])
            fixture.set(Self.noShow)
            #expect(try await matcher.match(ScheduleFixture.slot, seed: 2).rematched == 0)
        }
    }

    @Test("no member comes into a room with an absent member that it may not meet")
    func blockedAbsent() async throws {
        try await Self.withPairs { fixture, matcher, pairs in
            try await fixture.block(pairs.present[0], pairs.absent[1])
            fixture.set(Self.noShow)
            #expect(try await matcher.match(ScheduleFixture.slot, seed: 2).rematched == 1)
            let room = try await fixture.room(of: pairs.present[0])
            #expect(room == [pairs.present[0], pairs.present[1], pairs.absent[0]])
        }
    }

    @Test("a partner who was there and has just gone is waited for")
    func waitedFor() async throws {
        try await Self.withPairs { fixture, matcher, pairs in
            try await fixture.arrive(pairs.all)
            fixture.set(Self.noShow.adding(.seconds(300)))
            try await fixture.vanish(pairs.absent)
            let early = try await matcher.match(ScheduleFixture.slot, seed: 2)
            #expect(early.rematched == 0)
            #expect(early.lookAgainAt == Self.noShow.adding(.seconds(420)))
            fixture.set(Self.noShow.adding(.seconds(420)))
            #expect(try await matcher.match(ScheduleFixture.slot, seed: 2).rematched == 1)
        }
    }

    @Test("a late one meets who is alone, whose partner did not come")
    func late() async throws {
        try await Self.withPairs { fixture, matcher, pairs in
            fixture.set(Self.noShow.adding(.seconds(1)))
            let late = try await fixture.register(1)
            let outcome = try await matcher.match(ScheduleFixture.slot, seed: 2)
            #expect(outcome.people == 1 && outcome.lookAgainAt == Self.noShow.adding(.seconds(1)))
            let room = try await fixture.room(of: late[0])
            #expect(room.intersection(pairs.present).count == 1)
            #expect(try await fixture.told(late[0]) == ["room.opened"])
        }
    }

    @Test("without a time for it no member is matched again")
    func never() async throws {
        try await Self.withPairs(noShow: nil) { fixture, matcher, _ in
            fixture.set(Self.noShow.adding(.seconds(600)))
            let outcome = try await matcher.match(ScheduleFixture.slot, seed: 2)
            #expect(outcome.rooms.isEmpty)
        }
    }
}
