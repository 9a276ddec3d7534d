import Contract
import Postgres
import Reactor
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite("A secret under an idempotency key", .timeLimit(.minutes(5)))
struct IdempotentSecretTests {
    private static let key = "0193f2d2-7c1e-4f3a-9a7e-1d2c3b4a5f60"
    private static let ann = #"{"name":"Ann"}"#
    private static let webhook = #"{"kind":"webhook","url":"https://example.org/"}"#

    @Test("of a new account is shown again, and is not stored, until it is used")
    func signUp() async throws {
        try await RESTWorld.with { world in
            let first = try await world.post("/v1/users", Self.key, body: Self.ann)
            let token = try #require(try first.json()["token"]?.string)
            let again = try await world.post("/v1/users", Self.key, body: Self.ann)
            #expect(again.status == 201 && again.body == first.body)
            #expect(again.headers["idempotent-replayed"] == "true")
            #expect(try await !world.stored().contains(token))
            #expect(try await world.salts() == 1)

            #expect(try await world.send("GET", "/v1/me", token: token).status == 200)
            #expect(try await world.salts() == 0)
            let late = try await world.post("/v1/users", Self.key, body: Self.ann)
            #expect(late.status == 409 && late.problem == "answer-gone")
            #expect(try await world.send("GET", "/v1/me", token: token).status == 200)
            #expect(try await world.count("users") == 1)
        }
    }

