import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite("The people in rooms now")
struct NowTests {
    private static let slot = "2027-03-01T12:30:00Z"
    private static let next = "2027-03-01T13:00:00Z"

    /// Asks without a token.
    private static func people(_ world: RESTWorld) async throws -> Int64? {
        let answer = try await world.send("GET", "/v1/now")
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json()["peopleInRooms"]?.int
    }

    private static func later(_ world: RESTWorld) { world.clock.now = world.clock.now.adding(.seconds(5)) }

    @Test("are those who are present in open rooms, on whatever server")
    func counting() async throws {
        try await RESTWorld.with { world in
            #expect(try await Self.people(world) == 0)
            var registrations: [Identifier] = []
            for index in 0..<6 {
                let token = try await world.signUp("Person \(index)")
                registrations.append(try await world.register(token, index < 4 ? Self.slot : Self.next))
            }
            _ = try await world.open(Array(registrations[0..<2]), at: Self.slot)
            _ = try await world.open(Array(registrations[2..<4]), at: Self.slot)
            _ = try await world.open(Array(registrations[4..<6]), at: Self.next)
            Self.later(world)
            #expect(try await Self.people(world) == 0)
            for (registration, server) in zip(registrations[1..<6], ["a", "b", "a", "c", "b"]) {
                try await world.pool.query(
                    "UPDATE members SET present_on = $2 WHERE registration_id = $1", [registration, server])
            }
            Self.later(world)
            #expect(try await Self.people(world) == 5)
            // A person who was moved has two rows in members, and is present in one of the rooms.
            try await world.pool.query(
                "UPDATE members SET left_revision = 2, present_on = NULL WHERE registration_id = $1",
                [registrations[1]])
            Self.later(world)
            #expect(try await Self.people(world) == 4)
            try await world.close(Self.slot)
            Self.later(world)
            #expect(try await Self.people(world) == 2)
            try await world.close(Self.next)
            Self.later(world)
            #expect(try await Self.people(world) == 0)
        }
    }

    @Test("are counted once in five seconds, and clients may cache them for as long")
    func freshness() async throws {
        try await RESTWorld.with { world in
            let first = try await world.send("GET", "/v1/now")
            #expect(first.headers["cache-control"] == "public, max-age=5")
            #expect(first.headers["set-cookie"] == nil)
            let token = try await world.signUp()
            _ = try await world.open([try await world.register(token, Self.slot)], at: Self.slot)
            try await world.pool.query("UPDATE members SET present_on = 'a'")
            let begun = world.clock.now
            for (milliseconds, expected) in [(0, 0), (4_999, 0), (5_000, 1), (9_999, 1)] as [(Int64, Int64)] {
                world.clock.now = begun.adding(.milliseconds(milliseconds))
                let answer = try await world.send("GET", "/v1/now").json()
                #expect(answer["peopleInRooms"]?.int == expected)
                let counted = expected == 0 ? begun : begun.adding(.seconds(5))
                #expect(answer["time"]?.string == "\(counted)")
            }
        }
    }

    @Test("are not known where the database does not answer, and it is not asked at once again")
    func outage() async throws {
        try await RESTWorld.with { world in
            try await world.pool.query("ALTER TABLE members RENAME TO hidden")
            let away = try await world.send("GET", "/v1/now")
            #expect(away.status == 503 && ["5", "6", "7", "8"].contains(away.headers["retry-after"]))
            #expect(away.headers["cache-control"] == "no-store")
            try await world.pool.query("ALTER TABLE hidden RENAME TO members")
            #expect(try await world.send("GET", "/v1/now").status == 503)
            Self.later(world)
            #expect(try await Self.people(world) == 0)
        }
    }

    @Test("can be read without an account, and written by no client")
    func access() async throws {
        try await RESTWorld.with { world in
            #expect(try await world.send("GET", "/v1/now", token: "nonsense").status == 200)
            #expect(try await world.send("GET", "/v1/now?x=%00").status == 400)
            #expect(try await world.send("GET", "/v1/now", body: "{\"a\":1}").status == 413)
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let answer = try await world.send(method, "/v1/now", body: "{}")
                #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD, OPTIONS")
            }
            let head = try await world.send("HEAD", "/v1/now")
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }
}
