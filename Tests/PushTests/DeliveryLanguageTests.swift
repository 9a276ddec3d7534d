import API
import Contract
import Outbox
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite("The language of a delivery")
struct DeliveryLanguageTests {
    @Test("is that of its receiver, and English where none is known")
    func languages() async throws {
        try await RESTWorld.with { world in
            let chosen: [(host: String, tag: String?, language: Language)] = [
                ("a", nil, .english), ("b", "de", .german), ("c", "ja", .japanese), ("d", "fr", .english),
            ]
            for (host, tag, _) in chosen {
                let token = try #require(APIToken(try await world.signUp()))
                let user = try #require(try await SignedInUser.find(token, in: world.pool)).id
                try await world.pool.query("UPDATE users SET language = $2 WHERE id = $1", [user, tag])
                try await world.pool.query(
                    """
                    WITH endpoint AS (
                        INSERT INTO endpoints (id, user_id, kind, address, host, secret, created_at)
                        VALUES (gen_random_uuid(), $1, 'webhook', 'http://' || $2, $2, sha256(''), $3)
                        RETURNING id
                    )
                    INSERT INTO deliveries (endpoint_id, priority, due_at) SELECT id, 1, $3 FROM endpoint
                    """, [user, host, world.clock.now])
            }
            let clock = world.clock
            let store = PostgresOutboxStore(
                name: "one", pool: world.pool, reader: NotificationReader(tickets: world.application.tickets),
                now: { clock.now })
            try await store.renew(for: .seconds(60))
            let claimed = try await store.claim(limit: 10, bounds: HostBounds(others: 1_000))
            #expect(claimed.count == chosen.count)
            for (host, _, language) in chosen {
                #expect(claimed.first { $0.host == host }?.message.language == language, "\(host)")
            }
        }
    }
}
