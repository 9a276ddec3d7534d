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
            let claimed = try await store.claim(limit: 10, bounds: ClaimBounds(others: 1_000))
            #expect(claimed.count == chosen.count)
            for (host, _, language) in chosen {
                #expect(claimed.first { $0.host == host }?.message.language == language, "\(host)")
            }
        }
    }

    @Test("a reason and a detail have a code and the request's language; rows without a code stay English")
    func codes() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.send(
                "POST", "/v1/endpoints", token: token,
                body: #"{"kind":"webhook","url":"http://127.0.0.1:9/hook"}"#)
            let id = try #require(try made.json()["id"]?.string.flatMap { Identifier($0) })
            let row = try await world.pool.query(
                """
                INSERT INTO deliveries (endpoint_id, priority, due_at, courier) VALUES ($1, 0, $2, 'one')
                RETURNING id
                """, [id, world.clock.now]
            ).first
            let delivery = try #require(try row?.decode(0, Int64.self))
            let detail = Text(.tls, "the certificate has expired")
            try await SettlementWriter.write(
                [
                    Settlement(
                        delivery: delivery, endpoint: id, verdict: .gone, detail: detail,
                        at: world.clock.now, duration: .milliseconds(5))
                ], of: "one", to: world.pool)
            func expect(_ text: String, _ code: String?) async throws {
                let answer = try await world.send(
                    "GET", "/v1/endpoints/\(id)", token: token, headers: ["Accept-Language: de"]
                ).json()
                let outcome = answer["outcomes"]?.array?.first
                #expect(answer["reason"]?.string == text && answer["reasonCode"]?.string == code)
                #expect(outcome?["detail"]?.string == text && outcome?["detailCode"]?.string == code)
            }
            try await expect("TLS: das Zertifikat ist abgelaufen", "tls")
            // A code of another text, as a version without codes leaves it, counts as none.
            for stored in [nil, "failing/tls/the certificate has expired", "unknown/x"] {
                try await world.pool.query("UPDATE endpoints SET reason_code = $1", [stored])
                try await world.pool.query("UPDATE attempts SET detail_code = $1", [stored])
                try await expect("TLS: the certificate has expired", nil)
            }
        }
    }
}
