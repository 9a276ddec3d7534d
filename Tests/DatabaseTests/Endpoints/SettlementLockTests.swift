import Contract
import Outbox
import Postgres
import Reactor
import Testing

@testable import BackendTesting
@testable import Database

@Suite("Outcomes of deliveries to two endpoints of an account")
struct SettlementLockTests {
    enum Way: CaseIterable { case settled, expired }

    @Test(
        "and the deletion of the account lock the endpoints in one order, and end in no deadlock",
        arguments: Way.allCases)
    func lockOrder(way: Way) async throws {
        try await RESTWorld.with { world in
            let (person, now) = (try await world.person("Ann"), world.clock.now)
            let worker: String? = way == .settled ? "one" : nil
            // The first delivery is to the endpoint with the higher id.
            try await world.pool.query(
                """
                WITH endpoint AS (
                    INSERT INTO endpoints (id, user_id, kind, address, host, secret, created_at)
                    SELECT ('00000000-0000-0000-0000-00000000000' || n)::uuid, $1, 'webhook', 'http://' || n,
                        'a', sha256(''), $2
                    FROM generate_series(1, 2) AS n
                    RETURNING id
                )
                INSERT INTO deliveries (endpoint_id, priority, due_at, expires_at, courier)
                SELECT id, 1, $2, $3, $4 FROM endpoint ORDER BY id DESC
                """, [person.id, now, now.adding(.seconds(60)), worker])
            let rows = try await world.pool.query("SELECT id, endpoint_id FROM deliveries ORDER BY id")
            let deliveries = try rows.map { try $0.decode(Int64.self, Identifier.self) }
            #expect(deliveries.map { $0.1 } == [Identifier(value: 2), Identifier(value: 1)])
            for statement in Self.pause { try await world.pool.query(statement) }
            let pool = world.pool
            @Sendable func settle() async throws {
                switch way {
                case .settled:
                    let settlements = deliveries.map { delivery in
                        Settlement(
                            delivery: delivery.0, endpoint: delivery.1,
                            verdict: .delivered, detail: "so it went", at: now, duration: .milliseconds(5))
                    }
                    try await SettlementWriter.write(settlements, of: "one", to: pool)
                case .expired:
                    try await StaleDeliveries.settle(
                        at: now.adding(.seconds(180)), silent: [], in: pool)
                }
            }
            @Sendable func delete() async throws {
                try await pool.transaction { connection in
                    try await AccountRemoval.lock(person.id, on: connection)
                    try await AccountRemoval.mark(person.id, at: now, on: connection)
                }
            }
            try await pool.withConnection { holder in
                try await holder.query("SELECT pg_advisory_lock(7)")
                async let settled: Void = settle()
                try await pool.waitForBlocked(1)
                async let deleted: Void = delete()
                try await pool.waitForBlocked(2)
                try await holder.query("SELECT pg_advisory_unlock(7)")
                try await settled
                try await deleted
            }
            // A sequence counts attempts of transactions that are rolled back too.
            #expect(try await pool.query("SELECT nextval('passes')")[0].decode(0, Int64.self) == 3)
            #expect(try await pool.query("SELECT FROM attempts").count == 2)
            #expect(try await pool.query("SELECT FROM endpoints WHERE disabled_at IS NULL").isEmpty)
        }
    }

    /// The writing of outcomes pauses after the first attempt is inserted, and its endpoint locked.
    private static let pause = [
        "CREATE SEQUENCE passes",
        """
        CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            PERFORM nextval('passes');
            PERFORM pg_advisory_xact_lock(7);
            RETURN NULL;
        END $$
        """,
        """
        CREATE TRIGGER pauses AFTER INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION pause()
        """,
    ]
}
