import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Members whose partners cancelled")
struct LeftBehindTests {
    /// Four people in two pairs. The first of each pair stays, and is present; the other one cancels a second
    /// after the opening.
    private static func stay(
        _ fixture: ScheduleFixture, _ matcher: SlotMatcher, present: Bool = true
    ) async throws -> (staying: [Identifier], cancelled: [Identifier]) {
        try await fixture.register(4)
        fixture.set(ScheduleFixture.opening)
        try await matcher.match(ScheduleFixture.slot, seed: 1)
        let rooms = try await fixture.rooms().values.map { $0.sorted { $0.value < $1.value } }
        let pairs = (staying: rooms.map { $0[0] }, cancelled: rooms.map { $0[1] })
        if present { try await fixture.arrive(pairs.staying) }
        fixture.set(ScheduleFixture.opening.adding(.seconds(1)))
        try await fixture.cancel(pairs.cancelled)
        return pairs
    }

    private static func matcher(_ fixture: ScheduleFixture, noShow: Duration?) -> SlotMatcher {
        var matcher = fixture.matcher { $0.noShow = noShow }
        matcher.unites = true
        return matcher
    }

    @Test("meet at once, whatever the no-show time", arguments: [nil, Duration.seconds(180)])
    func together(noShow: Duration?) async throws {
        try await ScheduleFixture.with { fixture in
            let matcher = Self.matcher(fixture, noShow: noShow)
            let pairs = try await Self.stay(fixture, matcher)
            let outcome = try await matcher.match(ScheduleFixture.slot, seed: 2)
            #expect(outcome.rematched == 1 && outcome.rooms.count == 2)
            #expect(try await fixture.room(of: pairs.staying[0]) == Set(pairs.staying))
            for person in pairs.staying {
                #expect(
                    try await fixture.told(person) == ["room.opened", "room.changed", "room.changed"])
            }
            #expect(try await matcher.match(ScheduleFixture.slot, seed: 3).rooms.isEmpty)
        }
    }

    @Test("are waited for while they are not present, and meet once both are")
    func absent() async throws {
        try await ScheduleFixture.with { fixture in
            let matcher = Self.matcher(fixture, noShow: nil)
            let pairs = try await Self.stay(fixture, matcher, present: false)
            for arriving in pairs.staying {
                let outcome = try await matcher.match(ScheduleFixture.slot, seed: 2)
                #expect(outcome.rooms.isEmpty && outcome.awaitsEntry == true)
                try await fixture.arrive([arriving])
            }
            let outcome = try await matcher.match(ScheduleFixture.slot, seed: 2)
            #expect(outcome.rematched == 1 && outcome.awaitsEntry == false)
            #expect(try await fixture.room(of: pairs.staying[0]) == Set(pairs.staying))
        }
    }

    @Test("stay alone where one has blocked the other, and are not looked for again")
    func blocked() async throws {
        try await ScheduleFixture.with { fixture in
            let matcher = Self.matcher(fixture, noShow: .seconds(180))
            let pairs = try await Self.stay(fixture, matcher)
            try await fixture.block(pairs.staying[1], pairs.staying[0])
            let outcome = try await matcher.match(ScheduleFixture.slot, seed: 2)
            #expect(outcome.rooms.isEmpty && outcome.awaitsEntry == false)
        }
    }

    @Test("stay alone where one meets favourites only, and the other is none", arguments: [false, true])
    func favouritesOnly(isFavourite: Bool) async throws {
        try await ScheduleFixture.with { fixture in
            let matcher = Self.matcher(fixture, noShow: .seconds(180))
            let pairs = try await Self.stay(fixture, matcher)
            try await fixture.pool.query(
                "INSERT INTO intents (registration_id, favourites_only, quiet) VALUES ($1, true, false)",
                [pairs.staying[0]])
            if isFavourite {
                try await fixture.favour(pairs.staying[0], pairs.staying[1])
                try await fixture.favour(pairs.staying[1], pairs.staying[0])
            }
            let outcome = try await matcher.match(ScheduleFixture.slot, seed: 2)
            #expect(outcome.rematched == (isFavourite ? 1 : 0))
        }
    }

    @Test("do not take anybody from a partner who is merely absent")
    func merelyAbsent() async throws {
        try await ScheduleFixture.with { fixture in
            let matcher = Self.matcher(fixture, noShow: .seconds(180))
            try await fixture.register(4)
            fixture.set(ScheduleFixture.opening)
            try await matcher.match(ScheduleFixture.slot, seed: 1)
            let rooms = try await fixture.rooms().values.map { $0.sorted { $0.value < $1.value } }
            try await fixture.arrive(rooms.map { $0[0] })
            try await fixture.cancel([rooms[0][1]])
            let outcome = try await matcher.match(ScheduleFixture.slot, seed: 2)
            #expect(outcome.rooms.isEmpty && outcome.awaitsEntry == false)
        }
    }

    @Test("and a late one who is placed meanwhile are looked at again")
    func late() async throws {
        try await ScheduleFixture.with { fixture in
            let matcher = Self.matcher(fixture, noShow: nil)
            let pairs = try await Self.stay(fixture, matcher)
            let late = try await fixture.register(1)
            let outcome = try await matcher.match(ScheduleFixture.slot, seed: 2)
            #expect(try await fixture.room(of: late[0]).intersection(pairs.staying).count == 1)
            // One of the two has company now: there is no other pair to make.
            #expect(outcome.people == 1 && outcome.lookAgainAt == nil)
        }
    }
}
