import API
import Contract
import Database
import Postgres
import Testing

@testable import BackendTesting

@Suite("Outages")
struct OutageTests {
    private static func outages(_ fixture: ScheduleFixture) async throws -> [ClosedRange<Timestamp>] {
        try await fixture.pool.query("SELECT began_at, ended_at FROM outages ORDER BY began_at").map { row in
            let (began, ended) = try row.decode(Timestamp.self, Timestamp.self)
            return began...ended
        }
    }

    /// Writes a heartbeat of a server that is up since `upSince`, or has just started.
    private static func note(
        _ now: Timestamp, upSince: Timestamp? = nil, _ fixture: ScheduleFixture
    ) async throws {
        try await fixture.store.noteAlive(
            at: now, upSince: upSince ?? now, silence: .seconds(75), releasing: false)
    }

    @Test("a silence while a slot with registrations ran is an outage, noted once by however many servers")
    func silence() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, _ in
            let last = ScheduleFixture.slot.adding(.seconds(600))
            let back = last.adding(.seconds(300))
            try await Self.note(last, fixture)
            try await Self.note(back, fixture)
            try await Self.note(back.adding(.seconds(1)), fixture)
            #expect(try await Self.outages(fixture) == [last...back])
        }
    }

    @Test("a silence between slots is none, and one that began there counts from the slot")
    func betweenSlots() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, _ in
            let before = ScheduleFixture.slot.adding(.seconds(-7200))
            try await Self.note(before, fixture)
            try await Self.note(ScheduleFixture.opening, fixture)
            #expect(try await Self.outages(fixture).isEmpty)
            try await fixture.pool.query("UPDATE service SET alive_at = $1", [before])
            let back = ScheduleFixture.slot.adding(.seconds(900))
            try await Self.note(back, fixture)
            #expect(try await Self.outages(fixture) == [ScheduleFixture.slot...back])
        }
    }

    @Test("a slot without registrations was missed by no person")
    func emptySlot() async throws {
        try await ScheduleFixture.with { fixture in
            let before = ScheduleFixture.slot.adding(.seconds(-7200))
            try await Self.note(before, fixture)
            fixture.set(ScheduleFixture.slot.adding(.seconds(200)))
            try await fixture.register(1)
            try await Self.note(fixture.application.now(), fixture)
            #expect(try await Self.outages(fixture).isEmpty)
        }
    }

    @Test("notes that come often enough are no outage")
    func often() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, _ in
            for seconds in stride(from: 0, through: 300, by: 30) {
                try await Self.note(ScheduleFixture.slot.adding(.seconds(seconds)), fixture)
            }
            #expect(try await Self.outages(fixture).isEmpty)
        }
    }

    @Test("a server that was up and had nothing to note was no outage, and one ends when it is up again")
    func upSince() async throws {
        try await ScheduleFixture.with { fixture in
            let before = ScheduleFixture.slot.adding(.seconds(-3600))
            try await Self.note(before, fixture)
            fixture.set(ScheduleFixture.slot.adding(.seconds(20)))
            try await fixture.register(1)
            let heard = ScheduleFixture.slot.adding(.seconds(100))
            try await Self.note(heard, upSince: before, fixture)
            #expect(try await Self.outages(fixture).isEmpty)
            let back = ScheduleFixture.slot.adding(.seconds(400))
            try await Self.note(back.adding(.seconds(50)), upSince: back, fixture)
            #expect(try await Self.outages(fixture) == [heard...back])
        }
    }
}