    @Test(
        "of a new account is shown again at another address only for a key that is a random UUID",
        arguments: [
            ("0193f2d2-7c1e-4f3a-9a7e-1d2c3b4a5f60", true), ("0193f2d2-7c1e-7f3a-9a7e-1d2c3b4a5f60", false),
            ("0193f2d2-7c1e-4f3a-ca7e-1d2c3b4a5f60", false),
            ("k-0193f2d2-7c1e-4f3a-9a7e-1d2c3b4a5f60", false),
        ])
    func moved(key: String, isShown: Bool) async throws {
        let proxied: (inout ServerConfiguration) -> Void = {
            $0.trustedProxies = [IPNetwork("127.0.0.1")].compactMap(\.self)
        }
        try await RESTWorld.with(configure: proxied) { world in
            func signUp(from address: Int, _ body: String = Self.ann) async throws -> RawHTTP.Response {
                try await world.send(
                    "POST", "/v1/users", body: body,
                    headers: ["Idempotency-Key: \(key)", "X-Forwarded-For: 198.51.100.\(address)"])
            }
            let (first, second) = (try await signUp(from: 1), try await signUp(from: 2))
            #expect(first.status == 201 && second.status == 201)
            #expect((second.body == first.body) == isShown)
            #expect(try await world.count("users") == (isShown ? 1 : 2))
            let other = try await signUp(from: 3, #"{"name":"Bea"}"#)
            #expect(other.problem == (isShown ? "idempotency-key-reused" : nil))
            #expect(try await signUp(from: 1).body == first.body)
        }
    }

    @Test("of a recovered account is removed with the account")
    func recovered() async throws {
        try await RESTWorld.with { world in
            let made = try await world.post("/v1/users", Self.key, body: Self.ann)
            let code = try #require(try made.json()["recoveryCode"]?.string)
            let recovery = #"{"recoveryCode":"\#(code)"}"#
            let recovered = try await world.post("/v1/recover", "another-\(Self.key)", body: recovery)
            let token = try #require(try recovered.json()["token"]?.string)
            #expect(try await world.count("idempotency_keys") == 2)
            #expect(try await world.delete("/v1/me", token) == 204)
            try await world.eraseDeletedAccounts()
            #expect(try await world.count("idempotency_keys") == 0)
        }
    }

    @Test("costs no second account where an address may make one, and the second one is not kept from it")
    func limited() async throws {
        let limited = { (configuration: inout ServerConfiguration) in configuration.signUpsPerMinute = 1 }
        try await RESTWorld.with(configure: limited) { world in
            for _ in 0..<3 {
                #expect(try await world.post("/v1/users", Self.key, body: Self.ann).status == 201)
            }
            for _ in 0..<2 {
                let other = try await world.post("/v1/users", "another-\(Self.key)", body: Self.ann)
                #expect(other.status == 429 && other.headers["idempotent-replayed"] == nil)
            }
            #expect(try await world.count("users") == 1)
        }
    }

    @Test("that replaces a token is shown again until it is used")
    func token() async throws {
        try await RESTWorld.withAccount { world, old in
            let first = try await world.post("/v1/me/token", "k1", token: old)
            let new = try #require(try first.json()["token"]?.string)
            #expect(try await world.post("/v1/me/token", "k1", token: old).body == first.body)
            #expect(try await !world.stored().contains(new))
            #expect(try await world.send("GET", "/v1/me", token: new).status == 200)
            #expect(try await world.salts() == 0)
            #expect(try await world.post("/v1/me/token", "k1", token: new).problem == "answer-gone")
            #expect(try await world.send("GET", "/v1/me", token: old).status == 401)
        }
    }

    @Test("that was replaced before it was used is not shown again")
    func replaced() async throws {
        try await RESTWorld.withAccount { world, old in
            let first = try await world.post("/v1/me/token", "k1", token: old)
            let second = try await world.post("/v1/me/token", "k2", token: old)
            #expect(first.body != second.body)
            #expect(try await world.post("/v1/me/token", "k1", token: old).problem == "answer-gone")
            #expect(try await world.post("/v1/me/token", "k2", token: old).body == second.body)
            // Without a key nothing of the new token is kept.
            #expect(try await world.send("POST", "/v1/me/token", token: old).status == 201)
            #expect(try await world.post("/v1/me/token", "k2", token: old).problem == "answer-gone")
        }
    }

    @Test("of a webhook is shown again, also the one after it, and each is made once")
    func webhooks() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.post("/v1/endpoints", "k1", token: token, body: Self.webhook)
            let secret = try #require(try made.json()["secret"]?.string)
            let id = try #require(try made.json()["id"]?.string)
            let again = try await world.post("/v1/endpoints", "k1", token: token, body: Self.webhook)
            #expect(again.status == 201 && again.body == made.body)
            #expect(again.headers["location"] == made.headers["location"])
            let path = "/v1/endpoints/\(id)/secret"
            let rotated = try await world.post(path, "k2", token: token)
            let next = try #require(try rotated.json()["secret"]?.string)
            #expect(try await world.post(path, "k2", token: token).body == rotated.body)
            #expect(try await world.count("retired_secrets") == 1)
            let stored = try await world.stored()
            #expect(next != secret && !stored.contains(secret) && !stored.contains(next))
        }
    }

    @Test("of a calendar, which is in two addresses, is shown again")
    func calendar() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.post("/v1/me/calendars", "k1", token: token)
            let url = try #require(try made.json()["url"]?.string)
            #expect(made.status == 201)
            let again = try await world.post("/v1/me/calendars", "k1", token: token)
            #expect(again.body == made.body && again.headers["idempotent-replayed"] == "true")
            let secret = try #require(url.split(separator: "/").last?.split(separator: ".").first)
            #expect(secret.utf8.count == 43)
            #expect(try await !world.stored().contains(secret))
            #expect(try await world.count("calendars") == 1)
        }
    }

    @Test("is not made up where the key of the servers is another one by now")
    func otherKey() async throws {
        try await RESTWorld.withAccount { world, token in
            _ = try await world.post("/v1/endpoints", "k1", token: token, body: Self.webhook)
            try await world.pool.query("UPDATE idempotency_keys SET secret_hash = sha256('another')")
            let again = try await world.post("/v1/endpoints", "k1", token: token, body: Self.webhook)
            #expect(again.problem == "answer-gone")
        }
    }

    @Test("follows from the key, the kind and the salt, and is another one for each salt")
    func derived() {
        let (key, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let secret = DerivedSecret(.token, key: key)
        #expect(APIToken(secret.texts[0])?.hash == secret.hash)
        #expect(DerivedSecret(.token, salt: secret.salt, key: key).texts[0] == secret.texts[0])
        #expect(DerivedSecret(.token, salt: secret.salt, key: other).bytes != secret.bytes)
        #expect(DerivedSecret(.webhook, salt: secret.salt, key: key).bytes != secret.bytes)
        #expect(DerivedSecret(.token, key: key).bytes != secret.bytes)
    }

    // A test of an endpoint, whose answer comes after its effect.

    @Test("a test of an endpoint is sent once, and its answer is told again")
    func tested() async throws {
        try await RESTWorld.withAccount { world, token in
            let receiver = try await WebhookReceiver()
            let id = try #require(try await world.addWebhook(token, receiver.url)["id"]?.string)
            let path = "/v1/endpoints/\(id)/test"
            let first = try await world.post(path, "k1", token: token)
            #expect(first.status == 200 && first.text.contains("delivered"))
            let again = try await world.post(path, "k1", token: token)
            #expect(again.body == first.body && again.headers["idempotent-replayed"] == "true")
            #expect(try await world.count("deliveries") == 1)
        }
    }

    @Test("where the answer of a test was lost with its server, it is told that it is under way, then gone")
    func lostTest() async throws {
        try await RESTWorld.with(keyPatience: .milliseconds(200)) { world in
            let token = try await world.signUp()
            let receiver = try await WebhookReceiver()
            let id = try #require(try await world.addWebhook(token, receiver.url)["id"]?.string)
            let path = "/v1/endpoints/\(id)/test"
            #expect(try await world.post(path, "k1", token: token).status == 200)
            try await world.pool.query(
                "UPDATE idempotency_keys SET status = NULL, fields = NULL, body = NULL")
            let early = try await world.post(path, "k1", token: token)
            #expect(early.problem == "idempotency-key-under-way" && early.headers["retry-after"] == "1")
            world.clock.now = world.clock.now.adding(IdempotencyKeys.longestWork)
            #expect(try await world.post(path, "k1", token: token).problem == "answer-gone")
            #expect(try await world.count("deliveries") == 1)
        }
    }
}

extension RESTWorld {
    /// Returns all that is stored under idempotency keys, with texts as they are.
    fileprivate func stored() async throws -> String {
        let rows = try await pool.query(
            "SELECT fields || convert_from(body, 'UTF8') FROM idempotency_keys WHERE body IS NOT NULL")
        return try rows.map { try $0.decode(0, String.self) }.joined(separator: "\n")
    }

    fileprivate func salts() async throws -> Int64 {
        try await count("idempotency_keys WHERE salt IS NOT NULL")
    }
}
