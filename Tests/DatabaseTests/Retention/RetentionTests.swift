import API
import Codecs
import Contract
import Postgres
import Scheduling
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Database

@Suite("Retention")
struct RetentionTests {
    @Test("figures, attendance, meetings and whose turn it is are the same, however much has been removed")
    func sameAnswers() async throws {
        let seed = UInt64.random(in: .min ... .max)
        try await RESTWorld.with { world in
            var history = History(world: world, random: SplitMix64(seed: seed))
            try await history.make(slots: 24)
            let before = try await history.answers()
            for slot in 0..<24 {
                let removal = SlotRemoval(startsAt: RESTWorld.past(slot), size: 2)
                var slots = 0
                while slots == 0 {
                    let counts = try await world.pool.transaction { try await removal.removePart(on: $0) }
                    slots = counts.slots
                    // Each session counts once also between two parts.
                    let after = try await history.answers()
                    #expect(after == before, "seed \(seed), slot \(slot)")
                    if after != before { return }
                }
            }
            // The room in which all met is left, and the slot to come.
            #expect(try await world.count("rooms") == 1)
            #expect(try await world.count("registrations") == 12)
            #expect(try await world.count("session_words") == 0)
            #expect(try await world.count("slots WHERE starts_at < '2027-03-01'") == 0)
        }
    }

    @Test("a block outlives the registration that names it, and is shown and taken back by its id")
    func lists() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let ids = try await world.meet(ann, bea, at: 0)
            for list in ["blocks", "favourites"] { _ = try await world.mark(list, ann, ids.theirs) }
            let listed = try await world.send("GET", "/v1/blocks", token: ann.token).json()
            try await world.removeAll(of: RESTWorld.past(0))
            #expect(try await world.count("registrations") == 0)
            #expect(try await world.send("GET", "/v1/blocks", token: ann.token).json() == listed)
            #expect(try await world.mark("blocks", ann, ids.theirs).status == 200)
            #expect(try await world.mark("blocks", bea, ids.theirs).status == 404)
            for list in ["blocks", "favourites"] {
                let path = "/v1/\(list)/\(ids.theirs)"
                for _ in 0..<2 {
                    #expect(try await world.send("DELETE", path, token: ann.token).status == 204)
                }
                #expect(
                    try await world.send("GET", "/v1/\(list)", token: ann.token).json()[list]?.array == [])
            }
        }
    }

    @Test("old slots go seven days after they were announced, in their order, and not near an opening")
    func pace() async throws {
        try await RESTWorld.withPerson { world, ann in
            try await world.went(ann, ["attended", "missed"])
            world.clock.now = RESTWorld.past(400 * 48 + 1)
            let retention = world.retention(days: 400)
            #expect(try await world.retention(days: 0).step() == .waits)
            #expect(try await world.count("retention") == 0)
            // Nothing is removed at the announcement, nor in the seven days after it.
            #expect(try await retention.step() == .waits)
            #expect(retention.metrics.current.lastRun == world.clock.now)
            world.clock.now = world.clock.now.adding(.seconds(3600))
            #expect(try await retention.step() == .waits)
            #expect(retention.metrics.current.lastRun == world.clock.now)
            world.clock.now = world.clock.now.adding(Retention.notice)
            // An opening is four minutes ahead, or four minutes ago.
            for seconds in [240, -240] {
                let slot = world.clock.now.adding(.seconds(60 + seconds))
                _ = try await world.registered(ann, slot)
                #expect(try await retention.step() == .waits)
                try await world.pool.query("DELETE FROM registrations WHERE starts_at = $1", [slot])
                try await world.pool.query("DELETE FROM slots WHERE starts_at = $1", [slot])
            }
            // Another server holds the lock.
            try await world.pool.transaction { connection in
                try await connection.query("SELECT pg_advisory_xact_lock(\(Int64(0x6C65_7475)))")
                #expect(try await retention.step() == .waits)
            }
            #expect(try await world.count("slots") == 2)
            #expect(try await retention.step() == .removed(SlotRemoval.Counts(registrations: 1)))
            // Removal rests for four times as long as it has worked, on every server.
            let rest = try await world.pool.query("SELECT rests_until > $1 FROM retention", [world.clock.now])
            #expect(try rest[0].decode(0, Bool.self))
            #expect(try await world.retention(days: 400).step() == .waits)
            try await world.removeAllOld(retention)
            #expect(try await world.count("slots") == 0)
            #expect(retention.metrics.current.removed == SlotRemoval.Counts(registrations: 2, slots: 2))
            #expect(retention.metrics.current.workSeconds > 0)
            #expect(try await world.stats(ann.token).attended == 1)
        }
    }

    @Test("what is young stays, and so does everything behind a slot that is not closed")
    func stays() async throws {
        try await RESTWorld.withPerson { world, ann in
            try await world.went(ann, ["attended", "attended", "attended"])
            try await world.pool.query(
                "UPDATE slots SET closed_at = NULL WHERE starts_at = $1", [RESTWorld.past(1)])
            let retention = world.retention(days: 400)
            world.clock.now = RESTWorld.past(390 * 48)
            _ = try await retention.step()
            world.clock.now = RESTWorld.past(400 * 48)
            #expect(try await retention.step() == .nothingIsOld)
            world.clock.now = RESTWorld.past(800 * 48)
            try await world.removeAllOld(retention)
            #expect(try await world.count("slots") == 2)
        }
    }

    @Test("a server that has not found the time to look says since when, unless it keeps everything")
    func beginning() async throws {
        try await RESTWorld.with { world in
            for days in [0, 400] {
                let retention = world.retention(days: days)
                let pause = try await retention.removeExpired(at: world.clock.now)
                #expect(pause == (days > 0 ? .seconds(60) : nil))
                #expect(retention.metrics.current.lastRun == (days > 0 ? world.clock.now : nil))
            }
        }
    }

    @Test("an account is deleted with what was kept of it")
    func deletion() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            _ = try await world.meet(ann, bea, at: 0)
            try await world.removeAll(of: RESTWorld.past(0))
            #expect(try await world.stats(ann.token).partnersMet == 1)
            try await world.pool.query("DELETE FROM users WHERE id = $1", [bea.id])
            #expect(try await world.stats(ann.token).partnersMet == 0)
            #expect(try await world.count("past_sums") == 1)
            #expect(try await world.count("past_entries") == 1)
        }
    }
}

