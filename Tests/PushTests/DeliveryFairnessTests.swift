import API
import Contract
import Outbox
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

/// The bounds that a claim and a settlement in PostgreSQL keep between users and between endpoints.
@Suite struct DeliveryFairnessTests {
    private static let everything = ClaimBounds(others: 1_000)

    private func store(_ world: RESTWorld) async throws -> PostgresOutboxStore {
        let clock = world.clock
        let store = PostgresOutboxStore(
            name: "one", pool: world.pool, reader: NotificationReader(tickets: world.application.tickets),
            now: { clock.now })
        try await store.renew(for: .seconds(600))
        return store
    }

    /// Makes an endpoint of a new user, with deliveries that are due at those seconds; returns the user.
    @discardableResult
    private func deliveries(
        _ count: Int, to host: String, priority: Int16 = 1, dueIn: Int64 = 0, in world: RESTWorld
    ) async throws -> Identifier {
        let token = try #require(APIToken(try await world.signUp()))
        let user = try #require(try await SignedInUser.find(token, in: world.pool)).id
        try await world.pool.query(
            """
            WITH endpoint AS (
                INSERT INTO endpoints (id, user_id, kind, address, host, secret, created_at)
                VALUES (gen_random_uuid(), $1, 'webhook', 'http://' || $2, $2, sha256(''), $3)
                RETURNING id
            )
            INSERT INTO deliveries (endpoint_id, priority, due_at)
            SELECT endpoint.id, $4, $5 FROM endpoint CROSS JOIN generate_series(1, $6)
            """,
            [
                user, host, world.clock.now, priority, world.clock.now.adding(.seconds(dueIn)), Int32(count),
            ])
        return user
    }

    @Test("10,000 deliveries of one user leave the next claim to other users")
    func manyOfOne() async throws {
        try await RESTWorld.with { world in
            let user = try await deliveries(10_000, to: "a", dueIn: -60, in: world)
            let other = try await deliveries(3, to: "a", in: world)
            let store = try await store(world)
            let first = try await store.claim(limit: 512, bounds: ClaimBounds(others: 1_000, perUser: 64))
            #expect(first.count == 64 && first.allSatisfy { $0.user == user })
            let bounds = ClaimBounds(others: 1_000, perUser: 64, served: [user])
            #expect(try await store.nextDue(bounds: bounds) == world.clock.now)
            let second = try await store.claim(limit: 512, bounds: bounds)
            #expect(second.count == 3 && second.allSatisfy { $0.user == other })
            #expect(try await store.nextDue(bounds: bounds) == nil)
        }
    }

    @Test("the first delivery of each user is claimed before the second of any")
    func turns() async throws {
        try await RESTWorld.with { world in
            let user = try await deliveries(100, to: "a", dueIn: -60, in: world)
            let other = try await deliveries(100, to: "a", in: world)
            // A claim looks at twice as many as it may take.
            let claimed = try await store(world).claim(limit: 100, bounds: Self.everything)
            #expect(claimed.count == 100)
            for each in [user, other] { #expect(claimed.count { $0.user == each } == 50) }
        }
    }

    /// Settles the claimed deliveries of the host with an error, and returns the seconds from now in which
    /// those that were not claimed are due, by priority.
    private func held(
        _ asked: Int64 = 0, _ verdict: Verdict? = nil, by store: PostgresOutboxStore, _ world: RESTWorld
    ) async throws -> [[Int64]] {
        let now = world.clock.now
        let bounds = ClaimBounds(others: 0, named: ["failing": 1])
        for delivery in try await store.claim(limit: 1, bounds: bounds) {
            try await store.settle([
                Settlement(
                    delivery: delivery.id, endpoint: delivery.endpoint,
                    verdict: verdict ?? .retry(at: now.adding(.seconds(100_000))), detail: "500", at: now,
                    duration: .milliseconds(5), askedPause: verdict == nil ? .seconds(asked) : nil)
            ])
        }
        let rows = try await world.pool.query(
            """
            SELECT priority, due_at FROM deliveries JOIN endpoints ON endpoints.id = endpoint_id
            WHERE settled_at IS NULL AND attempts = 0 AND host = 'failing' ORDER BY priority DESC
            """)
        return try rows.map { row in
            let dueAt = try row.decode(1, Timestamp.self)
            return [Int64(try row.decode(0, Int16.self)), max(0, dueAt.seconds - now.seconds)]
        }
    }

    @Test("an endpoint that asks for a pause is held back by its rows, and its host is not")
    func asked() async throws {
        try await RESTWorld.with { world in
            try await deliveries(3, to: "failing", in: world)
            let store = try await store(world)
            #expect(try await held(600, by: store, world) == [[1, 600], [1, 600]])
            try await deliveries(2, to: "failing", in: world)
            #expect(try await store.claim(limit: 10, bounds: Self.everything).count == 2)
            #expect(
                try await store.nextDue(bounds: Self.everything) == world.clock.now.adding(.seconds(600)))
        }
    }

    @Test("an endpoint is held back as long as it has failed, up to five minutes, or ten seconds if urgent")
    func grows() async throws {
        try await RESTWorld.with { world in
            try await deliveries(20, to: "failing", in: world)
            let store = try await store(world)
            #expect(try await held(by: store, world).allSatisfy { $0 == [1, 0] })
            for (passed, pause) in [(4, 4), (4, 8), (8, 16), (1_000, 300)] as [(Int64, Int64)] {
                world.clock.now = world.clock.now.adding(.seconds(passed))
                #expect(try await held(by: store, world).allSatisfy { $0 == [1, pause] })
            }
            world.clock.now = world.clock.now.adding(.seconds(300))
            let two = "(SELECT id FROM deliveries ORDER BY id DESC LIMIT 2)"
            try await world.pool.query("UPDATE deliveries SET priority = 0 WHERE id IN \(two)")
            let last = try await held(by: store, world)
            #expect(last.last == [0, 10] && last.dropLast().allSatisfy { $0 == [1, 300] })
        }
    }

    @Test("A success ends the hold: the next error delays no other delivery of the endpoint")
    func success() async throws {
        try await RESTWorld.with { world in
            try await deliveries(6, to: "failing", in: world)
            let store = try await store(world)
            _ = try await held(by: store, world)
            world.clock.now = world.clock.now.adding(.seconds(4))
            _ = try await held(0, .delivered, by: store, world)
            #expect(try await held(by: store, world) == [[1, 0], [1, 0], [1, 0]])
        }
    }
}
