import API
import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("A server whose lease is past")
struct ServerReleaseTests {
    private static let (one, other) = (Identifier(value: 1), Identifier(value: 2))
    private static let (here, elsewhere) = (Identifier(value: 71), Identifier(value: 72))

    private static func schedule(
        _ id: Identifier, _ fixture: ScheduleFixture, boot: Identifier? = nil
    ) -> PostgresSchedule {
        PostgresSchedule(pool: fixture.pool, serverName: "\(id)", label: "host", boot: boot)
    }

    private static func renew(_ id: Identifier, _ fixture: ScheduleFixture) async throws {
        _ = try await ServerDirectory(pool: fixture.pool).renew(
            ServerDirectory.Own(incarnation: id, version: "1"))
    }

    /// Makes two people present on the server, whose lease ended that many seconds ago.
    private static func arrive(
        on id: Identifier, _ fixture: ScheduleFixture, leaseOver seconds: Double
    ) async throws {
        try await fixture.registerAndMatch(2)
        try await fixture.pool.query("UPDATE members SET present_on = $1, away_since = NULL", ["\(id)"])
        try await setLease(of: id, fixture, over: seconds)
    }

    private static func setLease(
        of id: Identifier, _ fixture: ScheduleFixture, over seconds: Double
    ) async throws {
        try await fixture.pool.query(
            "UPDATE servers SET alive_until = clock_timestamp() - make_interval(secs => $2) WHERE name = $1",
            ["\(id)", seconds])
    }

    @Test("is released after ten seconds if its lock is free, and not before", arguments: [-60, 1, 11])
    func lapsed(seconds: Int) async throws {
        try await ScheduleFixture.with { fixture in
            try await Self.schedule(Self.one, fixture).begin(at: fixture.application.now())
            try await Self.arrive(on: Self.one, fixture, leaseOver: Double(seconds))
            let now = fixture.application.now()
            let released = try await Self.schedule(Self.other, fixture).releaseLapsed(at: now)
            #expect(released == (seconds > 10 ? 2 : 0))
            let since = try await fixture.pool.query(
                "SELECT FROM members WHERE away_since BETWEEN $1::timestamptz - interval '1 min' AND $1",
                [now])
            #expect(since.count == released)
        }
    }

    @Test("is kept while its lock is held, even if it has been silent for ten seconds")
    func locked() async throws {
        try await ScheduleFixture.with { fixture in
            try await Self.schedule(Self.one, fixture).begin(at: fixture.application.now())
            try await Self.arrive(on: Self.one, fixture, leaseOver: 60)
            try await fixture.pool.withConnection { life in
                try await life.simple(ServerLife.hold(Self.one))
                let released = try await Self.schedule(Self.other, fixture).releaseLapsed(
                    at: fixture.application.now())
                #expect(released == 0)
            }
        }
    }

    @Test("a silent one with a lease is only slow")
    func slow() async throws {
        try await ScheduleFixture.with { fixture in
            try await Self.schedule(Self.one, fixture).begin(at: fixture.application.now())
            try await Self.arrive(on: Self.one, fixture, leaseOver: -60)
            try await fixture.pool.query("UPDATE servers SET alive_at = alive_at - interval '1 hour'")
            func released() async throws -> Int {
                let now = fixture.application.now()
                return try await Self.schedule(Self.other, fixture).noteAlive(
                    at: now, upSince: now, silence: .seconds(75), releasing: true
                ).released
            }
            #expect(try await released() == 0)
            try await Self.setLease(of: Self.one, fixture, over: 1)
            #expect(try await released() == 2)
        }
    }

    @Test("is released by a note only if the noting server has been connected for as long as others may need")
    func outage() async throws {
        try await ScheduleFixture.with { fixture in
            try await Self.schedule(Self.one, fixture).begin(at: fixture.application.now())
            try await Self.arrive(on: Self.one, fixture, leaseOver: 60)
            func released(after steadiness: Duration) async throws -> Int {
                var schedule = Self.schedule(Self.other, fixture)
                schedule.steadiness = steadiness
                let now = fixture.application.now()
                return try await schedule.noteAlive(
                    at: now, upSince: now, silence: .seconds(75), releasing: true
                ).released
            }
            #expect(try await released(after: .zero) == 0, "it is not connected")
            try await fixture.pool.withConnection { life in
                try await life.simple(ServerLife.hold(Self.other))
                #expect(try await released(after: .seconds(3600)) == 0)
                #expect(try await released(after: .zero) == 2)
            }
        }
    }

    @Test(
        "the process after one of the same label removes it at once on one machine, and else after its lease",
        arguments: [(true, -60, true), (false, -60, false), (false, 1, true)])
    func sameLabel(isSameMachine: Bool, leaseOver: Int, isRemoved: Bool) async throws {
        try await ScheduleFixture.with { fixture in
            let now = fixture.application.now()
            try await Self.schedule(Self.one, fixture, boot: Self.here).begin(at: now)
            try await Self.arrive(on: Self.one, fixture, leaseOver: Double(leaseOver))
            let boot = isSameMachine ? Self.here : Self.elsewhere
            try await Self.schedule(Self.other, fixture, boot: boot).begin(at: now)
            let left = try await fixture.pool.query("SELECT FROM servers WHERE name = $1", ["\(Self.one)"])
            #expect(left.isEmpty == isRemoved)
        }
    }

    @Test("one that begins has no lease yet, and is no server of the previous version either")
    func begins() async throws {
        try await ScheduleFixture.with { fixture in
            try await Self.schedule(Self.one, fixture).begin(at: fixture.application.now())
            let found = try await ServerDirectory(pool: fixture.pool).read(Self.one)
            let left = try #require(found?.entry.leaseLeft)
            #expect(left <= .zero)
        }
    }

    @Test("a renewal that finds its row gone does not hide it from the schedule")
    func renewedAnew() async throws {
        try await ScheduleFixture.with { fixture in
            let schedule = Self.schedule(Self.one, fixture)
            let now = fixture.application.now()
            func isNew() async throws -> Bool {
                try await schedule.noteAlive(at: now, upSince: now, silence: .seconds(75), releasing: false)
                    .isNew
            }
            try await schedule.begin(at: now)
            try await Self.renew(Self.one, fixture)
            #expect(try await !isNew())
            try await fixture.pool.query("DELETE FROM servers")
            try await Self.renew(Self.one, fixture)
            #expect(try await isNew())
            #expect(try await !isNew())
        }
    }
}