extension RESTWorld {
    func retention(days: Int) -> Retention {
        Retention(
            days: days, quiet: Quiet(application.configuration), pool: pool, metrics: RetentionMetrics(),
            now: { clock.now })
    }

    /// Removes a whole slot, part by part.
    func removeAll(of startsAt: Timestamp) async throws {
        let removal = SlotRemoval(startsAt: startsAt)
        var slots = 0
        while slots == 0 {
            slots = try await pool.transaction { try await removal.removePart(on: $0) }.slots
        }
    }

    /// Removes everything old, without the rests.
    func removeAllOld(_ retention: Retention) async throws {
        repeat {
            try await pool.query("UPDATE retention SET rests_until = announced_at")
        } while try await retention.step() != .nothingIsOld
    }
}

/// A random history of six people, and the server's answers about it.
private struct History {
    let world: RESTWorld
    var random: SplitMix64
    private var people: [SocialPerson] = []
    private var latest = Identifier(value: 0)

    init(world: RESTWorld, random: SplitMix64) {
        self.world = world
        self.random = random
    }

    struct Answers: Equatable {
        var stats: [Stats] = []
        var attendance: [[Int64]] = []
        var explanations: [String] = []
        var arrivals: [String] = []
    }

    /// Makes past slots of all kinds, then one in which all meet, and one to come.
    mutating func make(slots: Int) async throws {
        for name in ["Ann", "Bea", "Cem", "Dan", "Eva", "Fay"] { people.append(try await world.person(name)) }
        for number in 0..<slots { try await slot(RESTWorld.past(number)) }
        try await world.pool.query(
            """
            UPDATE members SET entered_at = entered_at + random() * interval '3 seconds',
                ales_sent = floor(random() * 9), ales_received = floor(random() * 9)
            """)
        try await world.pool.query(
            """
            INSERT INTO session_words (registration_id, user_id, outcome, updated_at)
            SELECT id, user_id, (ARRAY['done', 'partly', 'not', NULL])[ceil(random() * 4)], starts_at
            FROM registrations WHERE EXISTS (SELECT FROM members WHERE registration_id = id)
            """)
        let last = RESTWorld.noon.adding(.seconds(1800))
        var ids: [Identifier] = []
        for person in people { ids.append(try await world.registered(person, last)) }
        latest = try await world.met(last, ids, isOver: false)
        for person in people { _ = try await world.registered(person, RESTWorld.noon.adding(.seconds(3600))) }
    }

