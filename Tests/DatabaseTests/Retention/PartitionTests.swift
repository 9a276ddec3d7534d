import API
import Contract
import Postgres
import PostgresTesting
import Testing

@testable import BackendTesting
@testable import Database

@Suite("Partitions of deliveries and attempts")
struct PartitionTests {
    private static let now = Timestamp("2030-01-02T12:00:00Z") ?? Timestamp(seconds: 0)

    /// A person with a webhook, a slot, a room and three notifications, in the schema of the previous
    /// release.
    private static let people = """
        INSERT INTO users VALUES ('00000000-0000-0000-0000-000000000001', 'Ann', 'UTC', sha256(''), 1, now());
        INSERT INTO slots (starts_at, ends_at) VALUES ('2030-01-02 18:00Z', '2030-01-02 18:30Z');
        INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
        SELECT ('00000000-0000-0000-0000-00000000010' || number)::uuid,
            '00000000-0000-0000-0000-000000000001',
            '2030-01-02 18:00Z', 'Write', now(), now()
        FROM generate_series(1, 1) AS number;
        INSERT INTO endpoints (id, user_id, kind, address, host, secret, created_at)
        SELECT '00000000-0000-0000-0000-000000000009', id, 'webhook', 'https://a/', 'a:443', sha256(''), now()
        FROM users;
        """

    private static func tell(at time: Timestamp = now) -> String {
        """
        DROP INDEX IF EXISTS notifications_one_end;
        INSERT INTO notifications (user_id, type, created_at, registration_id)
        SELECT user_id, 'session.lapsed', '\(time)', id FROM registrations;
        """
    }

    @Test("what the release before has written is the first partition of each, and works as before")
    func upgrade() async throws {
        try await TestDatabase.withConnection { connection in
            _ = try await Migrator(Array(Migrations.all.prefix(7)), sealed: 7).apply(on: connection)
            try await connection.simple(Self.people)
            try await connection.simple(Self.tell())
            try await connection.simple(Self.test)
            try await connection.simple(
                """
                INSERT INTO attempts (delivery_id, endpoint_id, at, outcome, detail)
                SELECT id, endpoint_id, now(), 'retried', 'so it went' FROM deliveries
                """)
            _ = try await Migrations.migrator().apply(on: connection)
            #expect(try await Self.parts(connection) == ["deliveries_first 1", "deliveries_others 1"])
            let first = "SELECT FROM attempts_first"
            #expect(try await connection.query(first).count == 2)
            // The trigger, the tests, the numbers and the constraint still work.
            try await connection.simple(Self.tell())
            try await connection.simple(Self.test)
            let ids = try await connection.query("SELECT id FROM deliveries ORDER BY id")
            #expect(try ids.map { try $0.decode(0, Int64.self) } == [1, 2, 3, 4])
            let parts = try await Self.parts(connection)
            #expect(parts.count == 3 && parts.contains("deliveries_10000001 1"))
            let again =
                "INSERT INTO deliveries (endpoint_id, notification_id, priority, due_at) "
                + "SELECT endpoint_id, notification_id, priority, due_at FROM deliveries"
            let error = await #expect(throws: PostgresError.self) { try await connection.query(again) }
            #expect(error?.sqlState == .uniqueViolation)
            // Rows are deleted with their endpoint, from each partition.
            try await connection.simple("DELETE FROM endpoints")
            #expect(try await connection.query("SELECT FROM deliveries").isEmpty)
            #expect(try await connection.query("SELECT FROM attempts").isEmpty)
        }
    }

    @Test("a migration that is cut off anywhere is run again, while tests and notifications are written")
    func cutOff() async throws {
        try await TestDatabase.withConnection { connection in
            let number = try #require(Migrations.all.firstIndex { $0.name == "parts_prepared" })
            let prefix = Array(Migrations.all.prefix(number))
            _ = try await Migrator(prefix, sealed: 7).apply(on: connection)
            try await connection.simple(Self.people)
            try await connection.simple(Self.tell())
            try await connection.simple(Self.test)
            let prepared = Migrations.all[number]
            // All parts of the migration have run, but it was not recorded.
            _ = try await Migrator(prefix + [prepared], sealed: 7).apply(on: connection)
            try await connection.simple("DELETE FROM schema_versions WHERE version = \(prepared.version)")
            // Meanwhile notifications are delivered, and a test is refused without an error.
            try await connection.simple(Self.tell())
            #expect(try await connection.execute(Self.test) == 0)
            _ = try await Migrations.migrator().apply(on: connection)
            #expect(try await Self.parts(connection) == ["deliveries_first 2", "deliveries_others 1"])
        }
    }

