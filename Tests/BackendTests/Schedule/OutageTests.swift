import Contract
import Postgres
import Testing

@testable import Backend

@Suite("Outages")
struct OutageTests {
    private static func outages(_ fixture: ScheduleFixture) async throws -> [ClosedRange<Timestamp>] {
        try await fixture.pool.query("SELECT began_at, ended_at FROM outages ORDER BY began_at").map { row in
            let (began, ended) = try row.decode(Timestamp.self, Timestamp.self)
            return began...ended
        }
    }

    @Test("a silence while somebody's slot ran is an outage, noted once however many servers come back")
    func silence() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.register(2)
            let last = ScheduleFixture.slot.adding(.seconds(600))
            let back = last.adding(.seconds(300))
            try await fixture.store.noteAlive(at: last, silence: .seconds(75))
            try await fixture.store.noteAlive(at: back, silence: .seconds(75))
            try await fixture.store.noteAlive(at: back.adding(.seconds(1)), silence: .seconds(75))
            #expect(try await Self.outages(fixture) == [last...back])
        }
    }

    @Test("a silence between slots is none, and one that began there counts from the slot")
    func betweenSlots() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.register(2)
            let before = ScheduleFixture.slot.adding(.seconds(-7200))
            try await fixture.store.noteAlive(at: before, silence: .seconds(75))
            try await fixture.store.noteAlive(at: ScheduleFixture.opening, silence: .seconds(75))
            #expect(try await Self.outages(fixture).isEmpty)
            try await fixture.pool.query("UPDATE service SET alive_at = $1", [before])
            let back = ScheduleFixture.slot.adding(.seconds(900))
            try await fixture.store.noteAlive(at: back, silence: .seconds(75))
            #expect(try await Self.outages(fixture) == [ScheduleFixture.slot...back])
        }
    }

    @Test("notes that come often enough are no outage")
    func often() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.register(2)
            for seconds in stride(from: 0, through: 300, by: 30) {
                try await fixture.store.noteAlive(
                    at: ScheduleFixture.slot.adding(.seconds(seconds)), silence: .seconds(75))
            }
            #expect(try await Self.outages(fixture).isEmpty)
        }
    }
}
