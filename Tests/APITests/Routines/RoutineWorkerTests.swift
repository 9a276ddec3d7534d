import Contract
import Postgres
import Reactor
import Scheduling
import Settings
import TestKit
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("The worker of routines")
struct RoutineWorkerTests {
    private static let day = Duration.seconds(86_400)

    @Test("registers each day once, when it is near enough, however many servers work")
    func servers() async throws {
        try await RESTWorld.withAccount { world, token in
            var ids: [Identifier] = []
            for hour in 13..<18 { ids.append(try await world.make(token, "FREQ=DAILY", "\(hour):00").id) }
            #expect(try await world.registrations(token).count == 60 * 5)
            let worker = world.worker()
            #expect(try await worker.step() == .nothingIsDue)
            world.clock.now = RESTWorld.noon.adding(Self.day)
            world.changeEvents.withLock { $0 = [] }
            try await concurrently(0..<4) { _ in
                // A routine whose user another worker has locked is passed over.
                for _ in 0..<8 { _ = try await worker.step() }
            }
            while try await worker.step() == .planned {}
            #expect(try await world.registrations(token, "registered").count == 61 * 5)
            let rows = try await world.pool.query(
                """
                SELECT count(*), count(DISTINCT (routine_id, registrations.starts_at))
                FROM routine_occurrences JOIN registrations ON registrations.id = registration_id
                """)
            let (all, distinct) = try rows[0].decode(Int64.self, Int64.self)
            #expect(all == 61 * 5 && distinct == all)
        }
    }

    @Test("does nothing near an opening")
    func quiet() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, "FREQ=DAILY", "15:00")
            try await world.makeDue(made.id)
            world.clock.now = try #require(Timestamp("2027-03-01T14:58:00Z"))
            #expect(try await world.worker().step() == .waits)
            world.clock.now = try #require(Timestamp("2027-03-01T15:10:00Z"))
            #expect(try await world.worker().step() == .planned)
        }
    }

    private static func oneDay(_ configuration: inout ServerConfiguration) {
        configuration.maxDaysAhead = 1
    }

    @Test("notes the days for which it came too late, keeps that for a month, and goes on")
    func late() async throws {
        try await RESTWorld.with(configure: Self.oneDay) { world in
            let token = try await world.signUp()
            let made = try await world.make(token, "FREQ=DAILY", "15:00")
            #expect(made.next.map(\.state.known).prefix(2) == [.registered, .planned])
            world.clock.now = RESTWorld.noon.adding(Self.day * 3)
            #expect(try await world.worker().step() == .planned)
            let now = try await world.routine(made.id, token)
            #expect(now.problems.map { "\($0.date) \($0.state)" } == ["2027-03-02 late", "2027-03-03 late"])
            #expect(now.next[0].state == .registered)
            world.clock.now = RESTWorld.noon.adding(Self.day * 40)
            #expect(try await world.worker().step() == .planned)
            #expect(try await world.routine(made.id, token).problems.count == 30)
            let old = try await world.pool.query(
                "SELECT count(*) FROM routine_occurrences WHERE date < '2027-03-10' AND outcome = 'late'")
            #expect(try old[0].decode(0, Int64.self) == 0)
        }
    }

    @Test("puts off a routine that cannot be worked on, and works on the others")
    func poison() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let broken = try await world.make(ann, "FREQ=DAILY", "15:00")
            let sound = try await world.make(bea, "FREQ=DAILY", "16:00")
            // PostgreSQL may lose the rules of a zone with an upgrade.
            try await world.pool.query(
                "UPDATE routines SET time_zone = 'Mars/Crater' WHERE id = $1", [broken.id])
            world.clock.now = RESTWorld.noon.adding(Self.day)
            let worker = world.worker()
            #expect(try await worker.step() == .planned)
            #expect(try await worker.step() == .planned)
            #expect(try await worker.step() == .nothingIsDue)
            #expect(try await world.routine(sound.id, bea).next.count == 10)
            #expect(try await world.registrations(bea, "registered").count == 61)
            // It is still shown, with what it has registered before.
            #expect(try await world.routine(broken.id, ann).timeZone == "Mars/Crater")
        }
    }

    @Test("moves registrations to the new time of a zone that has changed its rules, and notifies")
    func rules() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(
                token, "FREQ=WEEKLY;BYDAY=MO,TU,WE", "15:00", more: #","timeZone":"Europe/London""#)
            let before = try await world.registrations(token, "registered").map(\.slot.startsAt).sorted()
            // From now on the zone is an hour ahead of what it was.
            try await world.pool.query(
                "UPDATE routines SET time_zone = 'Europe/Berlin' WHERE id = $1", [made.id])
            world.clock.now = RESTWorld.noon.adding(Self.day)
            #expect(try await world.worker().step() == .planned)
            let ahead = before.filter { $0 > world.clock.now }
            let after = try await world.registrations(token, "registered").map(\.slot.startsAt).sorted()
            // Both zones change their clocks at the same instant.
            #expect(after.filter { $0 > world.clock.now }.map { $0.adding(.seconds(3600)) } == ahead)
            let now = try await world.routine(made.id, token)
            #expect(now.problems.isEmpty && now.next[0].state == .registered)
            #expect(try await Announcements.step(at: world.clock.now, in: world.pool) == 1)
            let told = try await world.send("GET", "/v1/notifications", token: token).text
            #expect(told.contains("The rules of the time zone Europe/Berlin have changed"), "\(told)")
            #expect(told.contains("moved: \(ahead.count) of \(ahead.count)."), "\(told)")
            world.clock.now = RESTWorld.noon.adding(Self.day * 2)
            _ = try await world.worker().step()
            #expect(try await Announcements.step(at: world.clock.now, in: world.pool) == nil)
        }
    }

    @Test("leaves nothing of an account that is deleted")
    func deletion() async throws {
        try await RESTWorld.withAccount { world, token in
            _ = try await world.make(token, "FREQ=DAILY", "15:00")
            try await world.delete("/v1/me", token, expecting: 204)
            try await world.eraseDeletedAccounts()
            for table in ["routines", "routine_occurrences", "registrations"] {
                let rows = try await world.pool.query("SELECT count(*) FROM \(table)")
                #expect(try rows[0].decode(0, Int64.self) == 0, "\(table)")
            }
        }
    }
}
