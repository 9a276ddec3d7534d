import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite("Registrations with idempotency keys, stored together")
struct KeyedRegistrationTests {
    private static let answer = KeptAnswer(
        status: 201, fieldText: "Content-Type: application/json", body: Array("{}".utf8))

    private static func key(_ text: String, _ user: Identifier) -> IdempotencyKey {
        IdempotencyKey(
            text, of: .user(user), method: "POST", path: "/v1/registrations", body: [], at: RESTWorld.noon)
    }

    private static func request(
        _ world: RESTWorld, _ user: Identifier, _ slots: [Int], _ text: String
    ) -> RegistrationRequest {
        var request = world.request(user, slots)
        request.kept = (key(text, user), answer)
        return request
    }

    @Test("one of two with the same key is stored, and the answer of one that was refused is not kept")
    func twins() async throws {
        try await RESTWorld.with { world in
            let (ann, bea) = (try await world.account("Ann"), try await world.account("Bea"))
            let decisions = try await world.store([
                Self.request(world, ann, [1], "k1"), Self.request(world, ann, [2], "k1"),
                Self.request(world, bea, [1], "k1"), world.request(ann, [3]),
            ])
            #expect(
                decisions == [
                    .settled(.registered), .settled(.keyUnderWay), .settled(.registered),
                    .settled(.registered),
                ])
            let later = try await world.store([
                Self.request(world, ann, [4], "k1"), Self.request(world, ann, [1], "k2"),
            ])
            #expect(later == [.settled(.keyUnderWay), .settled(.taken([0]))])
            #expect(try await world.count("registrations") == 3)
            #expect(try await world.count("idempotency_keys") == 2)
            #expect(try await IdempotencyKeys.find(Self.key("k1", ann), in: world.pool) == .kept(Self.answer))
            #expect(try await IdempotencyKeys.find(Self.key("k2", ann), in: world.pool) == .unused)
        }
    }

    @Test("a key that another server uses blocks no request, and neither it nor its request is stored")
    func elsewhere() async throws {
        try await RESTWorld.with { world in
            let (ann, bea) = (try await world.account("Ann"), try await world.account("Bea"))
            try await world.pool.transaction { connection in
                try await IdempotencyKeys.claim(Self.key("k1", ann), on: connection)
                let decisions = try await world.store([
                    Self.request(world, ann, [1], "k1"), Self.request(world, bea, [1], "k1"),
                ])
                #expect(decisions == [.settled(.keyUnderWay), .settled(.registered)])
            }
            #expect(try await world.count("idempotency_keys") == 1)
            #expect(
                try await world.store([Self.request(world, ann, [1], "k1")]) == [.settled(.registered)])
        }
    }

    @Test("so many keys at most are in one transaction, and the others are in the next")
    func limit() async throws {
        try await RESTWorld.withUser { world, ann in
            let batcher = RegistrationBatcher(
                pool: world.pool, limits: RegistrationBatcher.Limits(keys: 2), changed: { _ in })
            try await withThrowingTaskGroup(of: RegistrationRequest.Outcome.self) { group in
                for number in 1...7 {
                    let request =
                        number % 2 == 0
                        ? world.request(ann, [number]) : Self.request(world, ann, [number], "k\(number)")
                    group.addTask { try await batcher.register(request) }
                }
                let run = Task { await batcher.run() }
                for try await outcome in group { #expect(outcome == .registered) }
                run.cancel()
                await run.value
            }
            #expect(try await world.count("registrations") == 7)
            #expect(try await world.count("idempotency_keys") == 4)
        }
    }
}
