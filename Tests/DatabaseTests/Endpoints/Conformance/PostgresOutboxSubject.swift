import API
import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

/// Deliveries in PostgreSQL. Leases end by the clock of the database, everything else by the world's.
struct PostgresOutboxSubject: OutboxSubject {
    let world: RESTWorld
    let user: Identifier

    /// Makes a user who owns all the endpoints.
    init(_ world: RESTWorld) async throws {
        self.world = world
        let token = try #require(APIToken(try await world.signUp()))
        user = try #require(try await SignedInUser.find(token, in: world.pool)).id
    }

    var now: Timestamp { world.clock.now }
    func advance(by duration: Duration) { world.clock.now = world.clock.now.adding(duration) }

    func deliveryWorker(_ name: String) -> StoreUnderTest {
        let clock = world.clock
        return StoreUnderTest(
            PostgresOutboxStore(
                name: name, pool: world.pool, reader: NotificationReader(tickets: world.application.tickets),
                now: { clock.now }))
    }

    func kill(_ deliveryWorker: String) async throws {
        try await world.pool.query(
            "UPDATE couriers SET alive_until = now() WHERE name = $1", [deliveryWorker])
    }

    private static let insert = """
        WITH endpoint AS (
            INSERT INTO endpoints (id, user_id, kind, address, host, secret, created_at)
            SELECT id, $1, 'webhook', 'http://' || $2 || '/' || id, $2, sha256(''), $3
            FROM (SELECT gen_random_uuid() AS id) AS new
            RETURNING id
        )
        INSERT INTO deliveries (endpoint_id, priority, due_at, expires_at)
        SELECT endpoint.id, $4, $5, $6 FROM endpoint CROSS JOIN generate_series(1, $7)
        RETURNING id
        """

    func add(
        _ count: Int, to host: String, priority: Int, dueIn: Duration, expiresIn: Duration?
    ) async throws -> [Int64] {
        let values: [any PostgresEncodable] = [
            user, host, now, Int16(priority), now.adding(dueIn), expiresIn.map { now.adding($0) },
            Int32(count),
        ]
        return try await world.pool.query(Self.insert, values).map { try $0.decode(0, Int64.self) }
    }

    private static let select = """
        SELECT id, attempts, outcome,
            ARRAY(SELECT detail FROM attempts WHERE delivery_id = delivery.id ORDER BY attempts.id)
        FROM deliveries AS delivery
        ORDER BY id
        """

    func fates() async throws -> [DeliveryFate] {
        try await world.pool.query(Self.select).map { row in
            DeliveryFate(
                id: try row.decode(0, Int64.self), attempts: Int(try row.decode(1, Int16.self)),
                outcome: try row.decode(2, String?.self), details: try row.decode(3, [String].self))
        }
    }
}
