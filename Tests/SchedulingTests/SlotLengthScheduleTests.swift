import Contract
import Postgres
import Testing

@testable import API
@testable import Backend
@testable import BackendTesting
@testable import Database
@testable import Scheduling
@testable import Settings

/// Slots of several lengths that start together, from the match to the end.
@Suite("Slots of several lengths")
struct SlotLengthScheduleTests {
    private static let short = SlotKey(startsAt: ScheduleFixture.slot, minutes: 25).instant
    private static let long = SlotKey(startsAt: ScheduleFixture.slot, minutes: 50).instant

    @Test("only people of one length meet, and each slot ends by itself")
    func life() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, usual in
            let short = try await fixture.registerNew(2, for: Self.short)
            let long = try await fixture.registerNew(3, for: Self.long)
            // A server takes the key for the start.
            fixture.set(ScheduleFixture.opening.adding(.milliseconds(1)))
            for key in [ScheduleFixture.slot, Self.short, Self.long] {
                _ = try await fixture.matcher().match(key, seed: 1)
            }
            #expect(Set(try await fixture.rooms().values) == [Set(usual), Set(short), Set(long)])
            try await fixture.enter(usual + short + long)
            let closer = SlotCloser(clock: fixture.scheduleClock, store: fixture.store)
            let ends: [(minutes: Int, keys: [Timestamp])] = [
                (24, []), (25, [Self.short]), (30, [ScheduleFixture.slot]), (50, [Self.long]),
            ]
            for (minutes, ended) in ends {
                fixture.set(ScheduleFixture.slot.adding(.seconds(minutes * 60)))
                for key in [ScheduleFixture.slot, Self.short, Self.long] {
                    let closed = try await closer.close(key)
                    #expect(closed == ended.contains(key), "\(SlotKey(key)) after \(minutes) minutes")
                }
            }
            for registration in usual + short + long {
                #expect(try await fixture.told(registration) == ["room.opened", "session.completed"])
            }
        }
    }

    @Test("a change event makes the agenda know when the slot ends, which its key tells")
    func rules() {
        let rules = ScheduleFixture.rules
        #expect(rules.endsAt(Self.short) == ScheduleFixture.slot.adding(.seconds(25 * 60)))
        #expect(rules.endsAt(Self.long) == ScheduleFixture.slot.adding(.seconds(50 * 60)))
        #expect(rules.endsAt(ScheduleFixture.slot) == ScheduleFixture.end)
        #expect(rules.key(startsAt: ScheduleFixture.slot, minutes: 30) == ScheduleFixture.slot)
        #expect(rules.key(startsAt: ScheduleFixture.slot, minutes: 50) == Self.long)
        #expect(ChangeEvent(ChangeEvent.slot(Self.long).text) == .slot(Self.long))
    }

    @Test("slots that start together have locks of their own")
    func locks() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.pool.transaction { connection in
                for key in [ScheduleFixture.slot, Self.short, Self.long] {
                    try await SlotLock.take(key, on: connection)
                }
                let held = try await connection.query(
                    "SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
                #expect(held.count == 3)
            }
        }
    }

    @Test("the match of a slot is explained by its start and length")
    func explains() async throws {
        try await ScheduleFixture.with { fixture in
            let people = try await fixture.registerNew(2, for: Self.long)
            fixture.set(ScheduleFixture.opening.adding(.milliseconds(1)))
            _ = try await fixture.matcher().match(Self.long, seed: 7)
            let explainer = SlotExplainer(rules: fixture.application.rules, pool: fixture.pool)
            let text = try #require(try await explainer.explain(Self.long)).text
            #expect(text.hasPrefix("Slot 2030-01-01T09:00:00Z for 50 minutes, opened at"))
            for person in people { #expect(text.contains("\(person)")) }
        }
    }
}

extension ScheduleFixture {
    /// The rules of half-hour slots whose rooms open a minute before.
    static var rules: ScheduleRules {
        guard let rules = ScheduleRules(ServerConfiguration(cores: 1)) else {
            preconditionFailure("the defaults are valid")
        }
        return rules
    }

    /// Registers new people for the slot with that key, and returns their registrations.
    func registerNew(_ count: Int, for key: Timestamp) async throws -> [Identifier] {
        let endsAt = application.rules.endsAt(key)
        try await pool.query("INSERT INTO slots (starts_at, ends_at) VALUES ($1, $2)", [key, endsAt])
        let usual = try await register(count)
        try await pool.query(
            "UPDATE registrations SET starts_at = $2 WHERE id = ANY($1::uuid[])", [usual, key])
        return usual
    }
}
