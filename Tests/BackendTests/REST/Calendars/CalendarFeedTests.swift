import Contract
import Postgres
import Testing

@testable import Database

@Suite("The sessions of a calendar")
struct CalendarFeedTests {
    private static func sequence(_ world: RESTWorld, _ path: String) async throws -> Int {
        let read = try await world.send("GET", path)
        let line = RESTCalendarTests.lines(read).first { $0.hasPrefix("SEQUENCE:") } ?? ""
        return try #require(Int(line.dropFirst("SEQUENCE:".count)))
    }

    @Test("count their changes one by one, within a second and with a clock that is set back")
    func sequence() async throws {
        try await RESTWorld.with { world in
            let ann = try await world.signUp()
            let id = try await world.register(ann, "2027-03-01T18:00:00Z")
            let path = try await RESTCalendarTests.make(world, ann).path
            #expect(try await Self.sequence(world, path) == 0)
            for (number, seconds) in [1800, 1800, 600, -600].enumerated() {
                world.clock.now = RESTWorld.noon.adding(.seconds(seconds))
                let changed = try await world.send(
                    "PATCH", "/v1/registrations/\(id)", token: ann, body: #"{"task":"Task \#(number)"}"#)
                #expect(changed.status == 200)
                #expect(try await Self.sequence(world, path) == number + 1)
            }
        }
    }

    @Test("of before their changes were counted go on above the seconds that calendars gave for them")
    func secondsBefore() async throws {
        try await RESTWorld.with { world in
            let ann = try await world.signUp()
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
                let changed = try await world.send(
                    "PATCH", "/v1/registrations/\(id)", token: ann, body: #"{"task":"\#(task)"}"#)
                #expect(changed.status == 200)
                let sequence = try await Self.sequence(world, path)
                #expect(task == "a" ? sequence > last : sequence == last + 1)
                last = sequence
            }
        }
    }
}
