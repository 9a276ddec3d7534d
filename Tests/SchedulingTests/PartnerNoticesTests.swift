import Codecs
import Contract
import Postgres
import Reactor
import TestKit
import Testing

@testable import API
@testable import Backend
@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Being told of company in a slot, or of its end", .timeLimit(.minutes(5)))
struct PartnerNoticesTests {
    private static func notices(_ fixture: ScheduleFixture) -> PartnerNotices {
        let rules = fixture.application.rules
        return PartnerNotices(
            pool: fixture.pool, now: fixture.application.now, opensAt: { rules.opensAt($0) },
            changed: { _ in })
    }

    /// Looks until nothing is noted, after the slots have rested.
    private static func look(_ fixture: ScheduleFixture) async throws {
        fixture.set(fixture.application.now().adding(PartnerNotices.rest))
        while try await notices(fixture).step() == .looked {}
        #expect(try await fixture.pool.query("SELECT FROM slot_changes").isEmpty)
    }

    /// Lends a fixture to the body, and the registration of a person who was seen.
    private static func withOne(
        _ body: (ScheduleFixture, Identifier) async throws -> Void
    ) async throws {
        try await ScheduleFixture.withRegistered(1) { fixture, registrations in
            try await look(fixture)
            try await body(fixture, registrations[0])
        }
    }

    private static func cancel(_ fixture: ScheduleFixture, _ registration: Identifier) async throws {
        try await fixture.pool.query(
            "UPDATE registrations SET cancelled_at = updated_at WHERE id = $1", [registration])
    }

    @Test("comes to the people who were there, once for each change, and never to one who has just come")
    func there() async throws {
        try await Self.withOne { fixture, ann in
            let bea = try await fixture.register(1)[0]
            try await Self.look(fixture)
            try await Self.look(fixture)
            #expect(try await fixture.told(ann) == ["slot.partnered"])
            let cy = try await fixture.register(1)[0]
            try await Self.cancel(fixture, bea)
            try await Self.look(fixture)
            #expect(try await fixture.told(ann) == ["slot.partnered"])
            try await Self.cancel(fixture, ann)
            try await Self.look(fixture)
            #expect(try await fixture.told(ann) == ["slot.partnered"])
            #expect(try await fixture.told(bea).isEmpty)
            #expect(try await fixture.told(cy) == ["slot.alone"])
            try await Self.cancel(fixture, cy)
            try await Self.look(fixture)
            #expect(try await fixture.pool.query("SELECT FROM slot_partners").isEmpty)
            #expect(try await fixture.told(cy) == ["slot.alone"])
        }
    }

