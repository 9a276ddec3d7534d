import Codecs
import Contract
import Crypto
import Postgres
import Reactor
import Testing

@testable import BackendTesting
@testable import Console
@testable import Database

@Suite("Recovery codes of operators")
struct DeskRecoveryTests {
    private static func recover(_ desk: DeskWorld, _ code: String?) async throws -> (String, String) {
        let back = try await desk.world.send(
            "POST", "/v1/recover", body: #"{"recoveryCode":"\#(code ?? "")"}"#)
        #expect(back.status == 201, "\(back.text)")
        let answer = try back.json()
        return (
            try #require(answer["token"]?.string), try #require(answer["recoveryCode"]?.string)
        )
    }

    private static func give(_ desk: DeskWorld, to person: Identifier) async throws -> String? {
        let given = try await desk.send(
            "POST", "/people/\(person)/recovery-code", token: try await desk.token(.support),
            body: #"{"reason":"A lost phone"}"#)
        #expect(given.status == 201, "\(given.text)")
        return try given.json()["recoveryCode"]?.string
    }

    /// Whether the account can be exported, and deleted.
    private static func statuses(_ desk: DeskWorld, _ token: String) async throws -> [Int] {
        let export = try await desk.world.send("GET", "/v1/me/export", token: token)
        if export.status == 403 {
            #expect(export.problem == "recently-recovered")
            #expect(try export.json()["until"]?.string != nil)
        }
        let deleted = try await desk.world.delete("/v1/me", token)
        return [export.status, deleted]
    }

    @Test("need a reason, which the person and the audit log get")
    func reason() async throws {
        try await DeskWorld.withPerson { desk, ann in
            try await desk.world.send(
                "PATCH", "/v1/me", token: ann.token, body: #"{"language":"de"}"#, expecting: 200)
            let path = "/people/\(ann.id)/recovery-code"
            let token = try await desk.token(.support)
            for body in [nil, "{}", #"{"reason":" "}"#] {
                #expect(try await desk.send("POST", path, token: token, body: body).status == 422)
            }
            #expect(try await desk.actions() == [])
            _ = try await Self.give(desk, to: ann.id)
            #expect(desk.announcementEvents == 1)
            let now = desk.world.clock.now
            #expect(try await Announcements.step(at: now, in: desk.world.pool) == 1)
            let told = try await desk.world.send("GET", "/v1/notifications", token: ann.token)
            let notification = try told.json()["notifications"]?.array?.first
            #expect(notification?["type"]?.string == "announcement")
            let text = notification?["data"]?["text"]?.string ?? ""
            #expect(text.contains("Wiederherstellungscode"), "\(text)")
            #expect(text.contains("Grund: A lost phone"), "\(text)")
            let entries = try await desk.send(
                "GET", "/audit?action=person.recovery-code", token: try await desk.token(.admin))
            #expect(
                try entries.json()["entries"]?.array?.first?["after"]?["reason"]?.string == "A lost phone")
        }
    }

    @Test("reach endpoints that ask for other types, and are refused while an operator has disabled one")
    func endpoints() async throws {
        try await DeskWorld.with { desk in
            let (world, ann) = (desk.world, try await desk.person("Ann"))
            let made = try await world.send(
                "POST", "/v1/endpoints", token: ann.token,
                body: #"{"kind":"webhook","url":"https://example.org/","types":["room.opened"]}"#)
            let id = try #require(try made.json()["id"]?.string, "\(made.text)")
            let support = try await desk.token(.support)
            let body = #"{"reason":"A lost phone"}"#
            func act(_ path: String, _ token: String) async throws -> Int {
                try await desk.send("POST", path, token: token, body: body).status
            }
            let path = "/people/\(ann.id)/recovery-code"
            #expect(try await act("/endpoints/\(id)/disable", support) == 200)
            let admin = try await desk.token(.admin)
            for token in [support, admin] { #expect(try await act(path, token) == 409) }
            try await desk.send("POST", "/endpoints/\(id)/enable", token: support, expecting: 200)
            // The failures of its receiver have disabled it: the user has seen that, and no operator did it.
            try await world.pool.query(
                "UPDATE endpoints SET disabled_at = $1, reason = 'gone'",
                [world.clock.now.adding(.seconds(60))])
            #expect(try await act(path, support) == 201)
            try await world.pool.query("UPDATE endpoints SET disabled_at = NULL, reason = NULL")
            #expect(try await act(path, support) == 201)
            // No operator keeps the notice from the endpoint while it is on its way.
            for token in [support, admin] {
                #expect(try await act("/endpoints/\(id)/disable", token) == 409)
            }
            let now = world.clock.now
            while try await Announcements.step(at: now, in: world.pool) != nil {}
            let deliveries = try await world.pool.query(
                """
                SELECT endpoint_id::text FROM deliveries
                JOIN notifications ON notifications.id = notification_id
                WHERE type = 'announcement'
                """)
            #expect(try deliveries.map { try $0.decode(0, String.self) } == [id, id])
            // Other announcements go to endpoints that ask for them.
            try await desk.send(
                "POST", "/announcements", token: support,
                body: #"{"text":"Hello","to":{"person":"\#(ann.id)"}}"#, expecting: 201)
            while try await Announcements.step(at: now, in: world.pool) != nil {}
            let count = try await world.pool.query("SELECT count(*) FROM deliveries")
            #expect(try count.first?.decode(0, Int64.self) == 2)
            world.clock.now = now.adding(.seconds(24 * 3600 + 1))
            #expect(
                try await act("/endpoints/\(id)/disable", try await desk.token(.support)) == 200)
        }
    }

    @Test("bring an account back that can neither be exported nor deleted for three days, by any token")
    func guarded() async throws {
        try await DeskWorld.with { desk in
            let (world, ann) = (desk.world, try await desk.person("Ann"))
            let code = try await Self.give(desk, to: ann.id)
            var (token, next) = try await Self.recover(desk, code)
            #expect(try await Self.statuses(desk, token) == [403, 403])
            // Neither another token nor another code is a way around it.
            let other = try await world.send("POST", "/v1/me/tokens", token: token, body: #"{"name":"b"}"#)
            let made = try #require(try other.json()["token"]?.string)
            #expect(try await Self.statuses(desk, made) == [403, 403])
            let own = try await world.send("POST", "/v1/me/recovery-code", token: token)
            (token, next) = try await Self.recover(desk, try own.json()["recoveryCode"]?.string)
            #expect(try await Self.statuses(desk, token) == [403, 403])
            let left = try await world.pool.query(
                "SELECT guarded_until - now() BETWEEN '71 hours' AND '72 hours' FROM recovery_codes")
            #expect(try left.first?.decode(0, Bool.self) == true)
            try await world.pool.query("UPDATE recovery_codes SET guarded_until = now()")
            (token, next) = try await Self.recover(desk, next)
            #expect(try await Self.statuses(desk, token) == [200, 204])
        }
    }

    @Test("leave endpoints of before as they are for three days, so that the notice reaches them")
    func guardedEndpoints() async throws {
        try await DeskWorld.with { desk in
            let (world, ann) = (desk.world, try await desk.person("Ann"))
            func add(_ body: String, _ token: String) async throws -> (status: Int, id: String) {
                let made = try await world.send("POST", "/v1/endpoints", token: token, body: body)
                if made.status == 403 { #expect(made.problem == "recently-recovered") }
                return (made.status, try made.json()["id"]?.string ?? "")
            }
            func webhook(_ path: String) -> String {
                #"{"kind":"webhook","url":"https://example.org/\#(path)"}"#
            }
            let before = try await add(webhook("a"), ann.token)
            #expect(before.status == 201)
            let (browser, others) = (try EndpointSession.browser("1"), try EndpointSession.browser("1"))
            #expect(try await add(browser, ann.token).status == 201)
            try await world.pool.query("UPDATE endpoints SET created_at = now() - interval '1 hour'")
            let (token, _) = try await Self.recover(desk, try await Self.give(desk, to: ann.id))
            func removed(_ id: String) async throws -> Int {
                try await world.send("DELETE", "/v1/endpoints/\(id)", token: token).status
            }
            func rotated(_ id: String) async throws -> Int {
                try await world.send("POST", "/v1/endpoints/\(id)/secret", token: token).status
            }
            #expect(try await removed(before.id) == 403)
            #expect(try await rotated(before.id) == 403)
            // The same subscription changes nothing; with other keys, or for another account, it would.
            #expect(try await add(browser, token).status == 200)
            #expect(try await add(others, token).status == 403)
            let bea = try await world.signUp("Bea")
            #expect(try await add(browser, bea).status == 403)
            // An endpoint that is made since can be removed again.
            let later = try await add(webhook("b"), token)
            #expect(try await rotated(later.id) == 201)
            #expect(try await removed(later.id) == 204)
            try await world.pool.query("UPDATE recovery_codes SET guarded_until = now()")
            #expect(try await rotated(before.id) == 201)
            #expect(try await removed(before.id) == 204)
            #expect(try await add(browser, bea).status == 201)
        }
    }

    @Test("end with the code that the person makes, which guards nothing")
    func own() async throws {
        try await DeskWorld.withPerson { desk, ann in
            let given = try await Self.give(desk, to: ann.id)
            let own = try await desk.world.send("POST", "/v1/me/recovery-code", token: ann.token)
            try await desk.world.send(
                "POST", "/v1/recover", body: #"{"recoveryCode":"\#(given ?? "")"}"#, expecting: 401)
            let (token, _) = try await Self.recover(desk, try own.json()["recoveryCode"]?.string)
            #expect(try await Self.statuses(desk, token) == [200, 204])
        }
    }
}
