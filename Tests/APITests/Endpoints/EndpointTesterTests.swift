import Contract
import Outbox
import Postgres
import Reactor
import TestKit
import Testing

@testable import API
@testable import BackendTesting
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

    @Test("the outcome of a test is stored even if the client has disconnected")
    func hangUp() async throws {
        try await RESTWorld.withAccount { world, token in
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

    @Test("a test takes no descriptor that is reserved for deliveries, and is refused without one")
    func descriptors() async throws {
        try await RESTWorld.withPerson { world, ann in
            let added = try await world.addWebhook(ann.token, "http://127.0.0.1:1/")["id"]?.string
            let endpoint = try #require(added.flatMap { Identifier($0) })
            let budget = DescriptorBudget.opened(for: 6, reserved: [.deliveries: 4], on: world.pool.loop)
            let sink = PatientSink()
            let tester = EndpointTester(
                name: "test", sink: sink, now: { RESTWorld.noon }, descriptors: budget)
            let first = Task { try await tester.test(endpoint, of: ann.id, in: world.pool) }
            for await _ in sink.asked.stream { break }
            let refusal = await #expect(throws: APIError.self) {
                try await tester.test(endpoint, of: ann.id, in: world.pool)
            }
            #expect(refusal?.problem.status == 429)
            #expect(budget.take(4, for: .deliveries))
            sink.told.continuation.yield()
            #expect(try await first.value.outcome == "delivered")
            #expect(budget.held[.tests] == 0)
        }
    }

    /// A sink that never answers deliveries to one endpoint, and takes those to others.
    private struct HangingSink: Sink {
        let endpoint: Identifier
        let asked = AsyncStream<Void>.makeStream()

        func deliver(_ delivery: Delivery<DeliveryMessage>) async -> Outcome {
            guard delivery.endpoint == endpoint else { return .delivered("200") }
            asked.continuation.yield()
            // It ends when the task is cancelled.
            let (never, hold) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            hold.finish()
            return .failed(Outcome.Failure("cancelled", isHostFault: true))
        }
    }

    @Test("a test whose receiver is slow gives its place to the test of another account, and says so")
    func givesWay() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let added = try await world.addWebhook(ann.token, "http://127.0.0.1:1/")["id"]?.string
            let slow = try #require(added.flatMap { Identifier($0) })
            let other = try await world.addWebhook(bea.token, "http://127.0.0.1:2/")["id"]?.string
            let quick = try #require(other.flatMap { Identifier($0) })
            let clock = Lock<UInt64>(1)
            let places = SharedPlaces(
                .init(together: 1, perAddress: 1, perAccount: 1, patience: .seconds(2))
            ) { clock.withLock { $0 } }
            let sink = HangingSink(endpoint: slow)
            let tester = EndpointTester(name: "test", sink: sink, now: { RESTWorld.noon }, places: places)
            async let outcome = tester.test(slow, of: ann.id, in: world.pool)
            for await _ in sink.asked.stream { break }
            await #expect(throws: APIError.self) { try await tester.test(quick, of: bea.id, in: world.pool) }
            clock.withLock { $0 += 2_000_000_000 }
            let next = try await tester.test(quick, of: bea.id, in: world.pool)
            #expect(next.outcome == "delivered")
            let first = try await outcome
            #expect(first.outcome != "delivered" && first.detail == Text(.displaced))
        }
    }

    @Test("so many tests of a user may begin within a minute")
    func bounds() throws {
        let bounds = TestBounds()
        let now = RESTWorld.noon
        try bounds.begin(Identifier(value: 1_000), at: now)
        for _ in 1..<TestBounds.each {
            try bounds.begin(Identifier(value: 1_000), at: now.adding(.seconds(1)))
        }
        #expect(throws: APIError.self) {
            try bounds.begin(Identifier(value: 1_000), at: now.adding(.seconds(59)))
        }
        try bounds.begin(Identifier(value: 1_000), at: now.adding(.seconds(60)))
    }
}
