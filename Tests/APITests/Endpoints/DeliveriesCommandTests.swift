import Contract
import Glibc
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite struct DeliveriesCommandTests {
    /// A user and a webhook.
    private static let endpoint = """
        INSERT INTO users VALUES (gen_random_uuid(), 'Ann', 'UTC', sha256(''), 1, now());
        INSERT INTO endpoints (id, user_id, kind, address, host, secret, created_at)
        SELECT gen_random_uuid(), id, 'webhook', 'https://a/', 'a:443', sha256(''), now() FROM users;
        """

    @Test("deliveries are listed, and one that is over is made again")
    func command() async throws {
        try await TestDatabase.with { database in
            var configuration = ServerConfiguration(cores: 1)
            configuration.databaseURL = database.url
            func run(_ request: DeliveriesRequest) async throws -> [String] {
                try await DeliveriesCommand(configuration: configuration, request: request).run()
            }
            // A command that only reads does not migrate the schema, and reports what it lacks.
            let known = Migrations.all.count
            let failure = await #expect(throws: StartFailure.self) { try await run(.latest) }
            #expect(
                failure?.description == "The database has version 0 of the schema, and this program needs "
                    + "\(known): run `letsswitch-server migrate` first.")
            let explain = ExplainCommand(configuration: configuration, startsAt: Timestamp(microseconds: 0))
            await #expect(throws: StartFailure.self) { try await explain.run() }
            try await database.withConnection { connection in
                #expect(
                    try await connection.query("SELECT FROM pg_tables WHERE schemaname = 'public'").isEmpty)
                _ = try await Migrations.migrator().apply(on: connection)
            }
            #expect(try await run(.latest) == ["There are no deliveries."])
            #expect(try await run(.failing) == ["No delivery has failed."])
            #expect(try await explain.run() == false)
            try await database.withConnection { connection in
                try await connection.simple(
                    """
                    \(Self.endpoint)
                    INSERT INTO deliveries (endpoint_id, priority, due_at, attempts, settled_at, outcome)
                    SELECT id, 1, now(), 10, now(), 'exhausted' FROM endpoints;
                    INSERT INTO deliveries (endpoint_id, priority, due_at) SELECT id, 1, now() FROM endpoints;
                    INSERT INTO deliveries (endpoint_id, priority, due_at, settled_at, outcome)
                    SELECT id, 1, now(), now(), 'gone' FROM endpoints;
                    INSERT INTO attempts (delivery_id, endpoint_id, at, outcome, detail)
                    SELECT 1, id, now(), 'exhausted', '500' FROM endpoints;
                    """)
            }
            #expect(try await run(.latest).count == 4)
            let failing = try await run(.failing).map { $0.split(separator: " ") }
            #expect(
                failing.first?.joined(separator: " ")
                    == "id due (UTC) notification to host attempts outcome detail")
            #expect(failing.count == 3)
            #expect(failing[1].contains("gone"))
            #expect(failing[2].suffix(6) == ["test", "webhook", "a:443", "10", "exhausted", "500"])
            #expect(try await run(.replay(1)) == ["Delivery 1 is made again."])
            #expect(try await run(.failing).count == 2)
            await #expect(throws: StartFailure.self) { try await run(.replay(1)) }
            await #expect(throws: StartFailure.self) { try await run(.replay(99)) }
            // There are no operators, and so there is no audit log. Tests of endpoints are not replayed.
            let start = Timestamp(microseconds: 0)
            let none = try await run(.replayFailed(FailedDeliveries(.host("a:443"), since: start)))
            #expect(none == ["0 failed deliveries are made again."])
            await #expect(throws: StartFailure.self) {
                try await run(.replayFailed(FailedDeliveries(.host("b:443"), since: start)))
            }
        }
    }

    @Test("the failed deliveries of a host are due at the time of the step that makes them again")
    func stepTimes() async throws {
        try await TestDatabase.with(copyOf: .migrated) { database in
            let last = BulkReplay.stepSize + 1
            try await database.withConnection { connection in
                try await connection.simple(
                    """
                    \(Self.endpoint)
                    INSERT INTO deliveries (
                        endpoint_id, notification_id, priority, due_at, settled_at, outcome)
                    SELECT id, number, 1, now(), now(),
                        CASE WHEN number IN (1, \(last)) THEN 'exhausted' ELSE 'delivered' END
                    FROM endpoints CROSS JOIN generate_series(1, \(last)) AS number ORDER BY number;
                    """)
            }
            var configuration = ServerConfiguration(cores: 1)
            configuration.databaseURL = database.url
            let failed = FailedDeliveries(.host("a:443"), since: Timestamp(microseconds: 0))
            let command = DeliveriesCommand(configuration: configuration, request: .replayFailed(failed))
            #expect(try await command.run() == ["2 failed deliveries are made again."])
            let times = try await database.withConnection { connection in
                try await connection.query("SELECT DISTINCT due_at FROM deliveries WHERE settled_at IS NULL")
                    .count
            }
            #expect(times == 2)
        }
    }

    @Test("deliveries are listed beside a private database that a server runs, and where none runs")
    func privateDatabase() async throws {
        let folder = TemporaryFolder()
        var configuration = ServerConfiguration(cores: 1)
        configuration.dataDirectory = "\(folder.path)/data"
        func list() async throws -> [String] {
            try await DeliveriesCommand(configuration: configuration, request: .latest).run()
        }
        // No cluster is made for a command that only reads.
        await #expect(throws: StartFailure.self) { try await list() }
        #expect(access("\(folder.path)/data", F_OK) != 0)
        let group = try EventLoopGroup(count: 1, name: "private")
        defer { group.shutdown() }
        let database = try await OpenedDatabase.open(configuration, on: group.loops[0])
        #expect(try await list() == ["There are no deliveries."])
        await database.close()
        #expect(try await list() == ["There are no deliveries."])
        #expect(access("\(folder.path)/data/cluster/data/postmaster.pid", F_OK) != 0)
    }
}
