import Contract
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite("The limit on the registrations of a day")
struct DailyLimitTests {
    private static let slots = (1...8).map { RESTWorld.noon.adding(.seconds($0 * 1800)).description }

    private static func perDay(_ value: Int) -> (inout ServerConfiguration) -> Void {
        { $0.accountRegistrationsPerDay = value }
    }

    private static func cancelAll(_ world: RESTWorld) async throws {
        try await world.pool.query(
            "UPDATE registrations SET cancelled_at = $1 WHERE cancelled_at IS NULL", [world.clock.now])
    }

    @Test("counts cancelled registrations too, and begins again at midnight in UTC")
    func cancelled() async throws {
        try await RESTWorld.with(configure: Self.perDay(3)) { world in
            let (ann, bea) = (try await world.signUp("Ann"), try await world.signUp("Bea"))
            #expect(try await world.book(ann, Array(Self.slots[0...1])).status == 201)
            try await Self.cancelAll(world)
            #expect(try await world.book(ann, Array(Self.slots[0...1])).status == 429)
            #expect(try await world.book(ann, [Self.slots[0]]).status == 201)
            try await Self.cancelAll(world)
            let refused = try await world.book(ann, [Self.slots[0]])
            #expect(refused.status == 429 && refused.problem == "too-many-registrations")
            #expect(try refused.json()["detail"]?.string?.contains("3 registrations today") == true)
            #expect(refused.headers["retry-after"] == "43200")
            #expect(try await world.book(bea, Array(Self.slots[0...2])).status == 201)
            // The rows are gone; what was made stays counted.
            try await world.pool.query("DELETE FROM registrations WHERE cancelled_at IS NOT NULL")
            #expect(try await world.book(ann, [Self.slots[0]]).status == 429)
            world.clock.now = RESTWorld.noon.adding(.seconds(43_200))
            let next = world.clock.now.adding(.seconds(3600)).description
            #expect(try await world.book(ann, [next]).status == 201)
        }
    }

    @Test("counts no request that stored nothing")
    func refused() async throws {
        try await RESTWorld.with(configure: Self.perDay(3)) { world in
            let token = try await world.signUp()
            #expect(try await world.book(token, [Self.slots[0]]).status == 201)
            for _ in 0..<3 {
                #expect(try await world.book(token, Array(Self.slots[0...1])).status == 409)
            }
            #expect(try await world.book(token, Array(Self.slots[1...2])).status == 201)
            #expect(try await world.book(token, [Self.slots[3]]).status == 429)
        }
    }

    @Test("takes back the count of what a transaction takes back")
    func takenBack() async throws {
        try await RESTWorld.with(configure: Self.perDay(3)) { world in
            let ann = try await world.person("Ann")
            let limit = try #require(RegistrationLimit(world.application.configuration))
            // Two requests of one transaction want the same slot: the second one is stored in part, and goes.
            let requests = [world.request(ann.id, [1]), world.request(ann.id, [1, 2])]
            let results = try await world.pool.transaction { connection in
                try await RegistrationWriter.write(requests, nil, limit, on: connection)
            }.0
            #expect(results == [.settled(.registered), .settled(.taken([0]))])
            let made = try await world.pool.query("SELECT made FROM registrations_made")
            #expect(try made.map { try $0.decode(0, Int64.self) } == [1])
        }
    }

    @Test(
        "grows with the age of an account: 150 a day more, up to the setting",
        arguments: [(500, [150, 300, 450, 500, 500]), (100, [100, 100, 100, 100, 100])])
    func growth(_ setting: Int, _ allowed: [Int]) throws {
        var configuration = ServerConfiguration(cores: 1)
        configuration.accountRegistrationsPerDay = setting
        let limit = try #require(DailyLimit(configuration))
        let made = RESTWorld.noon
        for (day, allowed) in allowed.enumerated() {
            for seconds in [0, 86_399] {
                let now = made.adding(.seconds(day * 86_400 + seconds))
                #expect(limit.allowed(since: made, at: now) == allowed, "day \(day)")
            }
        }
        #expect(limit.allowed(since: made, at: made.adding(.seconds(-60))) == allowed[0])
    }

    @Test("stops a routine, which lists it as `limit` and goes on the next day")
    func routine() async throws {
        try await RESTWorld.with(configure: Self.perDay(4)) { world in
            let token = try await world.signUp()
            let made = try await world.make(token, "FREQ=DAILY", "15:00")
            #expect(
                made.next.map(\.state.known) == Array(repeating: .registered, count: 4)
                    + Array(repeating: .limit, count: 6))
            #expect(made.problems.count == 56)
            world.clock.now = RESTWorld.noon.adding(.seconds(3600))
            #expect(try await world.worker().step() == .planned)
            #expect(try await world.registrations(token, "registered").count == 4)
            world.clock.now = RESTWorld.noon.adding(.seconds(43_200))
            #expect(try await world.worker().step() == .planned)
            #expect(try await world.registrations(token, "registered").count == 8)
        }
    }
}