    @Test("does not come to those who came together, as in one group commit")
    func together() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, people in
            try await Self.look(fixture)
            for person in people { #expect(try await fixture.told(person).isEmpty) }
            try await Self.cancel(fixture, people[0])
            try await Self.look(fixture)
            #expect(try await fixture.told(people[1]) == ["slot.alone"])
        }
    }

    @Test("respects blocks: a pair that may not meet is alone, and a lifted block makes it company")
    func blocks() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, people in
            try await Self.look(fixture)
            try await fixture.block(people[1], people[0])
            try await fixture.note(people[0], people[1])
            try await Self.look(fixture)
            for person in people { #expect(try await fixture.told(person) == ["slot.alone"]) }
            let third = try await fixture.register(1)[0]
            try await Self.look(fixture)
            for person in people {
                #expect(try await fixture.told(person) == ["slot.alone", "slot.partnered"])
            }
            #expect(try await fixture.told(third).isEmpty)
            // A removed block is none. The pair does not notice: it has company already.
            try await fixture.pool.query("UPDATE blocks SET removed_at = created_at")
            try await fixture.note(people[0], people[1])
            try await Self.look(fixture)
            try await Self.cancel(fixture, third)
            try await Self.look(fixture)
            #expect(try await fixture.told(people[0]).count == 2)
        }
    }

    @Test("respects favourites-only people: from the side of the one who asks for it, but for an invite")
    func favourites() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, people in
            try await fixture.intend(people[0], favouritesOnly: true)
            try await Self.look(fixture)
            #expect(try await fixture.alone() == Set(people))
            // The other one's mark does not make company of them.
            try await fixture.favour(people[1], people[0])
            try await fixture.note(people[0], people[1])
            try await Self.look(fixture)
            #expect(try await fixture.alone() == Set(people))
            try await fixture.favour(people[0], people[1])
            try await fixture.note(people[0], people[1])
            try await Self.look(fixture)
            for person in people { #expect(try await fixture.told(person) == ["slot.partnered"]) }
            try await fixture.pool.query("DELETE FROM favourites")
            try await fixture.note(people[0], people[1])
            try await Self.look(fixture)
            for person in people { #expect(try await fixture.told(person).last == "slot.alone") }
            try await fixture.intend(people[1], invitedBy: people[0])
            try await fixture.note(people[0], people[1])
            try await Self.look(fixture)
            for person in people { #expect(try await fixture.told(person).last == "slot.partnered") }
        }
    }

    @Test("looks at nine people at most, however many there are, and again at each when they are eight")
    func crowd() async throws {
        try await ScheduleFixture.with { fixture in
            let first = try await fixture.register(1)[0]
            let choosy = try await fixture.register(1)[0]
            try await fixture.intend(choosy, favouritesOnly: true)
            try await Self.look(fixture)
            #expect(try await fixture.alone() == [first, choosy])
            let crowd = try await fixture.register(1000)
            try await Self.look(fixture)
            #expect(try await fixture.told(first) == ["slot.partnered"])
            #expect(try await fixture.alone() == [choosy])
            let rows = try await fixture.pool.query("SELECT FROM slot_partners WHERE known IS NULL")
            #expect(rows.affected == 1)
            for person in crowd[..<999] { try await Self.cancel(fixture, person) }
            try await Self.cancel(fixture, first)
            try await Self.look(fixture)
            #expect(try await fixture.told(crowd[999]) == ["slot.alone"])
            #expect(try await fixture.told(choosy).isEmpty)
            #expect(
                try await fixture.pool.query("SELECT FROM notifications WHERE type LIKE 'slot.%'").affected
                    == 2)
        }
    }

    @Test(
        "counts up to eight one by one, and more as a crowd",
        arguments: [(2, false), (8, false), (9, true), (10, true)])
    func boundary(_ count: Int, isCrowd: Bool) async throws {
        try await ScheduleFixture.withRegistered(count) { fixture, _ in
            try await Self.look(fixture)
            let row = try await fixture.pool.query("SELECT known, alone FROM slot_partners")[0]
            #expect(try row.decode(0, [Identifier]?.self)?.count == (isCrowd ? nil : count))
            #expect(try row.decode(1, [Identifier].self).isEmpty)
        }
    }

    @Test("ends with the opening: by the clock, and where the match has begun or been stored")
    func opening() async throws {
        for isStored in [false, true] {
            try await ScheduleFixture.with { fixture in
                let ann = try await fixture.register(1)[0]
                try await Self.look(fixture)
                if isStored {
                    try await fixture.pool.query("UPDATE slots SET opened_at = $1", [ScheduleFixture.opening])
                } else {
                    fixture.set(ScheduleFixture.opening.adding(.zero - PartnerNotices.rest))
                }
                try await fixture.register(1)
                try await Self.look(fixture)
                #expect(try await fixture.told(ann).isEmpty)
                #expect(try await fixture.pool.query("SELECT FROM slot_partners").isEmpty)
            }
        }
    }

    @Test("does not come after the opening that it waited for")
    func waited() async throws {
        try await Self.withOne { fixture, ann in
            try await fixture.register(1)
            let (isHeld, held) = AsyncStream<Void>.makeStream()
            let (mayCommit, letCommit) = AsyncStream<Void>.makeStream()
            async let opening: Void = fixture.pool.transaction { connection in
                try await NotificationWriter.lock(on: connection)
                try await connection.query("UPDATE slots SET opened_at = $1", [ScheduleFixture.opening])
                held.yield()
                for await _ in mayCommit { break }
            }
            for await _ in isHeld { break }
            async let looking: Void = Self.look(fixture)
            while try await fixture.pool.query(Self.waiting).isEmpty { await Task.yield() }
            letCommit.yield()
            try await opening
            try await looking
            #expect(try await fixture.told(ann).isEmpty)
        }
    }

    /// The sessions of this database that wait for a lock of another one.
    private static let waiting = """
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0
        """

    @Test("does not wait for an account that is being deleted, and is told later if it stays")
    func deleted() async throws {
        try await Self.withOne { fixture, ann in
            try await fixture.register(1)
            try await fixture.pool.transaction { connection in
                try await connection.query(
                    "SELECT FROM users JOIN registrations ON user_id = users.id "
                        + "WHERE registrations.id = $1 FOR UPDATE OF users", [ann])
                // The deletion of an account takes these two locks in this order.
                try await NotificationWriter.lock(on: connection)
                #expect(try await Self.notices(fixture).step() == .busy)
            }
            #expect(try await fixture.told(ann).isEmpty)
            #expect(try await fixture.alone() == [ann])
            try await Self.look(fixture)
            #expect(try await fixture.told(ann) == ["slot.partnered"])
        }
    }

    @Test("is told once by several servers, and a server that finds another at work leaves it to that one")
    func several() async throws {
        try await Self.withOne { fixture, ann in
            try await fixture.register(1)
            try await fixture.pool.transaction { connection in
                try await connection.query("SELECT pg_advisory_xact_lock($1)", [Int64(0x7061_7274)])
                let step = try await Self.notices(fixture).step()
                #expect(step == .busy)
            }
            fixture.set(fixture.application.now().adding(PartnerNotices.rest))
            try await concurrently(0..<8) { _ in _ = try await Self.notices(fixture).step() }
            try await Self.look(fixture)
            #expect(try await fixture.told(ann) == ["slot.partnered"])
        }
    }

    @Test("a slot rests after it was told, and what is so in the end is told then")
    func rests() async throws {
        try await Self.withOne { fixture, ann in
            var bea = try await fixture.register(1)[0]
            try await Self.look(fixture)
            for _ in 0..<5 {
                try await Self.cancel(fixture, bea)
                #expect(try await Self.notices(fixture).step() == .nothingIsNoted)
                bea = try await fixture.register(1)[0]
                #expect(try await Self.notices(fixture).step() == .nothingIsNoted)
            }
            try await Self.cancel(fixture, bea)
            let almost = PartnerNotices.rest - .microseconds(1)
            fixture.set(fixture.application.now().adding(almost))
            #expect(try await Self.notices(fixture).step() == .nothingIsNoted)
            #expect(try await fixture.told(ann) == ["slot.partnered"])
            fixture.set(fixture.application.now().adding(.microseconds(1)))
            #expect(try await Self.notices(fixture).step() == .looked)
            #expect(try await fixture.told(ann) == ["slot.partnered", "slot.alone"])
        }
    }

    @Test("knows who registered before it was written down, as the migration left them")
    func upgrade() async throws {
        try await ScheduleFixture.with { fixture in
            let ann = try await fixture.register(1)[0]
            let migration = String(decoding: PackageResources._032_slot_partners_sql, as: UTF8.self)
            try await fixture.pool.withConnection { connection in
                try await connection.simple("DROP TABLE slot_partners, slot_changes")
                try await connection.simple(migration)
            }
            #expect(try await fixture.alone() == [ann])
            try await fixture.register(1)
            try await Self.look(fixture)
            #expect(try await fixture.told(ann) == ["slot.partnered"])
        }
    }

    @Test("is right after any order of comings, goings, blocks and looks", arguments: 0..<8)
    func property(_ seed: UInt64) async throws {
        try await ScheduleFixture.with { fixture in
            var random = SplitMix64(seed: seed)
            var model = Model()
            fixture.set(ScheduleFixture.slot.adding(.seconds(-86_400)))
            for _ in 0..<60 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: model.come(try await fixture.register(Int.random(in: 1...2, using: &random)))
                case 2, 3:
                    guard let one = model.people.sorted().randomElement(using: &random) else { continue }
                    try await Self.cancel(fixture, one)
                    model.people.remove(one)
                case 4:
                    let pair = model.people.sorted().shuffled(using: &random).prefix(2)
                    guard pair.count == 2, model.block(pair[0], pair[1]) else { continue }
                    try await fixture.block(pair[0], pair[1])
                    try await fixture.note(pair[0], pair[1])
                default:
                    try await Self.look(fixture)
                    model.look()
                }
            }
            try await Self.look(fixture)
            model.look()
            for (person, expected) in model.told {
                #expect(try await fixture.told(person) == expected, "seed \(seed)")
            }
        }
    }

    /// The notifications that people should get, computed from scratch at each look.
    private struct Model {
        var people: Set<Identifier> = []
        var told: [Identifier: [String]] = [:]
        private var blocks: Set<Set<Identifier>> = []
        /// Whether each of those who were there at the last look was alone.
        private var wasAlone: [Identifier: Bool] = [:]

        mutating func come(_ new: [Identifier]) {
            for person in new {
                people.insert(person)
                told[person] = []
            }
        }

        mutating func block(_ one: Identifier, _ other: Identifier) -> Bool {
            blocks.insert([one, other]).inserted
        }

        mutating func look() {
            var isAlone: [Identifier: Bool] = [:]
            for person in people {
                let isInCrowd = people.count > PartnerState.most
                isAlone[person] =
                    !isInCrowd
                    && !people.contains { $0 != person && !blocks.contains([person, $0]) }
                guard let before = wasAlone[person], before != isAlone[person] else { continue }
                told[person]?.append(before ? "slot.partnered" : "slot.alone")
            }
            wasAlone = isAlone
        }
    }
}

extension ScheduleFixture {
    /// The registrations that were last seen to be alone.
    fileprivate func alone() async throws -> Set<Identifier> {
        let rows = try await pool.query("SELECT unnest(alone) FROM slot_partners")
        return Set(try rows.map { try $0.decode(0, Identifier.self) })
    }

    /// Notes the slots of the users of two registrations, as each change between two users does.
    fileprivate func note(_ one: Identifier, _ other: Identifier) async throws {
        let rows = try await pool.query(
            "SELECT user_id FROM registrations WHERE id = ANY($1::uuid[])", [[one, other]])
        let users = try rows.map { try $0.decode(0, Identifier.self) }
        let now = application.now()
        try await pool.transaction { try await SlotNotes.add(of: users[0], users[1], after: now, on: $0) }
    }

    fileprivate func intend(
        _ registration: Identifier, favouritesOnly: Bool = false, invitedBy: Identifier? = nil
    ) async throws {
        try await pool.query(
            "INSERT INTO intents (registration_id, favourites_only, invited_by) VALUES ($1, $2, $3)",
            [registration, favouritesOnly, invitedBy])
    }
}
