import API
import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Explaining a match")
struct SlotExplainerTests {
    private static func explain(_ fixture: ScheduleFixture) async throws -> SlotExplanation? {
        let explainer = SlotExplainer(rules: fixture.matcher().rules, pool: fixture.pool)
        return try await explainer.explain(ScheduleFixture.slot)
    }

    @Test("made again from its seed the match is the same, also after people came late or cancelled")
    func again() async throws {
        try await ScheduleFixture.withRegistered(31) { fixture, people in
            try await fixture.meet(people[0], people[1], daysAgo: 2)
            try await fixture.block(people[2], people[3])
            try await fixture.favour(people[4], people[5])
            try await fixture.matchAtOpening(seed: 18_446_744_073_709_551_610)
            fixture.set(ScheduleFixture.opening.adding(.seconds(90)))
            try await fixture.block(people[6], people[7])
            try await fixture.register(1)
            try await fixture.match(seed: 8)
            try await fixture.pool.query(
                "UPDATE registrations SET cancelled_at = $2 WHERE id = $1",
                [people[8], fixture.application.now()])
            // The cancelling was asked for before the opening, and done after it.
            try await fixture.pool.query(
                "UPDATE registrations SET cancelled_at = $2 WHERE id = $1",
                [people[9], ScheduleFixture.opening.adding(.seconds(-1))])
            let explanation = try #require(try await Self.explain(fixture))
            #expect(explanation.changes.isEmpty)
            #expect(explanation.record.seed == 18_446_744_073_709_551_610)
            #expect(Set(explanation.rooms.flatMap { $0.room.members.map(\.registration) }) == Set(people))
            for person in people { #expect(explanation.text.contains("\(person)")) }
        }
    }

    @Test("names who was invited, and who meets favourites only, and makes that match again")
    func intents() async throws {
        try await ScheduleFixture.withRegistered(9) { fixture, people in
            try await fixture.favour(people[2], people[7])
            try await fixture.pool.query(
                "INSERT INTO intents (registration_id, invited_by) VALUES ($1, $2)", [people[5], people[0]])
            try await fixture.pool.query(
                """
                INSERT INTO intents (registration_id, favourites_only)
                SELECT id, true FROM unnest($1::uuid[]) AS person (id)
                """, [[people[2], people[3]]])
            try await fixture.matchAtOpening(seed: 3)
            let explanation = try #require(try await Self.explain(fixture))
            #expect(explanation.changes.isEmpty, "\(explanation.changes)")
            let lines = explanation.text.split(separator: "\n")
            func line(_ one: Identifier, _ other: Identifier) -> Substring? {
                lines.first { $0.contains(" and ") && $0.contains("\(one)") && $0.contains("\(other)") }
            }
            #expect(line(people[0], people[5])?.hasSuffix("invited") == true, "\(lines)")
            #expect(line(people[2], people[7])?.contains("favourites only") == true)
            #expect(lines.contains { $0.hasSuffix("alone: meets favourites only") })
            // Their own wish leaves them alone: they are owed nothing for it.
            let alone = try await fixture.pool.query("SELECT count(*) FROM left_alone")
            #expect(try alone.first?.decode(0, Int64.self) == 0)
        }
    }

    @Test("tasks are escaped, and changed inputs are named")
    func changed() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, people in
            try await fixture.pool.query("UPDATE registrations SET task = E'tell \"\u{202E}\" me'")
            try await fixture.matchAtOpening()
            #expect(try await Self.explain(fixture)?.text.contains(#""tell \"\u{202e}\" me""#) ?? false)
            try await fixture.pool.query(
                "UPDATE registrations SET user_id = NULL, task = NULL WHERE id = $1", [people[0]])
            #expect(try await Self.explain(fixture)?.changes.first?.contains("deleted") ?? false)
        }
    }

    @Test("a slot without a match has no explanation")
    func none() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.register(2)
            #expect(try await Self.explain(fixture) == nil)
        }
    }
}
