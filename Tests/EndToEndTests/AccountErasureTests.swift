import Client
import Contract
import Postgres
import PostgresTesting
import TestKit
import Testing

@Suite("The rows of an account that was deleted", .timeLimit(.minutes(5)))
struct AccountErasureTests {
    private static func count(_ rows: String, _ database: TestDatabase) async throws -> Int64 {
        try await database.withConnection { connection in
            try await connection.query("SELECT count(*) FROM \(rows)")[0].decode(0)
        }
    }

    @Test("are removed by the next server if one was killed at it, and /metrics counts the account till then")
    func killed() async throws {
        try await Stage.with { stage in
            let database = stage.database
            let server = try await stage.startOne()
            let ada = try await Person(named: "Ada", on: server)
            try await database.withConnection { connection in
                try await connection.query(
                    """
                    WITH slot AS (
                        INSERT INTO slots (starts_at, ends_at, closing_at, closed_at)
                        SELECT starts_at, ends_at, ends_at, ends_at
                        FROM (SELECT date_trunc('hour', now()) - interval '3 days' AS starts_at) AS past,
                            LATERAL (SELECT starts_at + interval '30 minutes' AS ends_at) AS end_of
                        RETURNING starts_at
                    )
                    INSERT INTO registrations (
                        id, user_id, starts_at, task, created_at, updated_at, cancelled_at)
                    SELECT gen_random_uuid(), $1, starts_at, 'Write', now(), now(), now()
                    FROM slot, generate_series(1, 3000)
                    """, [ada.user.id])
            }
            try await database.withConnection { holder in
                // Rows that another transaction holds keep the work from its end.
                try await holder.query("BEGIN")
                try await holder.query("SELECT FROM registrations ORDER BY id LIMIT 2000 FOR UPDATE")
                try await ada.api.deleteMe()
                try await eventually(equals: 2000) { try await Self.count("registrations", database) }
                try await eventually(equals: 1) {
                    try await Metric.read("account_erasures_waiting", from: server)
                }
                await server.kill()
                try await holder.query("ROLLBACK")
            }
            #expect(try await Self.count("registrations", database) == 2000)
            let next = try await stage.startOne()
            try await eventually(equals: 0) { try await Self.count("users", database) }
            #expect(try await Self.count("registrations", database) == 0)
            for name in ["account_erasures_waiting", "account_erasure_oldest_seconds"] {
                try await eventually(equals: 0) { try await Metric.read(name, from: next) }
            }
        }
    }
}
