import Codecs
import Contract
import Crypto
import Outbox
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite("An endpoint that its failures have disabled")
struct DisabledEndpointTests {
    private static let hook = #"{"kind":"webhook","url":"http://127.0.0.1:9/hook"}"#

    /// Adds an endpoint with deliveries of tests; returns its id.
    private static func add(
        _ body: String, _ token: String, in world: RESTWorld
    ) async throws -> Identifier {
        let made = try await world.send("POST", "/v1/endpoints", token: token, body: body)
        return try #require(try made.json()["id"]?.string.flatMap { Identifier($0) })
    }

    private static func browser() throws -> String {
        let key = Base64URL.encode(try P256PrivateKey().publicKey.bytes)
        let auth = Base64URL.encode([UInt8](repeating: 1, count: 16))
        return #"{"kind":"webpush","url":"https://127.0.0.1:9/a","p256dh":"\#(key)","auth":"\#(auth)"}"#
    }

    /// Settles a delivery to the endpoint, whose receiver is gone.
    private static func end(_ endpoint: Identifier, in world: RESTWorld) async throws {
        let row = try await world.pool.query(
            """
            INSERT INTO deliveries (endpoint_id, priority, due_at, courier) VALUES ($1, 0, $2, 'one')
            RETURNING id
            """, [endpoint, world.clock.now]
        ).first
        let delivery = try #require(try row?.decode(0, Int64.self))
        try await SettlementWriter.write(
            [
                Settlement(
                    delivery: delivery, endpoint: endpoint, verdict: .gone, detail: "410: it is gone",
                    at: world.clock.now, duration: .milliseconds(5))
            ], of: "one", to: world.pool)
    }

    /// Returns the texts of the announcements to the account.
    private static func announcements(_ token: String, in world: RESTWorld) async throws -> [String] {
        while try await Announcements.step(at: world.clock.now, in: world.pool) != nil {}
        let list = try await world.send("GET", "/v1/notifications?types=announcement", token: token)
        return try list.json()["notifications"]?.array?.compactMap { $0["data"]?["text"]?.string } ?? []
    }

    private static func replay(
        _ endpoint: Identifier, _ token: String, in world: RESTWorld
    ) async throws -> RawHTTP.Response {
        try await world.send("POST", "/v1/endpoints/\(endpoint)/replay", token: token)
    }

    @Test("is announced to its owner, once, in the owner's language")
    func notice() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            try await world.send("PATCH", "/v1/me", token: bea, body: #"{"language":"de"}"#, expecting: 200)
            try await Self.end(try await Self.add(Self.hook, ann, in: world), in: world)
            let browser = try await Self.add(Self.browser(), bea, in: world)
            for _ in 0..<2 { try await Self.end(browser, in: world) }
            let hook = try await Self.announcements(ann, in: world)
            #expect(hook.count == 1)
            #expect(hook[0].hasPrefix("Notifications to your webhook at 127.0.0.1:9 have stopped: 410"))
            let push = try await Self.announcements(bea, in: world)
            #expect(push.count == 1)
            #expect(push[0].hasPrefix("In einem deiner Browser kommen keine Benachrichtigungen mehr an: 410"))
        }
    }

    @Test("delivers again what failed and has not expired, if its owner wants it")
    func replays() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let endpoint = try await Self.add(Self.hook, ann, in: world)
            let me = try await world.send("GET", "/v1/me", token: ann).json()["user"]?["id"]?.string
            let user = try #require(me.flatMap { Identifier($0) })
            // The second one expires, and the third one is delivered.
            for number in 0..<3 {
                _ = try await world.pool.transaction {
                    try await Announcements.add(
                        "Hello \(number)", to: .person(user), by: "Olga", at: world.clock.now, on: $0)
                }
            }
            while try await Announcements.step(at: world.clock.now, in: world.pool) != nil {}
            let ids = try await world.pool.query("SELECT id FROM deliveries ORDER BY id").map {
                try $0.decode(0, Int64.self)
            }
            try #require(ids.count == 3)
            try await world.pool.query(
                """
                UPDATE deliveries SET settled_at = $2,
                    outcome = CASE id WHEN $1 THEN 'delivered' ELSE 'gone' END
                """, [ids[2], world.clock.now])
            try await world.pool.query(
                "UPDATE deliveries SET expires_at = $2 WHERE id = $1", [ids[1], world.clock.now])
            try await Self.end(endpoint, in: world)
            let other = try await Self.replay(endpoint, bea, in: world)
            #expect(other.status == 404)
            let answer = try await Self.replay(endpoint, ann, in: world)
            #expect(answer.status == 200)
            #expect(try answer.json()["deliveries"]?.int == 1)
            let waiting = try await world.pool.query(
                "SELECT id FROM deliveries WHERE settled_at IS NULL"
            ).map { try $0.decode(0, Int64.self) }
            #expect(waiting == [ids[0]])
            let state = try await world.send("GET", "/v1/endpoints/\(endpoint)", token: ann)
            #expect(try state.json()["state"]?.string == "active")
        }
    }

    @Test("is enabled by a replay only if it is a webhook, and only if no operator has disabled it")
    func refusals() async throws {
        try await RESTWorld.withAccount { world, token in
            let browser = try await Self.add(Self.browser(), token, in: world)
            #expect(try await Self.replay(browser, token, in: world).status == 200)
            try await Self.end(browser, in: world)
            #expect(try await Self.replay(browser, token, in: world).status == 409)
            let hook = try await Self.add(Self.hook, token, in: world)
            try await world.pool.transaction { connection in
                try await DeskDeliveries.disable(
                    hook, because: "it attacks", at: world.clock.now, on: connection)
                try await connection.query(
                    """
                    INSERT INTO audit (id, at, operator, action, subject, request_id, hash)
                    VALUES (1, $1, 'Olga', 'endpoint.disable', 'endpoint:' || $2::uuid, 'r', sha256('1'))
                    """, [world.clock.now, hook])
            }
            let refused = try await Self.replay(hook, token, in: world)
            #expect(refused.status == 409)
            #expect(refused.text.contains("it attacks"))
        }
    }
}
