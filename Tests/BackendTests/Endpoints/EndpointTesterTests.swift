import Contract
import Outbox
import Postgres
import Testing

@testable import API
@testable import Database

@Suite struct EndpointTesterTests {
    /// A sink that reports each delivery, and answers when it is told to.
    private struct PatientSink: Sink {
        let asked = AsyncStream<Void>.makeStream()
        let told = AsyncStream<Void>.makeStream()

        func deliver(_ delivery: Delivery<DeliveryMessage>) async -> Outcome {
            asked.continuation.yield()
            for await _ in told.stream { return .delivered("200") }
            return .failed(Outcome.Failure("given up", isHostFault: true))
        }
    }

    private static func user(in world: RESTWorld) async throws -> SignedInUser {
        let row = try await world.pool.query("SELECT id FROM users")[0]
        return SignedInUser(
            id: try row.decode(0, Identifier.self), name: "Ann", timeZone: "UTC", language: nil,
            tokenVersion: 1, createdAt: RESTWorld.noon)
    }

    @Test("what came of a test is kept also where whoever asked has hung up")
    func hangUp() async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp()
            let id = try #require(try await world.addWebhook(token, "http://127.0.0.1:1/")["id"]?.string)
            let user = try await Self.user(in: world)
            let sink = PatientSink()
            let tester = EndpointTester(name: "test", sink: sink, now: { RESTWorld.noon })
            let asking = Task {
                try await tester.test(try #require(Identifier(id)), of: user.id, in: world.pool)
            }
            for await _ in sink.asked.stream { break }
            asking.cancel()
            sink.told.continuation.yield()
            let outcomes = try await world.outcomes(id, token, count: 1)
            #expect(outcomes.first?["outcome"]?.string == "delivered")
            _ = await asking.result
        }
    }

    @Test("so many tests may be under way at once, and so many a user's within a minute")
    func bounds() throws {
        let bounds = TestBounds()
        let now = RESTWorld.noon
        for number in 0..<TestBounds.together {
            try bounds.begin(Identifier(value: UInt128(number)), at: now)
        }
        #expect(throws: APIError.self) { try bounds.begin(Identifier(value: 1_000), at: now) }
        bounds.end()
        try bounds.begin(Identifier(value: 1_000), at: now)
        for _ in 0..<TestBounds.together { bounds.end() }
        for _ in 1..<TestBounds.each {
            try bounds.begin(Identifier(value: 1_000), at: now.adding(.seconds(1)))
            bounds.end()
        }
        #expect(throws: APIError.self) {
            try bounds.begin(Identifier(value: 1_000), at: now.adding(.seconds(59)))
        }
        try bounds.begin(Identifier(value: 1_000), at: now.adding(.seconds(60)))
    }
}
