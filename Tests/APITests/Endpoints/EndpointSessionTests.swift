import API
import Codecs
import Contract
import Crypto
import Outbox
import Postgres
import TestKit
import Testing

@testable import BackendTesting
@testable import Database
@testable import Push

@Suite("An endpoint of a browser that is registered by a session")
struct EndpointSessionTests {
    private static let own = "Sec-Fetch-Site: same-origin"
    private static let session = "UPDATE tokens SET expires_at = now() WHERE made_by IS NOT NULL"

    enum End: CaseIterable { case signedOut, revoked, tokenRevoked, accountDeleted }

    @Test("ends with the session, and webhooks and endpoints of tokens do not", arguments: End.allCases)
    func ends(_ end: End) async throws {
        try await RESTWorld.withAccount { world, main in
            let made = try await world.made("Phone", main)
            let token = made.token
            let cookie = try await EndpointSession.cookie(token, in: world)
            let other = try await EndpointSession.cookie(main, in: world)
            #expect(
                try await EndpointSession.register(EndpointSession.browser("a"), cookie, in: world) == 201)
            #expect(try await EndpointSession.register(EndpointSession.browser("b"), other, in: world) == 201)
            let hook = #"{"kind":"webhook","url":"http://127.0.0.1:9/hook"}"#
            #expect(try await EndpointSession.register(hook, cookie, in: world) == 201)
            _ = try await world.send(
                "POST", "/v1/endpoints", token: token, body: EndpointSession.browser("t"))
            #expect(try await EndpointSession.active(in: world) == ["a", "b", "hook", "t"])
            switch end {
            case .signedOut:
                try await world.send("DELETE", "/v1/me/session", headers: [cookie, Self.own], expecting: 204)
            case .revoked:
                let list = try await world.send("GET", "/v1/me/sessions", headers: [cookie])
                let current = try list.json()["sessions"]?.array?.first { $0["current"]?.bool == true }
                let id = try #require(current?["id"]?.string)
                #expect(try await world.send("DELETE", "/v1/me/sessions/\(id)", token: main).status == 204)
            case .tokenRevoked:
                try await world.send("DELETE", "/v1/me/tokens/\(made.id)", token: main, expecting: 204)
            case .accountDeleted:
                try await world.delete("/v1/me", main, expecting: 204)
            }
            #expect(
                try await EndpointSession.active(in: world)
                    == (end == .accountDeleted ? [] : ["b", "hook", "t"]))
        }
    }

    @Test("gets a last push that says so if the session expires, once, and goes with the session a day later")
    func expires() async throws {
        try await RESTWorld.withAccount { world, token in
            try await EndpointSession.register(
                EndpointSession.browser("a"), try await EndpointSession.cookie(token, in: world), in: world)
            // A push that has not been sent is not sent any more.
            try await world.pool.query(
                "INSERT INTO deliveries (endpoint_id, priority, due_at) SELECT id, 0, now() FROM endpoints")
            let uses = TokenUses()
            try await uses.forgetExpired(in: world.pool)
            #expect(try await EndpointSession.active(in: world) == ["a"])
            try await world.pool.query(Self.session)
            for _ in 0..<2 { try await uses.forgetExpired(in: world.pool) }
            #expect(try await EndpointSession.active(in: world) == [])
            // Another session removes what has expired, but for a session whose last push may be on its way.
            _ = try await EndpointSession.cookie(token, in: world)
            let claimed = try await EndpointSession.claim(in: world)
            try #require(claimed.count == 1)
            guard case .farewell = claimed[0].message.content, case .webpush = claimed[0].message.target
            else { throw TestError("\(claimed[0].message)") }
            let payload = PushPayload.json(
                of: claimed[0].message.content, isForApple: false, limit: 4_000, at: world.clock.now,
                in: .english, page: "https://switch.example.org")
            let message = try JSONValue.parse(payload)
            #expect(message["title"]?.string == "Notifications end here")
            #expect(message["notification"]?["navigate"]?.string == "https://switch.example.org/welcome")
            let list = try await world.send("GET", "/v1/endpoints", token: token)
            let endpoint = try list.json()["endpoints"]?.array?.first
            #expect(endpoint?["reason"]?.string == "its session has ended")
            #expect(endpoint?["reasonCode"]?.string == "sessionEnded")
            try await world.pool.query(
                "UPDATE tokens SET expires_at = now() - interval '2 days' WHERE expires_at <= now()")
            try await uses.forgetExpired(in: world.pool)
            #expect(try await world.pool.query("SELECT FROM endpoints").isEmpty)
        }
    }

    @Test("is active again, without the last push, if another session registers it before")
    func comesBack() async throws {
        try await RESTWorld.withAccount { world, token in
            let body = try EndpointSession.browser("a")
            try await EndpointSession.register(
                body, try await EndpointSession.cookie(token, in: world), in: world)
            try await world.pool.query(Self.session)
            try await TokenUses().forgetExpired(in: world.pool)
            #expect(try await EndpointSession.active(in: world) == [])
            #expect(
                try await EndpointSession.register(
                    body, try await EndpointSession.cookie(token, in: world), in: world) == 200)
            #expect(try await EndpointSession.active(in: world) == ["a"])
            #expect(try await EndpointSession.claim(in: world).isEmpty)
            // The former session takes it along no more.
            try await world.pool.query("DELETE FROM tokens WHERE expires_at <= now()")
            #expect(try await EndpointSession.active(in: world) == ["a"])
        }
    }

    @Test("gets a last push if its session gives way to the twenty that were used later")
    func givesWay() async throws {
        try await RESTWorld.withAccount { world, token in
            try await EndpointSession.register(
                EndpointSession.browser("a"), try await EndpointSession.cookie(token, in: world), in: world)
            for _ in 0..<Limits.sessions { _ = try await EndpointSession.cookie(token, in: world) }
            let list = try await world.send("GET", "/v1/me/sessions", token: token)
            #expect(try list.json()["sessions"]?.array?.count == Limits.sessions)
            try await TokenUses().forgetExpired(in: world.pool)
            #expect(try await EndpointSession.active(in: world) == [])
            #expect(try await EndpointSession.claim(in: world).count == 1)
        }
    }

    @Test("survives a recovery by an operator's code, of which it is told, and no other recovery")
    func recovery() async throws {
        try await RESTWorld.withAccount { world, token in
            let user = try #require(try await world.send("GET", "/v1/me", token: token).json()["user"])
            let id = try #require(user["id"]?.string.flatMap { Identifier($0) })
            try await EndpointSession.register(
                EndpointSession.browser("a"), try await EndpointSession.cookie(token, in: world), in: world)
            let code = AccessCode(for: .recovery)
            try await world.pool.transaction { try await RecoveryWriter.give(code, to: id, on: $0) }
            let body = #"{"recoveryCode":"\#(code.text)"}"#
            let recovered = try await world.send("POST", "/v1/recover", body: body)
            #expect(recovered.status == 201)
            #expect(try await EndpointSession.active(in: world) == ["a"])
            let next = try #require(try recovered.json()["token"]?.string)
            try await EndpointSession.register(
                EndpointSession.browser("b"), try await EndpointSession.cookie(next, in: world), in: world)
            let own = try #require(try recovered.json()["recoveryCode"]?.string)
            try await world.send("POST", "/v1/recover", body: #"{"recoveryCode":"\#(own)"}"#, expecting: 201)
            #expect(try await EndpointSession.active(in: world) == ["a"])
        }
    }
}
