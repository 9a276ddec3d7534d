import API
import Codecs
import Contract
import Outbox
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite struct PostgresOutboxStoreTests {
    private static let everything = ClaimBounds(others: 1_000)

    private func store(_ name: String, _ world: RESTWorld) -> PostgresOutboxStore {
        let clock = world.clock
        return PostgresOutboxStore(
            name: name, pool: world.pool, reader: NotificationReader(tickets: world.application.tickets),
            now: { clock.now })
    }

    /// Makes that many deliveries of tests to one endpoint on each host; returns their ids.
    private func deliveries(
        _ count: Int, to hosts: [String], priority: Int16 = 1, in world: RESTWorld
    ) async throws -> [Int64] {
        let token = try await world.signUp()
        let own = try #require(APIToken(token))
        let user = try #require(try await SignedInUser.find(own, in: world.pool)).id
        let rows = try await world.pool.query(
            """
            WITH endpoint AS (
                INSERT INTO endpoints (id, user_id, kind, address, host, secret, created_at)
                SELECT gen_random_uuid(), $1, 'webhook', 'http://' || host, host, sha256(''), $3
                FROM unnest($2::text[]) AS host
                RETURNING id
            )
            INSERT INTO deliveries (endpoint_id, priority, due_at)
            SELECT endpoint.id, $4, $3 FROM endpoint CROSS JOIN generate_series(1, $5)
            RETURNING id
            """, [user, hosts, world.clock.now, priority, Int32(count)])
        return try rows.map { try $0.decode(0, Int64.self) }
    }

    private func settlement(
        _ delivery: Delivery<DeliveryMessage>, _ verdict: Verdict, at now: Timestamp
    ) -> Settlement {
        Settlement(
            delivery: delivery.id, endpoint: delivery.endpoint, verdict: verdict, detail: "so it went",
            at: now, duration: .milliseconds(5))
    }

    private struct Health: Equatable {
        let since: Timestamp?
        let reason: String?
    }

    @Test("nothing is claimed without a lease, and nothing twice while it lives")
    func leases() async throws {
        try await RESTWorld.with { world in
            let ids = try await deliveries(5, to: ["a"], in: world)
            let (one, two) = (store("one", world), store("two", world))
            #expect(try await one.claim(limit: 10, bounds: Self.everything).isEmpty)
            try await one.renew(for: .seconds(60))
            try await two.renew(for: .seconds(60))
            let first = try await one.claim(limit: 3, bounds: Self.everything)
            let second = try await two.claim(limit: 10, bounds: Self.everything)
            #expect(first.map(\.id) == Array(ids.prefix(3)))
            #expect(second.map(\.id) == Array(ids.suffix(2)))
            #expect(try await one.claim(limit: 10, bounds: Self.everything).isEmpty)
            // A worker cannot settle another's deliveries.
            try await two.settle([settlement(first[0], .delivered, at: world.clock.now)])
            #expect(try await world.pool.query("SELECT FROM attempts").isEmpty)
            // The deliveries of a worker whose lease has ended go to others, and its settlements do not count
            // any more.
            try await world.pool.query("UPDATE couriers SET alive_until = now() WHERE name = 'one'")
            #expect(try await two.nextDue(bounds: Self.everything) == world.clock.now)
            let third = try await two.claim(limit: 10, bounds: Self.everything)
            #expect(third.map(\.id) == first.map(\.id))
            try await one.settle(first.map { settlement($0, .delivered, at: world.clock.now) })
            #expect(try await world.pool.query("SELECT FROM attempts").isEmpty)
            try await two.settle((second + third).map { settlement($0, .delivered, at: world.clock.now) })
            #expect(try await world.pool.query("SELECT FROM attempts").count == 5)
        }
    }

    @Test("a courier that comes back after its lease starts again")
    func comesBack() async throws {
        try await RESTWorld.with { world in
            let ids = try await deliveries(2, to: ["a"], in: world)
            let one = store("one", world)
            try await one.renew(for: .seconds(4))
            #expect(try await one.claim(limit: 10, bounds: Self.everything).count == 2)
            try await world.pool.query("UPDATE couriers SET alive_until = now() WHERE name = 'one'")
            #expect(try await one.claim(limit: 10, bounds: Self.everything).isEmpty)
            try await one.renew(for: .seconds(4))
            #expect(try await one.claim(limit: 10, bounds: Self.everything).map(\.id) == ids)
            await one.resign()
            let two = store("two", world)
            try await two.renew(for: .seconds(4))
            #expect(try await two.claim(limit: 10, bounds: Self.everything).map(\.id) == ids)
        }
    }

    /// A trigger that makes claims wait for the advisory lock 7.
    private static let slowness = [
        """
        CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_advisory_xact_lock(7);
            RETURN NEW;
        END
        $$
        """,
        """
        CREATE TRIGGER claims_wait BEFORE UPDATE ON deliveries
        FOR EACH ROW WHEN (NEW.courier IS NOT NULL) EXECUTE FUNCTION wait()
        """,
    ]

    @Test("what a claim that was given up takes only later passes on, and nothing else is lost")
    func lateClaim() async throws {
        try await RESTWorld.with { world in
            let ids = try await deliveries(2, to: ["a"], in: world)
            let one = store("one", world)
            try await one.renew(for: .seconds(60))
            let first = try await one.claim(limit: 1, bounds: Self.everything)
            for statement in Self.slowness { try await world.pool.query(statement) }
            try await world.pool.withConnection { connection in
                try await connection.query("SELECT pg_advisory_lock(7)")
                let claim = Task { try await one.claim(limit: 1, bounds: Self.everything) }
                try await world.pool.waitForBlocked()
                claim.cancel()
                await #expect(throws: PostgresError.cancelled) { try await claim.value }
                #expect(try await one.claim(limit: 1, bounds: Self.everything).isEmpty)
                try await connection.query("SELECT pg_advisory_unlock(7)")
            }
            let taken = "SELECT FROM deliveries WHERE id = $1 AND courier IS NOT NULL"
            while try await world.pool.query(taken, [ids[1]]).isEmpty { await Task.yield() }
            // The worker still holds what it claimed under its former name, and that name is removed once
            // nothing is left.
            #expect(try await one.prolong(for: .seconds(60)))
            try await one.settle(first.map { settlement($0, .delivered, at: world.clock.now) })
            #expect(try await one.prolong(for: .seconds(120)))
            try await world.pool.query(
                "UPDATE couriers SET alive_until = now() WHERE alive_until < now() + interval '90 s'")
            let second = try await one.claim(limit: 1, bounds: Self.everything)
            try await one.settle(second.map { settlement($0, .delivered, at: world.clock.now) })
            let rows = try await world.pool.query(
                "SELECT id FROM deliveries WHERE outcome = 'delivered' AND attempts = 1 ORDER BY id")
            #expect(try rows.map { try $0.decode(0, Int64.self) } == ids)
        }
    }

    @Test("the urgent go first, and each host gets what it can take")
    func bounds() async throws {
        try await RESTWorld.with { world in
            let usual = try await deliveries(4, to: ["a", "b", "full"], in: world)
            let urgent = try await deliveries(1, to: ["c"], priority: 0, in: world)
            let one = store("one", world)
            try await one.renew(for: .seconds(60))
            let bounds = ClaimBounds(others: 3, named: ["b": 1, "full": 0])
            let claimed = try await one.claim(limit: 4, bounds: bounds)
            #expect(claimed.first?.id == urgent.first)
            #expect(claimed.count == 4)
            let rest = try await one.claim(limit: 100, bounds: ClaimBounds(others: 100, named: ["full": 0]))
            #expect(claimed.count + rest.count == usual.count + urgent.count - 4)
            #expect(!(claimed + rest).contains { $0.host == "full" })
            #expect(claimed.filter { $0.host == "b" }.count <= 1)
            // A delivery whose host's bound is zero is not due; without the bound it is due now.
            #expect(try await one.nextDue(bounds: ClaimBounds(others: 1, named: ["full": 0])) == nil)
            #expect(try await one.nextDue(bounds: Self.everything) == world.clock.now)
        }
    }

    @Test("what cannot be read is refused alone, and keeps nothing else from being delivered")
    func unreadable() async throws {
        try await RESTWorld.with { world in
            let bad = try await deliveries(1, to: ["a"], in: world)
            let good = try await deliveries(2, to: ["b"], in: world)
            try await world.pool.query(
                """
                DO $$
                DECLARE name text;
                BEGIN
                    FOR name IN SELECT conname FROM pg_constraint
                        WHERE conrelid = 'endpoints'::regclass AND contype = 'c'
                    LOOP
                        EXECUTE format('ALTER TABLE endpoints DROP CONSTRAINT %I', name);
                    END LOOP;
                END $$
                """)
            try await world.pool.query("UPDATE endpoints SET kind = 'pigeon' WHERE host = 'a'")
            let one = store("one", world)
            try await one.renew(for: .seconds(60))
            #expect(try await one.claim(limit: 10, bounds: Self.everything).map(\.id) == good)
            let row = try await world.pool.query("SELECT outcome FROM deliveries WHERE id = $1", [bad[0]])[0]
            #expect(try row.decode(0, String?.self) == "refused")
        }
    }

    @Test(
        "behind a host that does not answer what waits loses its point, and the endpoint ends after five days"
    )
    func deadHost() async throws {
        try await RESTWorld.with { world in
            let ids = try await deliveries(2, to: ["dead"], in: world)
            let begun = world.clock.now
            try await world.pool.query(
                "UPDATE deliveries SET expires_at = $2 WHERE id = $1", [ids[0], begun.adding(.seconds(60))])
            func look(after delay: Duration, silent: [String]) async throws -> [String?] {
                try await StaleDeliveries.settle(at: begun.adding(delay), silent: silent, in: world.pool)
                let endpoint = try await world.pool.query("SELECT failing_since, reason FROM endpoints")[0]
                let outcomes = try await world.pool.query("SELECT outcome FROM deliveries ORDER BY id")
                return [
                    try endpoint.decode(0, Timestamp?.self)?.description,
                    try endpoint.decode(1, String?.self),
                ] + (try outcomes.map { try $0.decode(0, String?.self) })
            }
            #expect(try await look(after: .seconds(600), silent: ["other"]) == [nil, nil, "expired", nil])
            let since = begun.adding(.seconds(600)).description
            #expect(try await look(after: .seconds(600), silent: ["dead"]) == [since, nil, "expired", nil])
            let later = SettlementWriter.patience + .seconds(600)
            #expect(try await look(after: later, silent: []) == [since, nil, "expired", nil])
            let reason = "it has failed for five days: its host does not answer"
            #expect(try await look(after: later, silent: ["dead"]) == [since, reason, "expired", "gone"])
        }
    }

    @Test("what is made again after five days is of use for as long again")
    func longestUseAgain() async throws {
        try await RESTWorld.with { world in
            let (token, registration, _) = try await world.personInRoom()
            _ = try await world.addWebhook(token, "http://127.0.0.1:1/")
            try await world.tell(registration, .sessionMissed, nil, revision: nil)
            let id = try await world.pool.query(
                "UPDATE deliveries SET settled_at = now(), outcome = 'exhausted' RETURNING id")[0]
                .decode(0, Int64.self)
            let later = world.clock.now.adding(StaleDeliveries.longestUse * 2)
            try await DeliveryReplay.begin(id, at: later, in: world.pool)
            for (delay, count) in [(.seconds(3_600), 1), (StaleDeliveries.longestUse + .seconds(120), 0)] {
                try await StaleDeliveries.settle(at: later.adding(delay), silent: [], in: world.pool)
                let waiting = try await world.pool.query("SELECT FROM deliveries WHERE settled_at IS NULL")
                #expect(waiting.count == count)
            }
        }
    }

    @Test("what is of no limited use is given up after five days")
    func longestUse() async throws {
        try await RESTWorld.with { world in
            let (token, registration, _) = try await world.personInRoom()
            _ = try await world.addWebhook(token, "http://127.0.0.1:1/")
            try await world.tell(registration, .sessionMissed, nil, revision: nil)
            let end = world.clock.now.adding(StaleDeliveries.longestUse)
            for (delay, count) in [(-60, 1), (120, 0)] as [(Int64, Int)] {
                try await StaleDeliveries.settle(at: end.adding(.seconds(delay)), silent: [], in: world.pool)
                let waiting = try await world.pool.query("SELECT FROM deliveries WHERE settled_at IS NULL")
                #expect(waiting.count == count)
            }
        }
    }

    /// Fails the attempts of all due deliveries, and returns the endpoint's health after that.
    private func fail(
        _ one: PostgresOutboxStore, _ world: RESTWorld, counts: Bool = true
    ) async throws -> Health {
        try await one.renew(for: .seconds(60))
        let now = world.clock.now
        for delivery in try await one.claim(limit: 10, bounds: Self.everything) {
            try await one.settle([
                Settlement(
                    delivery: delivery.id, endpoint: delivery.endpoint,
                    verdict: .retry(at: now.adding(.seconds(5))), detail: "so it went", at: now,
                    duration: .milliseconds(5), countsAgainstEndpoint: counts)
            ])
        }
        let row = try await world.pool.query("SELECT failing_since, reason FROM endpoints")[0]
        return Health(since: try row.decode(0, Timestamp?.self), reason: try row.decode(1, String?.self))
    }

    @Test("a retry waits, and five days of failures disable")
    func health() async throws {
        try await RESTWorld.with { world in
            _ = try await deliveries(1, to: ["a"], in: world)
            let one = store("one", world)
            let begun = world.clock.now
            for day in 0..<5 {
                world.clock.now = begun.adding(.seconds(Int64(day) * 86_400))
                #expect(try await fail(one, world) == Health(since: begun, reason: nil))
                let due = try await one.nextDue(bounds: Self.everything)
                #expect(due == world.clock.now.adding(.seconds(5)))
            }
            world.clock.now = begun.adding(.seconds(5 * 86_400))
            let reason = "it has failed for five days: so it went"
            #expect(try await fail(one, world) == Health(since: begun, reason: reason))
            let code = try await world.pool.query("SELECT reason_code FROM endpoints")[0]
            #expect(try code.decode(0, String?.self) == "failing/so it went")
            let left = try await world.pool.query("SELECT FROM deliveries WHERE settled_at IS NULL")
            #expect(left.isEmpty)
            let attempts = try await world.pool.query("SELECT max(attempts) FROM deliveries")
            #expect(try attempts[0].decode(0, Int16.self) == 6)
        }
    }

    @Test("two short outages in different weeks are not five days of failures")
    func blips() async throws {
        try await RESTWorld.with { world in
            _ = try await deliveries(1, to: ["a"], in: world)
            let one = store("one", world)
            let begun = world.clock.now
            for seconds in [0, 10, 7 * 86_400, 7 * 86_400 + 10] as [Int64] {
                world.clock.now = begun.adding(.seconds(seconds))
                #expect(try await fail(one, world) == Health(since: begun, reason: nil))
            }
            // The endpoint is not disabled either while nothing can be attempted: a delivery is due, and its
            // host is silent again.
            try await world.pool.query("UPDATE deliveries SET due_at = $1", [world.clock.now])
            try await StaleDeliveries.settle(at: world.clock.now, silent: ["a"], in: world.pool)
            #expect(try await world.pool.query("SELECT FROM endpoints WHERE disabled_at IS NULL").count == 1)
        }
    }

    @Test("what is not the endpoint's fault does not count against it")
    func innocent() async throws {
        try await RESTWorld.with { world in
            _ = try await deliveries(1, to: ["a"], in: world)
            let one = store("one", world)
            let begun = world.clock.now
            for day in 0..<7 {
                world.clock.now = begun.adding(.seconds(Int64(day) * 86_400))
                #expect(try await fail(one, world, counts: false) == Health(since: nil, reason: nil))
            }
            // The silence of a push service is not the fault of its endpoints.
            try await world.pool.query(
                """
                UPDATE endpoints
                SET kind = 'webpush', secret = NULL, p256dh = decode(repeat('04', 65), 'hex'),
                    auth = decode(repeat('01', 16), 'hex')
                """)
            try await StaleDeliveries.settle(
                at: world.clock.now.adding(.seconds(60)), silent: ["a"], in: world.pool)
            let spared = try await world.pool.query("SELECT FROM endpoints WHERE failing_since IS NULL")
            #expect(spared.count == 1)
        }
    }

    @Test("what came of deliveries is forgotten after a month, and what waits is not")
    func housekeeping() async throws {
        try await RESTWorld.with { world in
            let ids = try await deliveries(3, to: ["a"], in: world)
            let one = store("one", world)
            try await one.renew(for: .seconds(60))
            let claimed = try await one.claim(limit: 2, bounds: Self.everything)
            try await one.settle(claimed.map { settlement($0, .delivered, at: world.clock.now) })
            let month = world.clock.now.adding(OutboxHousekeeping.retention)
            #expect(try await OutboxHousekeeping.tidy(at: month, in: world.pool) == 0)
            #expect(try await OutboxHousekeeping.tidy(at: month.adding(.seconds(1)), in: world.pool) == 4)
            let left = try await world.pool.query("SELECT id FROM deliveries")
            #expect(try left.map { try $0.decode(0, Int64.self) } == [ids[2]])
        }
    }

    @Test("what waits at the front keeps nothing behind it from being forgotten")
    func housekeepingBehind() async throws {
        try await RESTWorld.with { world in
            _ = try await deliveries(1_200, to: ["a"], in: world)
            let old = try await deliveries(3, to: ["b"], in: world)
            let month = world.clock.now.adding(OutboxHousekeeping.retention + .seconds(1))
            try await world.pool.query(
                "UPDATE deliveries SET settled_at = $1, outcome = 'delivered' WHERE id = ANY ($2::int8[])",
                [world.clock.now, old])
            #expect(try await OutboxHousekeeping.tidy(at: month, in: world.pool) == 3)
            #expect(try await world.pool.query("SELECT FROM deliveries").count == 1_200)
        }
    }

    @Test("it is known how many wait, since when, and how many endpoints have ended")
    func depth() async throws {
        try await RESTWorld.with { world in
            _ = try await deliveries(3, to: ["a", "b"], in: world)
            world.clock.now = world.clock.now.adding(.seconds(90))
            let before = try await EndpointFigures.read(from: world.pool, at: world.clock.now)
            #expect(
                before["deliveries_waiting"] == 6 && before["deliveries_oldest_seconds"] == 90
                    && before["endpoints_disabled"] == 0)
            let one = store("one", world)
            try await one.renew(for: .seconds(60))
            let claimed = try await one.claim(limit: 1, bounds: Self.everything)
            try await one.settle(claimed.map { settlement($0, .gone, at: world.clock.now) })
            let after = try await EndpointFigures.read(from: world.pool, at: world.clock.now)
            #expect(after["deliveries_waiting"] == 3 && after["endpoints_disabled"] == 1)
        }
    }
}