    @Test("what is written beyond the first partitions before the change is kept aside, and fails nothing")
    func beyond() async throws {
        try await TestDatabase.withConnection { connection in
            let number = try #require(Migrations.all.firstIndex { $0.name == "delivery_parts" })
            try await Migrator(Array(Migrations.all.prefix(number - 1)), sealed: 7).apply(on: connection)
            try await connection.simple(Self.people)
            try await connection.simple(Self.test)
            try await Migrator(Array(Migrations.all.prefix(number)), sealed: 7).apply(on: connection)
            // The test was moved, and its endpoint is deleted before the change.
            #expect(try await connection.query("SELECT FROM deliveries_others").count == 1)
            try await connection.simple(
                """
                INSERT INTO endpoints (id, user_id, kind, address, host, secret, created_at)
                SELECT '00000000-0000-0000-0000-000000000008', id, 'webhook', 'https://b/', 'b:443',
                    sha256(''), now()
                FROM users;
                DELETE FROM endpoints WHERE id = '00000000-0000-0000-0000-000000000009';
                """)
            try await connection.simple(Self.tell())
            try await connection.simple(Self.tell())
            try await connection.simple(
                """
                INSERT INTO attempts (delivery_id, endpoint_id, at, outcome, detail)
                SELECT 2, id, time, 'retried', 'so it went'
                FROM endpoints, unnest(ARRAY[now(), now() + interval '15 days']) AS time
                """)
            _ = try await Migrations.migrator().apply(on: connection)
            #expect(try await Self.parts(connection) == ["deliveries_others 2"])
            #expect(try await connection.query("SELECT FROM attempts_others").count == 1)
            #expect(try await connection.query("SELECT FROM attempts_first").count == 1)
            try await connection.simple(Self.tell())
            #expect(
                try await Self.parts(connection) == ["deliveries_100000001 1", "deliveries_others 2"])
        }
    }

    @Test("partitions are made ahead, ids go on with the next one after a week, and what is old is dropped")
    func keep() async throws {
        try await RESTWorld.with(at: Self.now) { world in
            try await world.pool.withConnection { connection in
                try await connection.simple(Self.people)
                try await connection.simple(Self.tell())
                try await connection.simple(
                    "UPDATE deliveries SET settled_at = due_at, outcome = 'delivered'")
            }
            let partitions = DeliveryPartitions(
                pool: world.pool, quiet: Quiet(world.application.configuration))
            func keep(after days: Int) async throws -> (dropped: Int, parts: [String]) {
                let dropped = try await partitions.keep(at: Self.now.adding(.seconds(days * 86_400)))
                return (dropped, try await world.pool.withConnection { try await Self.parts($0) })
            }
            let attempt = """
                INSERT INTO attempts (delivery_id, endpoint_id, at, outcome, detail)
                SELECT id, endpoint_id, $1, 'delivered', '' FROM deliveries LIMIT 1
                """
            // The weeks of the real clock, in which the schema was made, are long over.
            #expect(try await keep(after: 0).dropped == 3)
            #expect(try await keep(after: 0) == (0, ["deliveries_1 1"]))
            try await world.pool.query(attempt, [Self.now])
            #expect(try await world.count("attempts_20291231") == 1)
            // No opening is near and a week is over: the next notification goes to the next partition.
            #expect(try await keep(after: 6) == (0, ["deliveries_1 1"]))
            let later = Self.now.adding(.seconds(8 * 86_400))
            _ = try await keep(after: 8)
            try await world.pool.withConnection { try await $0.simple(Self.tell(at: later)) }
            #expect(try await keep(after: 8).parts == ["deliveries_1 1", "deliveries_100000001 1"])
            // A partition whose deliveries are settled and a month old is dropped; one with pending
            // deliveries is kept.
            #expect(try await keep(after: 38) == (2, ["deliveries_1 1", "deliveries_100000001 1"]))
            try await world.pool.query(
                """
                INSERT INTO deliveries (endpoint_id, notification_id, priority, due_at)
                SELECT id, 2, 0, $1 FROM endpoints
                """, [Self.now])
            #expect(try await keep(after: 39) == (0, ["deliveries_1 2", "deliveries_100000001 1"]))
            try await world.pool.query(
                "UPDATE deliveries SET settled_at = due_at, outcome = 'expired' WHERE notification_id = 2")
            #expect(try await keep(after: 39) == (1, ["deliveries_100000001 1"]))
            #expect(try await keep(after: 90).parts == ["deliveries_100000001 1"])
            let ahead = try await world.pool.query(
                "SELECT to_regclass('deliveries_200000001') IS NOT NULL, to_regclass('attempts_20291231') "
                    + "IS NULL"
            )
            let (isAhead, isDropped) = try ahead[0].decode(Bool.self, Bool.self)
            #expect(isAhead && isDropped)
        }
    }

    @Test(
        "what comes while there is no partition for it is kept among all others, and gets no partition later")
    func net() async throws {
        try await RESTWorld.with(at: Self.now) { world in
            try await world.pool.withConnection { connection in
                try await connection.simple("DROP TABLE deliveries_first, deliveries_1, deliveries_100000001")
                try await connection.simple(
                    "CREATE TABLE deliveries_0 PARTITION OF deliveries FOR VALUES FROM (0) TO (1)")
                try await connection.simple(Self.people)
                try await connection.simple(Self.tell())
                #expect(try await Self.parts(connection) == ["deliveries_others 1"])
            }
            try await DeliveryPartitions(pool: world.pool, quiet: Quiet(world.application.configuration))
                .keep(at: Self.now)
            let parts = try await world.pool.query(
                "SELECT to_regclass('deliveries_100000001') IS NOT NULL, to_regclass('deliveries_1') IS NULL")
            let (isNext, isLeftOut) = try parts[0].decode(Bool.self, Bool.self)
            #expect(isNext && isLeftOut)
        }
    }

    @Test("whether a partition is used is looked for in its indexes, whatever the statistics say")
    func uses() async throws {
        try await TestDatabase.withConnection { connection in
            _ = try await Migrations.migrator().apply(on: connection)
            try await connection.simple(Self.people)
            // All deliveries were pending when the statistics were made.
            try await connection.simple(
                """
                INSERT INTO deliveries (endpoint_id, notification_id, priority, due_at)
                SELECT id, number, 0, '2030-01-02 12:00Z'
                FROM endpoints, generate_series(1, 20000) AS number;
                ANALYZE deliveries_1;
                UPDATE deliveries SET settled_at = due_at, outcome = 'delivered'
                """)
            let look = DeliveryPartitions.uses(of: "deliveries_1")
            for (limit, count) in [(Self.now, 1), (Self.now.adding(.seconds(1)), 0)] {
                #expect(try await connection.query(look, [limit]).count == count)
            }
            try await connection.simple("SET plan_cache_mode = force_custom_plan")
            let plan = try await connection.query("EXPLAIN " + look, [Self.now])
            let lines = try plan.map { try $0.decode(0, String.self) }
            #expect(!lines.contains { $0.contains("Seq Scan") }, "\(lines)")
        }
    }

    private static let test = """
        INSERT INTO deliveries (endpoint_id, priority, due_at)
        SELECT id, 0, '2030-01-02 12:00Z' FROM endpoints
        """

    /// Returns the partitions that have rows, with the number of rows.
    private static func parts(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.query(
            """
            SELECT tableoid::regclass || ' ' || count(*) FROM deliveries
            GROUP BY tableoid ORDER BY tableoid::regclass::text
            """
        ).map { try $0.decode(0, String.self) }
    }
}
