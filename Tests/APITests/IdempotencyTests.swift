import Contract
import HTTP1
import Postgres
import Reactor
import TestKit
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite("Idempotency-Key", .timeLimit(.minutes(5)))
struct IdempotencyTests {
    static let slot = "2027-03-01T13:00:00Z"
    static let body = #"{"task":"Write","slots":["\#(slot)"]}"#

    @Test(
        "is a string in quotation marks, or the same characters without them",
        arguments: [
            ("a", "a"), (#""a""#, "a"), (#""a b""#, "a b"), (#""a\"b\\c""#, #"a"b\c"#),
            ("0193-x_y.z:/+=~!", "0193-x_y.z:/+=~!"), (#""a,b""#, "a,b"),
            (String(repeating: "k", count: 255), String(repeating: "k", count: 255)),
            ("\"\(String(repeating: "k", count: 255))\"", String(repeating: "k", count: 255)),
        ])
    func read(value: String, key: String) throws {
        #expect(try IdempotencyKeyField.read(["Idempotency-Key": value]) == key)
    }

    private static let senseless = [
        "", #""""#, #"""#, #""a"#, #"a""#, #""a"b"#, #""a";p=1"#, #""a\x""#, #""a\"#, "a b", "a,b",
        "a\\b",
        #""a", "b""#, "clé", #""clé""#, "a\tb", String(repeating: "k", count: 256),
        "\"\(String(repeating: "k", count: 256))\"",
    ]

    @Test("that makes no sense is a 400 that names it, and nothing happens")
    func refused() async throws {
        try await RESTWorld.withAccount { world, token in
            for value in Self.senseless {
                let answer = try await world.post("/v1/registrations", value, token: token, body: Self.body)
                #expect(answer.status == 400 && answer.text.contains("Idempotency-Key"), "\(answer.text)")
            }
            #expect(try await world.count("registrations") == 0)
        }
    }

    @Test("is described by a pattern that says the same")
    func pattern() throws {
        let regex = try Regex(OpenAPILimitTests.keyPattern(least: 1))
        let bytes = (0x20...0x7E).map { String(UnicodeScalar(UInt8($0))) }
        let quoted = bytes.map { "\"\($0)\"" } + bytes.map { "\"\\\($0)\"" }
        for value in Self.senseless + bytes + quoted {
            let isKey = IdempotencyKeyField.parse(value) != nil
            #expect((try regex.wholeMatch(in: value) != nil) == isKey, "\(value)")
        }
    }

    @Test("twice in a request is a 400")
    func twice() async throws {
        try await RESTWorld.withAccount { world, token in
            let answer = try await world.send(
                "POST", "/v1/registrations", token: token, body: Self.body,
                headers: ["Idempotency-Key: a", "Idempotency-Key: a"])
            #expect(answer.status == 400 && answer.text.contains("not 2"))
        }
    }

    @Test("of a person without an account has 22 characters at least")
    func withoutAccount() async throws {
        try await RESTWorld.with { world in
            let (short, long) = (String(repeating: "k", count: 21), String(repeating: "k", count: 22))
            let refused = try await world.post("/v1/users", short, body: #"{"name":"Ann"}"#)
            #expect(refused.status == 400 && refused.text.contains("22 characters"))
            #expect(try await world.post("/v1/users", long, body: #"{"name":"Ann"}"#).status == 201)
            #expect(try await world.count("users") == 1)
        }
    }

    @Test("makes a registration once, with the same answer, also when it is too late for the slot")
    func registration() async throws {
        try await RESTWorld.withAccount { world, token in
            let first = try await world.post("/v1/registrations", "k1", token: token, body: Self.body)
            #expect(first.status == 201 && first.headers["idempotent-replayed"] == nil)
            for value in ["k1", "\"k1\""] {
                world.clock.now = world.clock.now.adding(.seconds(2 * 3600))
                let again = try await world.post("/v1/registrations", value, token: token, body: Self.body)
                #expect(again.status == 201 && again.body == first.body)
                #expect(again.headers["idempotent-replayed"] == "true")
                for name in ["location", "content-type", "cache-control"] {
                    #expect(again.headers[name] == first.headers[name])
                }
            }
            #expect(try await world.count("registrations") == 1)
        }
    }

    @Test("keeps an answer without a body, where the request preferred that")
    func minimal() async throws {
        try await RESTWorld.withAccount { world, token in
            for isReplay in [false, true] {
                let answer = try await world.send(
                    "POST", "/v1/registrations", token: token, body: Self.body,
                    headers: ["Idempotency-Key: k1", "Prefer: return=minimal"])
                #expect(answer.status == 201 && answer.body.isEmpty)
                #expect(answer.headers["location"] != nil)
                #expect((answer.headers["idempotent-replayed"] == "true") == isReplay)
            }
        }
    }

    @Test("that the request does not have changes nothing")
    func none() async throws {
        try await RESTWorld.withAccount { world, token in
            _ = try await world.register(token, Self.slot)
            #expect(try await world.count("idempotency_keys") == 0)
        }
    }

    @Test("of what the state of things refused is answered alike, though they have changed")
    func conflicts() async throws {
        try await RESTWorld.withAccount { world, token in
            _ = try await world.register(token, Self.slot)
            let first = try await world.post("/v1/registrations", "k1", token: token, body: Self.body)
            #expect(first.problem == "already-registered")
            let late = #"{"task":"Write","slots":["2027-03-01T11:00:00Z"]}"#
            #expect(try await world.post("/v1/registrations", "k2", token: token, body: late).status == 409)
            try await world.pool.query("UPDATE registrations SET cancelled_at = $1", [world.clock.now])
            let again = try await world.post("/v1/registrations", "k1", token: token, body: Self.body)
            #expect(again.problem == "already-registered" && again.pointers == ["/slots/0"])
            #expect(again.headers["idempotent-replayed"] == "true")
            world.clock.now = world.clock.now.adding(.seconds(-3600))
            let lateAgain = try await world.post("/v1/registrations", "k2", token: token, body: late)
            #expect(lateAgain.problem == "too-late" && lateAgain.headers["idempotent-replayed"] == "true")
            #expect(
                try await world.post("/v1/registrations", "k3", token: token, body: Self.body).status == 201)
        }
    }

    @Test("of a 422 is kept where the state of things was looked at, and else not")
    func invalid() async throws {
        try await RESTWorld.withAccount { world, token in
            let id = try await world.register(token, Self.slot)
            let own = #"{"registrationId":"\#(id)"}"#
            for isReplay in [false, true] {
                let answer = try await world.post("/v1/blocks", "k1", token: token, body: own)
                #expect(answer.status == 422 && answer.pointers == ["/registrationId"])
                #expect((answer.headers["idempotent-replayed"] == "true") == isReplay)
            }
            let offGrid = #"{"task":"Write","slots":["2027-03-01T13:00:01Z"]}"#
            for _ in 0..<2 {
                let answer = try await world.post("/v1/registrations", "k2", token: token, body: offGrid)
                #expect(answer.status == 422 && answer.headers["idempotent-replayed"] == nil)
            }
            #expect(try await world.count("idempotency_keys") == 1)
        }
    }

    @Test("is free again after a 400, a 401, a 404, a 429 and a 503")
    func notKept() async throws {
        let limited = { (configuration: inout ServerConfiguration) in configuration.accountRegistrations = 1 }
        try await RESTWorld.with(configure: limited) { world in
            let token = try await world.signUp()
            func post(_ body: String = Self.body, token: String) async throws -> RawHTTP.Response {
                try await world.post("/v1/registrations", "k1", token: token, body: body)
            }
            #expect(try await post("{", token: token).status == 400)
            #expect(try await post(token: "lsk_wrong").status == 401)
            let stranger = #"{"registrationId":"00000000-0000-4000-8000-000000000000"}"#
            #expect(try await world.post("/v1/blocks", "k1", token: token, body: stranger).status == 404)
            _ = try await world.register(token, "2027-03-01T14:00:00Z")
            #expect(try await post(token: token).status == 429)
            try await world.pool.query("UPDATE registrations SET cancelled_at = $1", [world.clock.now])
            try await world.pool.query(
                """
                CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$
                """)
            try await world.pool.query(
                """
                CREATE CONSTRAINT TRIGGER die AFTER INSERT ON registrations
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()
                """)
            #expect(try await post(token: token).status == 503)
            #expect(try await world.count("idempotency_keys") == 0)
            try await world.pool.query("DROP TRIGGER die ON registrations")
            let made = try await post(token: token)
            #expect(made.status == 201 && made.headers["idempotent-replayed"] == nil)
        }
    }

    @Test("belongs to one request of one account")
    func another() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            #expect(
                try await world.post("/v1/registrations", "k1", token: ann, body: Self.body).status == 201)
            let other = #"{"task":"Read","slots":["\#(Self.slot)"]}"#
            let reused = try await world.post("/v1/registrations", "k1", token: ann, body: other)
            #expect(reused.status == 422 && reused.problem == "idempotency-key-reused")
            #expect(
                try await world.post("/v1/me/token", "k1", token: ann).problem == "idempotency-key-reused")
            let hers = try await world.post("/v1/registrations", "k1", token: bea, body: Self.body)
            #expect(hers.status == 201 && hers.headers["idempotent-replayed"] == nil)
            #expect(try await world.count("registrations") == 2)
        }
    }

    @Test("sent by many at once has one effect, and all get one answer")
    func twins() async throws {
        try await RESTWorld.withAccount { world, token in
            for (path, body) in [
                ("/v1/registrations", Self.body),
                ("/v1/endpoints", #"{"kind":"webhook","url":"https://example.org/"}"#),
                ("/v1/me/token", nil),
            ] {
                let answers = try await concurrently(0..<8) { _ in
                    try await world.post(path, "k\(path)", token: token, body: body)
                }
                #expect(answers.allSatisfy { $0.status == 201 }, "\(answers.map(\.text))")
                #expect(Set(answers.map(\.body)).count == 1)
                #expect(answers.count { $0.headers["idempotent-replayed"] == nil } == 1)
            }
            #expect(try await world.count("registrations") == 1)
            #expect(try await world.count("endpoints") == 1)
            #expect(try await world.count("tokens") == 2)
        }
    }

    @Test("of a request that is long under way is a 409 with Retry-After, and then has its answer")
    func underWay() async throws {
        try await RESTWorld.with(keyPatience: .milliseconds(200)) { world in
            let token = try await world.signUp()
            let body = #"{"kind":"webhook","url":"https://example.org/"}"#
            let first = try await withThrowingTaskGroup(of: RawHTTP.Response.self) { group in
                try await world.pool.transaction { connection in
                    // The transaction of the first request waits for the account.
                    try await connection.query("SELECT FROM users FOR UPDATE")
                    group.addTask { try await world.post("/v1/endpoints", "k1", token: token, body: body) }
                    try await world.pool.waitForBlocked()
                    let twin = try await world.post("/v1/endpoints", "k1", token: token, body: body)
                    #expect(twin.status == 409 && twin.problem == "idempotency-key-under-way")
                    #expect(twin.headers["retry-after"] == "1")
                }
                return try #require(try await group.next())
            }
            #expect(first.status == 201, "\(first.text)")
            let again = try await world.post("/v1/endpoints", "k1", token: token, body: body)
            #expect(again.body == first.body && again.headers["idempotent-replayed"] == "true")
        }
    }

    @Test("is forgotten after 24 hours, and its row is removed")
    func expiry() async throws {
        try await RESTWorld.withAccount { world, token in
            let body = #"{"task":"Write","slots":["2027-03-05T13:00:00Z"]}"#
            #expect(try await world.post("/v1/registrations", "k1", token: token, body: body).status == 201)
            world.clock.now = world.clock.now.adding(IdempotencyKey.lifetime - .seconds(1))
            #expect(try await world.post("/v1/registrations", "k1", token: token, body: body).status == 201)
            #expect(try await IdempotencyKeys.tidy(at: world.clock.now, in: world.pool) == 0)
            world.clock.now = world.clock.now.adding(.seconds(1))
            let anew = try await world.post("/v1/registrations", "k1", token: token, body: body)
            #expect(anew.problem == "already-registered" && anew.headers["idempotent-replayed"] == nil)
            #expect(try await world.count("idempotency_keys") == 1)
            let next = world.clock.now.adding(IdempotencyKey.lifetime)
            #expect(try await IdempotencyKeys.tidy(at: next, in: world.pool) == 1)
            #expect(try await world.count("idempotency_keys") == 0)
        }
    }

    @Test("goes with the account")
    func deletion() async throws {
        try await RESTWorld.with { world in
            let made = try await world.post(
                "/v1/users", String(repeating: "k", count: 22), body: #"{"name":"Ann"}"#)
            let token = try #require(try made.json()["token"]?.string)
            _ = try await world.post("/v1/registrations", "k1", token: token, body: Self.body)
            #expect(try await world.count("idempotency_keys") == 2)
            #expect(try await world.delete("/v1/me", token) == 204)
            try await world.eraseDeletedAccounts()
            #expect(try await world.count("idempotency_keys") == 0)
        }
    }

    @Test("is described for each POST")
    func described() throws {
        let document = try SchemaCheck().document
        guard case .object(let paths)? = document["paths"] else { return }
        let posts = paths.compactMap { path in path.value["post"].map { (path.name, $0) } }
        #expect(posts.count >= 8)
        // Another session does no harm.
        for (path, post) in posts where path != "/v1/me/session" {
            let names = (post["parameters"]?.array ?? []).compactMap { $0["name"]?.string }
            #expect(names.contains("Idempotency-Key"), "\(path)")
            for status in ["409", "422"] { #expect(post["responses"]?[status] != nil, "\(path) \(status)") }
        }
    }
}

extension RESTWorld {
    /// Sends a POST with an idempotency key.
    func post(
        _ path: String, _ key: String, token: String? = nil, body: String? = nil
    ) async throws -> RawHTTP.Response {
        try await send("POST", path, token: token, body: body, headers: ["Idempotency-Key: \(key)"])
    }
}
