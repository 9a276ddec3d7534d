import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite("The sessions of a calendar")
struct CalendarFeedTests {
    private static func cancelled(_ read: RawHTTP.Response) -> Int {
        RESTCalendarTests.lines(read).count { $0 == "STATUS:CANCELLED" }
    }

    private static func sequence(_ world: RESTWorld, _ path: String) async throws -> Int {
        let read = try await world.send("GET", path)
        let line = RESTCalendarTests.lines(read).first { $0.hasPrefix("SEQUENCE:") } ?? ""
        return try #require(Int(line.dropFirst("SEQUENCE:".count)))
    }

    /// Registers the account of the only registration for the slots that begin in some half hours of each of
    /// the next 60 days.
    private static let manyDays = """
        WITH starts AS (
            SELECT day + half * interval '30 minutes' AS starts_at
            FROM generate_series($1::timestamptz, $1::timestamptz + interval '59 days', '1 day') AS day,
                generate_series($2::bigint, $3::bigint) AS half
        ), slot AS (
            INSERT INTO slots (starts_at, ends_at)
            SELECT starts_at, starts_at + interval '30 minutes' FROM starts
            ON CONFLICT DO NOTHING
        )
        INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at, cancelled_at)
        SELECT gen_random_uuid(), (SELECT user_id FROM registrations LIMIT 1), starts_at, 'Many', $4, $4, $5
        FROM starts
        """

    @Test("are all there that are to come, however many were cancelled; then those that are over")
    func order() async throws {
        try await RESTWorld.withAccount { world, ann in
            _ = try await world.register(ann, "2027-03-01T13:00:00Z", task: "First")
            let path = try await RESTCalendarTests.make(world, ann).path
            #expect(try await world.send("GET", path).status == 200)
            let tomorrow = RESTWorld.noon.adding(.seconds(86_400 / 2))
            let none: Timestamp? = nil
            let cancelledAt: Timestamp? = RESTWorld.noon.adding(.seconds(60))
            // Eight routines, changed five times.
            for (halves, cancelled) in [(0...7, none), (8...47, cancelledAt)] {
                try await world.pool.query(
                    Self.manyDays,
                    [
                        tomorrow, Int64(halves.lowerBound), Int64(halves.upperBound), RESTWorld.noon,
                        cancelled,
                    ])
            }
            let read = try await world.send("GET", path)
            let confirmed = RESTCalendarTests.lines(read).count { $0 == "STATUS:CONFIRMED" }
            #expect(confirmed == 481)
            #expect(Self.cancelled(read) == CalendarFeeds.mostEvents - 481)
            // By then 40 days are over; those of the last 30 are still shown.
            world.clock.now = RESTWorld.noon.adding(.seconds(40 * 86_400))
            let later = try await world.send("GET", path)
            let starts = RESTCalendarTests.lines(later).filter { $0.hasPrefix("DTSTART:") }
            #expect(starts == starts.sorted())
            #expect(RESTCalendarTests.lines(later).count { $0 == "STATUS:CONFIRMED" } == 50 * 8)
        }
    }

    @Test("that were cancelled are shown as long as a program may hold them, and to those programs alone")
    func cancelled() async throws {
        try await RESTWorld.withAccount { world, ann in
            func cancel(_ startsAt: String, in path: String?) async throws {
                let id = try await world.register(ann, startsAt)
                if let path { #expect(try await world.send("GET", path).text.contains("UID:\(id)")) }
                try await world.delete("/v1/registrations/\(id)", ann, expecting: 204)
            }
            let path = try await RESTCalendarTests.make(world, ann).path
            try await cancel("2027-03-01T13:00:00Z", in: nil)
            #expect(Self.cancelled(try await world.send("GET", path)) == 0)
            world.clock.now = RESTWorld.noon.adding(.seconds(60))
            try await cancel("2027-03-01T14:00:00Z", in: path)
            let other = try await RESTCalendarTests.make(world, ann).path
            for _ in 0..<2 { #expect(Self.cancelled(try await world.send("GET", other)) == 0) }
            let day = 86_400
            for (seconds, count) in [
                // A program that reads again and again sees the cancellation for seven days,
                (900, 1), (day, 1), (7 * day, 1), (7 * day + 7200, 1), (7 * day + 14_400, 0),
            ] {
                world.clock.now = RESTWorld.noon.adding(.seconds(seconds))
                #expect(Self.cancelled(try await world.send("GET", path)) == count, "\(seconds)")
            }
            // And one that comes back after three weeks sees it once. A HEAD is no reading.
            try await cancel("2027-03-08T17:00:00Z", in: path)
            world.clock.now = RESTWorld.noon.adding(.seconds(28 * day))
            #expect(try await world.send("HEAD", path).status == 200)
            #expect(Self.cancelled(try await world.send("GET", path)) == 1)
            world.clock.now = RESTWorld.noon.adding(.seconds(28 * day + 900))
            #expect(Self.cancelled(try await world.send("GET", path)) == 0)
        }
    }

    @Test("count their changes one by one, within a second and with a clock that is set back")
    func sequence() async throws {
        try await RESTWorld.withAccount { world, ann in
            let id = try await world.register(ann, "2027-03-01T18:00:00Z")
            let path = try await RESTCalendarTests.make(world, ann).path
            #expect(try await Self.sequence(world, path) == 0)
            for (number, seconds) in [1800, 1800, 600, -600].enumerated() {
                world.clock.now = RESTWorld.noon.adding(.seconds(seconds))
                try await world.send(
                    "PATCH", "/v1/registrations/\(id)", token: ann, body: #"{"task":"Task \#(number)"}"#,
                    expecting: 200)
                #expect(try await Self.sequence(world, path) == number + 1)
            }
        }
    }

    @Test("of before their changes were counted go on above the seconds that calendars gave for them")
    func secondsBefore() async throws {
        try await RESTWorld.withAccount { world, ann in
            let id = try await world.register(ann, "2027-03-01T18:00:00Z")
            let path = try await RESTCalendarTests.make(world, ann).path
            try await world.pool.query("ALTER TABLE registrations DISABLE TRIGGER USER")
            try await world.pool.query(
                """
                UPDATE registrations
                SET change_count = NULL, updated_at = created_at + interval '599.5 seconds'
                """)
            try await world.pool.query("ALTER TABLE registrations ENABLE TRIGGER USER")
            #expect(try await Self.sequence(world, path) == 600)
            var last = 600
            for task in ["a", "b"] {
                try await world.send(
                    "PATCH", "/v1/registrations/\(id)", token: ann, body: #"{"task":"\#(task)"}"#,
                    expecting: 200)
                let sequence = try await Self.sequence(world, path)
                #expect(task == "a" ? sequence > last : sequence == last + 1)
                last = sequence
            }
        }
    }
}
