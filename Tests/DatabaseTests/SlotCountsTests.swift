import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite("How many are registered for a slot", .timeLimit(.minutes(5)))
struct SlotCountsTests {
    private static let starts = ["2027-03-01T13:00:00Z", "2027-03-01T13:30:00Z", "2027-03-01T14:00:00Z"]

    /// The query for slots whose counts differ from the counts of their registrations; it returns no rows
    /// when all are right.
    private static let drifted = """
        SELECT FROM slots
        LEFT JOIN (
            SELECT starts_at, count(*) AS people FROM registrations
                WHERE cancelled_at IS NULL GROUP BY starts_at
        ) AS live USING (starts_at)
        LEFT JOIN (
            SELECT starts_at, sum(number) AS people
            FROM (
                SELECT starts_at, people AS number FROM slot_counts
                UNION ALL SELECT starts_at, change FROM slot_count_changes) AS part
            GROUP BY starts_at
        ) AS counted USING (starts_at)
        WHERE coalesce(live.people, 0) <> coalesce(counted.people, 0)
        """

    private static func others(_ world: RESTWorld, _ token: String) async throws -> [Int64] {
        let response = try await world.send("GET", "/v1/slots?date=2027-03-01", token: token)
        let slots = try response.json()["slots"]?.array ?? []
        return starts.map { start in
            slots.first { $0["startsAt"]?.string == start }?["others"]?.int ?? -1
        }
    }

    @Test("is exact at once: after registering, cancelling and deleting, before and after it was added up")
    func exact() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let counts = SlotCounts(pool: world.pool)
            #expect(try await Self.others(world, ann) == [0, 0, 0])
            _ = try await world.register(ann, Self.starts[0])
            let theirs = try await world.register(bea, Self.starts[0])
            _ = try await world.register(bea, Self.starts[1])
            #expect(try await Self.others(world, ann) == [1, 1, 0])
            #expect(try await Self.others(world, bea) == [1, 0, 0])
            #expect(try await counts.fold() == 3)
            #expect(try await counts.fold() == 0)
            #expect(try await Self.others(world, ann) == [1, 1, 0])
            try await world.pool.query(
                "UPDATE registrations SET cancelled_at = created_at WHERE id = $1", [theirs])
            #expect(try await Self.others(world, ann) == [0, 1, 0])
            // Repeated, and with a change of something else, the registration is counted once.
            try await world.pool.query("UPDATE registrations SET updated_at = updated_at, task = 'Else'")
            try await counts.fold()
            #expect(try await Self.others(world, ann) == [0, 1, 0])
            try await world.pool.query(
                "DELETE FROM registrations WHERE starts_at = $1",
                [
                    try #require(Timestamp(Self.starts[1]))
                ])
            #expect(try await Self.others(world, ann) == [0, 0, 0])
            #expect(try await world.pool.query(Self.drifted).isEmpty)
        }
    }

    @Test("is read where it is added up, however many there are")
    func read() async throws {
        try await RESTWorld.withAccount { world, ann in
            _ = try await world.register(ann, Self.starts[0])
            try await SlotCounts(pool: world.pool).fold()
            try await world.pool.query("UPDATE slot_counts SET people = 1000000")
            #expect(try await Self.others(world, ann) == [999_999, 0, 0])
        }
    }

    @Test("does not drift under concurrent writes, sums and rollbacks")
    func drift() async throws {
        try await RESTWorld.with { world in
            var tokens: [String] = []
            for number in 0..<4 { tokens.append(try await world.signUp("P\(number)")) }
            let people = tokens
            try await withThrowingTaskGroup(of: Void.self) { group in
                for token in people {
                    group.addTask {
                        for start in Self.starts { _ = try await world.register(token, start) }
                    }
                }
                for _ in 0..<2 {
                    group.addTask { for _ in 0..<20 { try await SlotCounts(pool: world.pool).fold() } }
                }
                group.addTask {
                    for _ in 0..<10 {
                        try await world.pool.query(
                            """
                            UPDATE registrations SET cancelled_at = updated_at
                            WHERE id = (SELECT id FROM registrations WHERE cancelled_at IS NULL LIMIT 1)
                            """)
                        _ = try? await world.pool.transaction { connection in
                            try await connection.query("DELETE FROM registrations")
                            throw CancellationError()
                        }
                        #expect(try await world.pool.query(Self.drifted).isEmpty)
                    }
                }
                try await group.waitForAll()
            }
            try await SlotCounts(pool: world.pool).fold()
            #expect(try await world.pool.query(Self.drifted).isEmpty)
            #expect(try await world.pool.query("SELECT FROM slot_count_changes").isEmpty)
        }
    }

    @Test("includes those who registered before it was written down, while others register")
    func upgrade() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            try await world.pool.query("ALTER TABLE registrations DISABLE TRIGGER USER")
            _ = try await world.register(ann, Self.starts[0])
            _ = try await world.register(ann, Self.starts[1])
            try await world.pool.query("ALTER TABLE registrations ENABLE TRIGGER USER")
            _ = try await world.register(bea, Self.starts[0])
            try await world.pool.withConnection { connection in
                try await connection.simple(
                    String(decoding: PackageResources._018_slot_counts_of_old_sql, as: UTF8.self))
            }
            #expect(try await world.pool.query(Self.drifted).isEmpty)
            try await SlotCounts(pool: world.pool).fold()
            #expect(try await world.pool.query(Self.drifted).isEmpty)
            #expect(try await Self.others(world, bea) == [1, 1, 0])
        }
    }

    @Test("is forgotten with the slot, also what was not added up yet")
    func removed() async throws {
        try await RESTWorld.withAccount { world, ann in
            _ = try await world.register(ann, Self.starts[0])
            try await SlotCounts(pool: world.pool).fold()
            try await world.pool.query("DELETE FROM registrations")
            try await world.pool.query("DELETE FROM slots")
            #expect(try await SlotCounts(pool: world.pool).fold() == 1)
            for table in ["slot_counts", "slot_count_changes"] {
                #expect(try await world.pool.query("SELECT FROM \(table)").isEmpty)
            }
        }
    }
}
