import Postgres
import PostgresTesting
import Reactor
import Testing

@testable import Database
@testable import Settings

@Suite("Connections to PostgreSQL")
struct ConnectionPlanTests {
    @Test("are never more than were allowed, whatever the number of loops, and each part has some")
    func sums() {
        for total in [10, 11, 12, 16, 20, 24, 32, 40, 64, 100, 1000] {
            for workers in [1, 2, 3, 4, 8, 16, 22, 64, 256] {
                let plan = ConnectionPlan(total: total, workers: workers)
                #expect(plan.sum <= total, "\(plan)")
                #expect(plan.locks > 0 && plan.deliveries > 0 && plan.lease > 0 && plan.matching > 1)
                #expect(plan.background > (total > 10 ? 1 : 0))
                #expect(plan.pools > 0 && plan.pools <= workers)
                #expect((1...4).contains(plan.poolSize))
            }
        }
    }

    @Test("leave room for a second server beside the default, on the largest machine")
    func standard() {
        let configuration = ServerConfiguration(cores: 256)
        let plan = ConnectionPlan(total: configuration.databaseConnections, workers: configuration.workers)
        // Three connections of a hundred are reserved for superusers.
        #expect(plan.sum * 2 <= 97)
        let small = ConnectionPlan(total: configuration.databaseConnections, workers: 2)
        #expect(small.pools == 2 && small.poolSize == 4)
    }

    @Test("are compared with what the database allows, in one line")
    func warning() {
        let plan = ConnectionPlan(total: 40, workers: 4)
        var review = DatabaseReview(maximum: 100, reserved: 3, lossy: [])
        #expect(review.connectionWarning(asked: 97) == nil && plan.sum <= 40)
        #expect(review.durabilityWarning == nil)
        review.maximum = 30
        #expect(
            review.connectionWarning(asked: 40)
                == "PostgreSQL has fewer connections than DATABASE_CONNECTIONS=40: max_connections=30 leaves "
                + "27 for all servers, and this one opens no more")
        #expect(review.connectionFault(needing: 27) == nil)
        review.roleLimit = 12
        #expect(review.usable == 12)
        review.databaseLimit = 9
        #expect(
            review.connectionFault(needing: 10)
                == "PostgreSQL has too few connections: the database's CONNECTION LIMIT 9 leaves 9 for all "
                + "servers, and this one needs at least 10.")
        review.lossy = ["fsync=off"]
        #expect(
            review.durabilityWarning
                == "a crash of the database's machine may lose what was acknowledged: fsync=off")
    }

    @Test("store what is acknowledged, whatever the database's default, and only a hint does not wait")
    func durability() async throws {
        try await TestDatabase.with { database in
            // The tests' own cluster has all of these settings off.
            let pool = PostgresPool(database.configuration, on: database.loop)
            let review = try await DatabaseReview.read(from: pool)
            #expect(review.usable > 0 && review.usable < review.maximum)
            let row = try await pool.query("SHOW synchronous_commit").first
            #expect(try row?.decode(0, String.self) == "on")
            #expect(!review.lossy.contains("synchronous_commit=off"))
            await pool.shutdown()
            let weak = try PostgresConfiguration(
                url: database.url + (database.url.contains("?") ? "&" : "?")
                    + "options=-c%20synchronous_commit%3Doff")
            let other = PostgresPool(weak, on: database.loop)
            #expect(try await DatabaseReview.read(from: other).lossy.contains("synchronous_commit=off"))
            await other.shutdown()
        }
    }

    @Test("that see a million rows at one time and five at another plan each statement for itself")
    func plans() async throws {
        try await TestDatabase.with { database in
            let pool = PostgresPool(
                database.configuration.sized(1).planningEachTime(), on: database.loop)
            for count in [100_000, 100_000, 1, 1, 1, 1, 1, 1, 1, 1] {
                try await pool.query("SELECT count(*) FROM unnest($1::int8[])", [[Int64](0..<Int64(count))])
            }
            // A statement that is kept prepared may get one plan for all values. The mode `auto` leaves that
            // to the checks of foreign keys, which need no other.
            let row = try await pool.query(
                "SELECT count(*), current_setting('plan_cache_mode') FROM pg_prepared_statements"
            ).first
            let (kept, mode) = try #require(row).decode(Int64.self, String.self)
            #expect(kept == 0 && mode == "auto")
            await pool.shutdown()
            let one = PostgresPool(
                database.configuration.sized(1).preparing(only: ["SELECT 1"]), on: database.loop)
            for statement in ["SELECT 1", "SELECT 2"] { try await one.query(statement) }
            let statements = try await one.query(
                "SELECT statement, current_setting('enable_seqscan') FROM pg_prepared_statements")
            #expect(try statements.map { try $0.decode(0, String.self) } == ["SELECT 1"])
            #expect(try statements.first?.decode(1, String.self) == "off")
            await one.shutdown()
        }
    }

    @Test("leaves a server with a desk as many connections as one without")
    func desk() throws {
        func read(_ environment: [String: String]) throws -> Int {
            try ServerConfiguration(arguments: [], environment: environment).databaseConnections
        }
        #expect(try read(["DATABASE_CONNECTIONS": "10"]) == 10)
        #expect(throws: ConfigurationError.self) {
            try read(["DATABASE_CONNECTIONS": "11", "ADMIN_PORT": "8081"])
        }
        #expect(try read(["DATABASE_CONNECTIONS": "12", "ADMIN_PORT": "8081"]) == 12)
    }
}
