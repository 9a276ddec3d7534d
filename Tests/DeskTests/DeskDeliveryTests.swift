import Contract
import Postgres
import Reactor
import Scheduling
import Testing

@testable import BackendTesting
@testable import Database

@Suite("What operators see and do of deliveries")
struct DeskDeliveryTests {
    /// A webhook with three deliveries: one that waits, one that was delivered, and one that was given up.
    private struct Hook {
        let owner: Identifier
        let endpoint: String
        /// The ids of the deliveries, in the order above.
        let deliveries: [Int64]
    }

    private static func hook(_ desk: DeskWorld) async throws -> Hook {
        let world = desk.world
        let token = try await world.signUp("Ann")
        let endpoint = try await world.addWebhook(token, "http://127.0.0.1:9/hook")
        let owner = try await world.pool.query("SELECT user_id FROM endpoints")[0].decode(0, Identifier.self)
        try await world.pool.query(
            """
            INSERT INTO deliveries (endpoint_id, priority, due_at)
            SELECT id, 1, $1 FROM endpoints CROSS JOIN generate_series(1, 3)
            """, [world.clock.now])
        let ids = try await world.pool.query("SELECT id FROM deliveries ORDER BY id")
            .map { try $0.decode(0, Int64.self) }
        try #require(ids.count == 3)
        for (id, outcome) in zip(ids.dropFirst(), ["delivered", "exhausted"]) {
            try await world.pool.query(
                "UPDATE deliveries SET settled_at = $2, outcome = $3, attempts = 4 WHERE id = $1",
                [id, world.clock.now, outcome])
        }
        return Hook(owner: owner, endpoint: try #require(endpoint["id"]?.string), deliveries: ids)
    }

    @Test("a list has those that its filters let through, the newest first")
    func filters() async throws {
        try await DeskWorld.with { desk in
            let ids = try await Self.hook(desk).deliveries
            let token = try await desk.token(.viewer)
            for (query, expected) in [
                ("", [2, 1, 0]), ("?state=waiting", [0]), ("?state=delivered", [1]), ("?state=failed", [2]),
                ("?state=retried", []), ("?channel=webhook", [2, 1, 0]), ("?channel=webpush", []),
                ("?host=127.0.0.1:9", [2, 1, 0]), ("?host=example.org", []), ("?limit=1", [2]),
                ("?state=&channel=&host=", [2, 1, 0]),
            ] {
                let list = try await desk.send("GET", "/deliveries\(query)", token: token).json()
                let found = list["deliveries"]?.array?.map { $0["id"]?.int }
                #expect(found == expected.map { ids[$0] }, "\(query)")
            }
            let page = try await desk.send("GET", "/deliveries?limit=1", token: token).json()
            let cursor = try #require(page["nextCursor"]?.string)
            let next = try await desk.send("GET", "/deliveries?limit=9&cursor=\(cursor)", token: token).json()
            #expect(next["deliveries"]?.array?.map { $0["id"]?.int } == [ids[1], ids[0]])
        }
    }

    @Test("neither a list nor one delivery shows the address of the receiver beyond its host")
    func addresses() async throws {
        try await DeskWorld.with { desk in
            let hook = try await Self.hook(desk)
            let token = try await desk.token(.admin)
            for path in [
                "/deliveries", "/deliveries/\(hook.deliveries[0])", "/delivery-hosts", "/endpoints",
            ] {
                let answer = try await desk.send("GET", path, token: token)
                #expect(answer.status == 200 && !answer.text.contains("/hook"), "\(path): \(answer.text)")
            }
            let one = try await desk.send("GET", "/deliveries/\(hook.deliveries[2])", token: token).json()
            #expect(one["outcome"]?.string == "exhausted" && one["attempts"]?.int == 4)
            #expect(one["personId"]?.string == "\(hook.owner)")
            #expect(one["host"]?.string == "127.0.0.1:9" && one["attemptList"]?.array == [])
        }
    }

    @Test("a host for which something waits is listed with its numbers, and not when nothing does")
    func hosts() async throws {
        try await DeskWorld.with { desk in
            _ = try await Self.hook(desk)
            let token = try await desk.token(.viewer)
            func hosts() async throws -> [JSONValue] {
                try await desk.send("GET", "/delivery-hosts", token: token).json()["hosts"]?.array ?? []
            }
            let host = try #require(try await hosts().first)
            #expect(host["channel"]?.string == "webhook" && host["host"]?.string == "127.0.0.1:9")
            #expect(host["waiting"]?.int == 1 && host["failing"]?.int == 0 && host["disabled"]?.int == 0)
            try await desk.world.pool.query(
                "UPDATE deliveries SET settled_at = now(), outcome = 'delivered' WHERE settled_at IS NULL")
            #expect(try await hosts().isEmpty)
        }
    }

    @Test("one that is over is made again, once, and the act is in the audit log")
    func replay() async throws {
        try await DeskWorld.with { desk in
            let hook = try await Self.hook(desk)
            let token = try await desk.token(.support)
            func replay(_ id: Int64) async throws -> Int {
                try await desk.send("POST", "/deliveries/\(id)/replay", token: token).status
            }
            #expect(try await replay(hook.deliveries[0]) == 409)
            #expect(try await replay(999_999) == 404)
            #expect(try await desk.actions() == [])
            let again = try await desk.send(
                "POST", "/deliveries/\(hook.deliveries[2])/replay", token: token)
            #expect(again.status == 200, "\(again.text)")
            #expect(try again.json()["outcome"]?.string == "waiting")
            #expect(try again.json()["attempts"]?.int == 0)
            #expect(desk.world.changeEvents.withLock { $0 }.contains(.notifications))
            #expect(try await replay(hook.deliveries[2]) == 409)
            #expect(try await desk.actions() == ["delivery.replay"])
            #expect(try await desk.verification().fault == nil)
        }
    }

    @Test(
        "one that would reach its receiver no more is not made again",
        arguments: [
            ("UPDATE deliveries SET expires_at = '2020-01-01Z'", "This delivery has expired"),
            ("UPDATE deliveries SET outcome = 'superseded' WHERE settled_at IS NOT NULL", "A later delivery"),
            ("UPDATE endpoints SET disabled_at = now(), reason = 'it is gone'", "is disabled: it is gone."),
        ])
    func refusals(change: String, words: String) async throws {
        try await DeskWorld.with { desk in
            let hook = try await Self.hook(desk)
            try await desk.world.pool.query(change)
            let refused = try await desk.send(
                "POST", "/deliveries/\(hook.deliveries[2])/replay", token: try await desk.token(.support))
            #expect(refused.status == 409 && refused.text.contains(words), "\(refused.text)")
            #expect(try await desk.actions() == [])
        }
    }

    @Test("an endpoint is disabled for a reason that its owner reads, and enabled again")
    func endpoint() async throws {
        try await DeskWorld.with { desk in
            let hook = try await Self.hook(desk)
            let (token, path) = (try await desk.token(.support), "/endpoints/\(hook.endpoint)")
            func act(_ verb: String, _ body: String? = nil) async throws -> RawHTTP.Response {
                try await desk.send("POST", "\(path)/\(verb)", token: token, body: body)
            }
            let wordless = try await act("disable")
            #expect(wordless.status == 422 && wordless.pointers == ["/reason"])
            #expect(try await act("enable").status == 409)
            let reason = #"{"reason":"It sends us too much"}"#
            let disabled = try await act("disable", reason)
            #expect(disabled.status == 200, "\(disabled.text)")
            #expect(try disabled.json()["reason"]?.string == "It sends us too much")
            #expect(try await act("disable", reason).status == 409)
            let list = try await desk.send("GET", "/endpoints?state=disabled", token: token).json()
            #expect(list["endpoints"]?.array?.map { $0["id"]?.string } == [hook.endpoint])
            let failing = try await desk.send("GET", "/endpoints?state=failing", token: token).json()
            #expect(failing["endpoints"]?.array == [])
            let enabled = try await act("enable")
            #expect(enabled.status == 200)
            #expect(try enabled.json()["disabledAt"] == .null)
            #expect(try await desk.actions() == ["endpoint.disable", "endpoint.enable"])
            let entries = try await desk.send(
                "GET", "/audit?subject=endpoint:\(hook.endpoint)", token: try await desk.token(.admin))
            #expect(try entries.json()["entries"]?.array?.count == 2)
        }
    }

    @Test("an endpoint that no longer exists is neither disabled, enabled nor tested")
    func unknown() async throws {
        try await DeskWorld.withToken(.support) { desk, token in
            let path = "/endpoints/0198c0de-0000-7000-8000-000000000001"
            for (verb, body) in [("disable", #"{"reason":"x"}"#), ("enable", nil), ("test", nil)] {
                let answer = try await desk.send("POST", "\(path)/\(verb)", token: token, body: body)
                #expect(answer.status == 404, "\(verb): \(answer.text)")
            }
            #expect(try await desk.actions() == [])
        }
    }

    @Test("a test is sent at once and says how it went, and the act is in the audit log")
    func test() async throws {
        let receiver = try await WebhookReceiver()
        try await DeskWorld.with { desk in
            let (token, _, _) = try await desk.world.personInRoom()
            let endpoint = try await desk.world.addWebhook(token, receiver.url)
            let id = try #require(endpoint["id"]?.string)
            try await desk.world.delivering {
                let answer = try await desk.send(
                    "POST", "/endpoints/\(id)/test", token: try await desk.token(.support))
                #expect(answer.status == 200, "\(answer.text)")
                #expect(try answer.json()["outcome"]?.string == "delivered")
            }
            #expect(try await desk.actions() == ["endpoint.test"])
        }
    }
}