    private mutating func slot(_ startsAt: Timestamp) async throws {
        var seated: [Identifier] = []
        var late: [Identifier] = []
        for person in people.shuffled(using: &random) {
            let fate = Int.random(in: 0..<12, using: &random)
            if fate == 0 { continue }
            let id = try await world.registered(person, startsAt)
            if fate == 1 {
                try await world.cancel(id, at: startsAt.adding(.seconds(-600)))
                continue
            }
            seated.append(id)
            if fate == 2 { late.append(id) }
        }
        while !seated.isEmpty {
            let room = Array(seated.prefix(Int.random(in: 1...3, using: &random)))
            seated.removeFirst(room.count)
            let entered = room.map { _ in
                Bool.random(using: &random) || Bool.random(using: &random)
                    ? Int.random(in: 5..<200, using: &random) : nil
            }
            try await world.met(startsAt, room, entered: entered)
            if room.count == 1 {
                try await world.pool.query(
                    """
                    INSERT INTO left_alone (registration_id, user_id, starts_at)
                    SELECT id, user_id, starts_at FROM registrations WHERE id = $1
                    """, [room[0]])
            }
        }
        for id in late { try await world.cancel(id, at: startsAt.adding(.seconds(-30))) }
        // Some of those who have cancelled late register again.
        if let id = late.first, Bool.random(using: &random) {
            let row = try await world.pool.query("SELECT user_id FROM registrations WHERE id = $1", [id])[0]
            let user = try row.decode(0, Identifier.self)
            if let person = people.first(where: { $0.id == user }) {
                try await world.met(startsAt, [try await world.registered(person, startsAt)], entered: [20])
            }
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try await world.down(startsAt.adding(.seconds(60)), for: 30)
        case 1:
            try await world.pool.query(
                "UPDATE slots SET served_at = NULL WHERE starts_at = $1", [startsAt])
        default: break
        }
        try await world.pool.query(
            "UPDATE slots SET closed_at = ends_at WHERE starts_at = $1", [startsAt])
    }

    func answers() async throws -> Answers {
        var answers = Answers()
        for person in people {
            answers.stats.append(try await world.stats(person.token))
            let explanation = try await world.send(
                "GET", "/v1/rooms/\(latest)/explanation", token: person.token)
            answers.explanations.append(explanation.text)
        }
        for row in try await world.pool.query(AttendanceRule.countAttended, [people.map(\.id)]) {
            answers.attendance.append([try row.decode(1, Int64.self), try row.decode(2, Int64.self)])
        }
        answers.attendance.sort { $0.lexicographicallyPrecedes($1) }
        let store = PostgresSchedule(pool: world.pool, serverName: "here")
        let next = RESTWorld.noon.adding(.seconds(3600))
        let arrivals = try await store.people(of: next, within: .seconds(60)).people
        answers.arrivals = arrivals.map { "\($0.user) \($0.aloneAt as Any) \($0.wasAloneLast)" }.sorted()
        return answers
    }
}
