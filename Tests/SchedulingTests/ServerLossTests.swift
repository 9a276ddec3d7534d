import API
import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("A server that is gone for good")
struct ServerLossTests {
    private static let silence = Duration.seconds(75)
    private static let noShow = ScheduleFixture.slot.adding(.seconds(120))

    /// Makes the server's heartbeat that many seconds older. It has no lease, as in the previous version.
    private static func age(_ seconds: Int, _ fixture: ScheduleFixture) async throws {
        try await fixture.pool.query(
            """
            UPDATE servers SET alive_at = alive_at - make_interval(secs => $1), alive_until = NULL
            WHERE name = 'there'
            """,
            [Double(seconds)])
    }

    private static func note(_ server: String, _ fixture: ScheduleFixture) async throws -> AliveNote {
        let now = fixture.application.now()
        return try await PostgresSchedule(pool: fixture.pool, serverName: server)
            .noteAlive(at: now, upSince: now, silence: silence, releasing: true)
    }

    @Test("members who were present there are away, and those who wait for them are rematched")
    func released() async throws {
        try await ScheduleFixture.with { fixture in
            let matcher = fixture.matcher { $0.noShow = .seconds(120) }
            try await fixture.register(4)
            fixture.set(ScheduleFixture.opening)
            try await matcher.match(ScheduleFixture.slot, seed: 1)
            let pairs = try await fixture.rooms().values.map { $0.sorted() }
            try await fixture.arrive(pairs.flatMap(\.self))
            try await fixture.pool.query(
                "UPDATE members SET present_on = 'there' WHERE registration_id = ANY($1::uuid[])",
                [pairs.map { $0[1] }])
            fixture.set(Self.noShow.adding(.seconds(600)))
            #expect(try await Self.note("there", fixture) == AliveNote(isNew: true, released: 0))
            #expect(try await Self.note("here", fixture) == AliveNote(isNew: true, released: 0))
            try await Self.age(60, fixture)
            #expect(try await Self.note("here", fixture) == AliveNote(isNew: false, released: 0))
            #expect(try await matcher.match(ScheduleFixture.slot, seed: 2).rematched == 0)
            try await Self.age(60, fixture)
            #expect(try await Self.note("here", fixture) == AliveNote(isNew: false, released: 2))
            #expect(try await Self.note("here", fixture) == AliveNote(isNew: false, released: 0))
            // The member is away since the server's last heartbeat, by the clock of the slot, which is not
            // the database's.
            let away = try await fixture.pool.query(
                "SELECT FROM members WHERE $1::timestamptz - away_since BETWEEN '120 s' AND '10 min'",
                [fixture.application.now()])
            #expect(away.count == 2)
            #expect(try await matcher.match(ScheduleFixture.slot, seed: 3).rematched == 1)
            // The server was only slow, and reports its members again.
            #expect(try await Self.note("there", fixture) == AliveNote(isNew: true, released: 0))
        }
    }

    /// Returns the schedule of a process of the server with the label `host`.
    private static func process(_ id: Identifier, _ fixture: ScheduleFixture) -> PostgresSchedule {
        PostgresSchedule(pool: fixture.pool, serverName: "\(id)", label: "host")
    }

    /// Makes two people present on the process.
    private static func arrive(on name: String, _ fixture: ScheduleFixture) async throws {
        try await fixture.pool.query("UPDATE members SET present_on = $1, away_since = NULL", [name])
    }

    private static func presentCount(on name: String, _ fixture: ScheduleFixture) async throws -> Int {
        try await fixture.pool.query("SELECT FROM members WHERE present_on = $1", [name]).count
    }

    @Test(
        "one that starts has no members, releases those of its previous process, and is known to the others")
    func begins() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, _ in
            let (first, second) = (Identifier(value: 1), Identifier(value: 2))
            try await Self.process(first, fixture).begin(at: fixture.application.now())
            try await Self.arrive(on: "\(first)", fixture)
            try await Self.process(second, fixture).begin(at: fixture.application.now())
            #expect(try await Self.presentCount(on: "\(first)", fixture) == 0)
            #expect(try await Self.note("\(second)", fixture) == AliveNote(isNew: false, released: 0))
            // The previous version uses the label as its name.
            try await fixture.pool.query(
                "INSERT INTO servers (name, alive_at) VALUES ('host', clock_timestamp())")
            try await Self.arrive(on: "host", fixture)
            try await Self.process(first, fixture).begin(at: fixture.application.now())
            #expect(try await Self.presentCount(on: "host", fixture) == 0)
            #expect(try await fixture.pool.query("SELECT FROM servers").count == 1)
        }
    }

    @Test("of two hosts with one name neither takes the other's people, while the other lives")
    func oneName() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, _ in
            let (first, second) = (Identifier(value: 1), Identifier(value: 2))
            try await Self.process(first, fixture).begin(at: fixture.application.now())
            let life = try await PostgresConnection.connect(fixture.pool.configuration, on: fixture.pool.loop)
            try await life.simple(PostgresSchedule.holdLife(of: first))
            try await Self.arrive(on: "\(first)", fixture)
            try await Self.process(second, fixture).begin(at: fixture.application.now())
            #expect(try await Self.presentCount(on: "\(first)", fixture) == 2)
            try await Self.process(second, fixture).resign(at: fixture.application.now())
            #expect(try await Self.presentCount(on: "\(first)", fixture) == 2)
            #expect(try await Self.note("\(first)", fixture) == AliveNote(isNew: false, released: 0))
            await life.close()
            // The other end of the connection takes a moment to notice it.
            while try await Self.presentCount(on: "\(first)", fixture) > 0 {
                try await Self.process(second, fixture).begin(at: fixture.application.now())
            }
        }
    }

    @Test("what a process has stored last is forgotten when it has been gone for a day")
    func batches() async throws {
        try await ScheduleFixture.with { fixture in
            _ = try await Self.note("here", fixture)
            try await fixture.pool.query(
                """
                INSERT INTO count_batches (server, batch, stored_at)
                VALUES ('here', $1, now() - interval '2 days'), ('there', $1, now() - interval '2 days'),
                    ('cut off', $1, now() - interval '23 hours')
                """,
                [Identifier(value: 7)])
            _ = try await Self.note("here", fixture)
            let left = try await fixture.pool.query("SELECT server FROM count_batches ORDER BY server")
            #expect(try left.map { try $0.decode(0, String.self) } == ["cut off", "here"])
        }
    }

    @Test("one that ends by itself takes its people along")
    func resigned() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            try await fixture.arrive(pair)
            try await fixture.pool.query(
                "UPDATE members SET present_on = 'there' WHERE registration_id = $1", [pair[0]])
            _ = try await Self.note("there", fixture)
            try await PostgresSchedule(pool: fixture.pool, serverName: "there")
                .resign(at: fixture.application.now())
            let rows = try await fixture.pool.query(
                "SELECT registration_id FROM members WHERE present_on IS NULL AND away_since = $1",
                [fixture.application.now()])
            #expect(try rows.map { try $0.decode(0, Identifier.self) } == [pair[0]])
            #expect(try await fixture.pool.query("SELECT FROM servers").isEmpty)
        }
    }

    @Test("a slot that is closed is left as it was")
    func closed() async throws {
        try await ScheduleFixture.withMatched(2) { fixture, pair in
            try await fixture.arrive(pair)
            _ = try await Self.note("there", fixture)
            try await fixture.pool.query("UPDATE members SET present_on = 'there'")
            try await fixture.pool.query("UPDATE slots SET closed_at = ends_at")
            try await Self.age(100, fixture)
            #expect(try await Self.note("here", fixture).released == 0)
        }
    }
}
