import API
import Codecs
import Contract
import Outbox
import Postgres
import Reactor
import Scheduling
import Testing

@testable import BackendTesting
@testable import Database

@Suite("The replay of failed deliveries at the desk")
struct DeskReplayTests {
    /// Makes a webhook of a new account at a host, with one delivery for each outcome, all of which ended at
    /// the instant; nil: one that waits. Returns the endpoint and the ids of its deliveries.
    private static func hook(
        _ desk: DeskWorld, _ name: String, host: String, _ outcomes: [String?], endedAt: Timestamp
    ) async throws -> (endpoint: String, deliveries: [Int64]) {
        let world = desk.world
        let endpoint = try await world.addWebhook(try await world.signUp(name), "http://127.0.0.1:9/hook")
        let id = try #require(endpoint["id"]?.string)
        try await world.pool.query("UPDATE endpoints SET host = $2 WHERE id = $1::uuid", [id, host])
        var deliveries: [Int64] = []
        for (number, outcome) in outcomes.enumerated() {
            let row = try await world.pool.query(
                """
                INSERT INTO deliveries
                    (endpoint_id, notification_id, priority, due_at, settled_at, outcome, attempts)
                VALUES ($1::uuid, $2, 0, $3, $4, $5, 3) RETURNING id
                """,
                [id, Int64(number + 1), world.clock.now, outcome == nil ? nil : endedAt, outcome])[0]
            deliveries.append(try row.decode(0, Int64.self))
        }
        return (id, deliveries)
    }

    /// Returns the ids of the replayed deliveries that wait for their first attempt.
    private static func replayed(_ desk: DeskWorld) async throws -> [Int64] {
        try await desk.world.pool.query(
            """
            SELECT id FROM deliveries
            WHERE settled_at IS NULL AND attempts = 0 AND priority = \(BulkReplay.priority) ORDER BY id
            """
        ).map { try $0.decode(0, Int64.self) }
    }

    private static let failures = ["exhausted", "refused", "expired", "gone"]

    @Test("makes those of a host due again that failed since the time, for all accounts, and no others")
    func host() async throws {
        try await DeskWorld.with { desk in
            let now = desk.world.clock.now
            let (before, after) = (now.adding(.seconds(-120)), now.adding(.seconds(-30)))
            let since = now.adding(.seconds(-60))
            let ann = try await Self.hook(
                desk, "Ann", host: "a", Self.failures + ["delivered", "superseded", nil], endedAt: after)
            let bob = try await Self.hook(desk, "Bob", host: "a", ["exhausted"], endedAt: after)
            _ = try await Self.hook(desk, "Cid", host: "a", ["exhausted"], endedAt: before)
            _ = try await Self.hook(desk, "Dee", host: "b", ["exhausted"], endedAt: after)
            let eve = try await Self.hook(desk, "Eve", host: "a", ["gone"], endedAt: after)
            try await desk.world.pool.query(
                "UPDATE endpoints SET disabled_at = $2, reason = 'gone' WHERE id = $1::uuid",
                [eve.endpoint, now])
            let late = try await Self.hook(desk, "Fay", host: "a", ["exhausted"], endedAt: after)
            try await desk.world.pool.query(
                "UPDATE deliveries SET expires_at = $2 WHERE id = $1", [late.deliveries[0], now])
            let body = #"{"host":"a","since":"\#(since)"}"#
            try await desk.send(
                "POST", "/delivery-replays", token: try await desk.token(.viewer), body: body, expecting: 403)
            let answer = try await desk.send(
                "POST", "/delivery-replays", token: try await desk.token(.support), body: body)
            #expect(answer.status == 200, "\(answer.text)")
            let json = try answer.json()
            #expect(json["deliveries"]?.int == 5 && json["disabled"]?.int == 1)
            #expect(json["nextCursor"] == nil && json["isFull"]?.bool == false)
            #expect(try await Self.replayed(desk) == Array(ann.deliveries.prefix(4)) + bob.deliveries)
            #expect(desk.world.changeEvents.withLock { $0 }.contains(.notifications))
            #expect(try await desk.actions() == ["deliveries.replay"])
            #expect(try await desk.verification().fault == nil)
        }
    }

    @Test("makes those of one endpoint due again, and continues after a cursor")
    func endpoint() async throws {
        try await DeskWorld.with { desk in
            let now = desk.world.clock.now
            let ended = now.adding(.seconds(-30))
            let ann = try await Self.hook(desk, "Ann", host: "a", Self.failures, endedAt: ended)
            _ = try await Self.hook(desk, "Bob", host: "a", ["exhausted"], endedAt: ended)
            let token = try await desk.token(.support)
            func replay(_ members: String) async throws -> RawHTTP.Response {
                try await desk.send("POST", "/delivery-replays", token: token, body: "{\(members)}")
            }
            let (target, since) = (#""endpointId":"\#(ann.endpoint)""#, #""since":"\#(ended)""#)
            for (members, pointer) in [
                (target, "/since"), (since, "/endpointId"), (#"\#(target),"since":"x""#, "/since"),
                (#"\#(target),\#(since),"cursor":"x""#, "/cursor"),
            ] {
                let refused = try await replay(members)
                #expect(refused.status == 422 && refused.pointers == [pointer], "\(refused.text)")
            }
            let unknown = #""endpointId":"0198c0de-0000-7000-8000-000000000001""#
            #expect(try await replay("\(unknown),\(since)").status == 404)
            let early = #"\#(target),\#(since),"until":"\#(ended.adding(.seconds(-1)))""#
            #expect(try await replay(early).json()["deliveries"]?.int == 0)
            // All ended at one instant: the cursor is after the second one.
            let cursor = "\(ended.microseconds).\(ann.deliveries[1])"
            let rest = try await replay(#"\#(target),\#(since),"cursor":"\#(cursor)""#)
            #expect(try rest.json()["deliveries"]?.int == 2, "\(rest.text)")
            #expect(try await Self.replayed(desk) == Array(ann.deliveries.dropFirst(2)))
            #expect(try await replay("\(target),\(since)").json()["deliveries"]?.int == 2)
            #expect(try await Self.replayed(desk) == ann.deliveries)
        }
    }

    @Test("does nothing while too many replayed deliveries wait, and says so")
    func full() async throws {
        try await DeskWorld.with { desk in
            let ended = desk.world.clock.now.adding(.seconds(-30))
            let ann = try await Self.hook(desk, "Ann", host: "a", ["exhausted"], endedAt: ended)
            try await desk.world.pool.query(
                """
                INSERT INTO deliveries (endpoint_id, notification_id, priority, due_at)
                SELECT $1::uuid, number, \(BulkReplay.priority), $2
                FROM generate_series(2, $3::int8 + 1) AS number
                """, [ann.endpoint, ended, Int64(BulkReplay.mostWaiting)])
            let body = #"{"host":"a","since":"\#(ended)"}"#
            let token = try await desk.token(.support)
            func replay() async throws -> JSONValue {
                try await desk.send("POST", "/delivery-replays", token: token, body: body).json()
            }
            let full = try await replay()
            #expect(full["isFull"]?.bool == true && full["deliveries"]?.int == 0)
            try await desk.world.pool.query(
                "DELETE FROM deliveries WHERE notification_id = $1", [Int64(BulkReplay.mostWaiting)])
            let made = try await replay()
            #expect(made["isFull"]?.bool == false && made["deliveries"]?.int == 1)
        }
    }

    @Test("makes deliveries that may wait: they count, and neither a metric nor the desk finds them late")
    func patient() async throws {
        try await DeskWorld.with { desk in
            let world = desk.world
            let now = world.clock.now
            _ = try await Self.hook(
                desk, "Ann", host: "a", ["exhausted"], endedAt: now.adding(.seconds(-30)))
            let answer = try await desk.send(
                "POST", "/delivery-replays", token: try await desk.token(.support),
                body: #"{"host":"a","since":"\#(now.adding(.seconds(-60)))"}"#)
            #expect(try answer.json()["deliveries"]?.int == 1, "\(answer.text)")
            func find() async throws -> [Int] {
                let later = now.adding(.seconds(600))
                let figures = try await EndpointFigures.read(from: world.pool, at: later)
                let shown = try #require(try await DeskFigures.read(lead: 300, at: later, in: world.pool))
                return [
                    figures["deliveries_waiting"], Int(shown.waiting), figures["deliveries_oldest_seconds"],
                    Int(shown.oldestSeconds),
                ]
            }
            #expect(try await find() == [1, 1, 0, 0])
            _ = try await Self.hook(desk, "Bob", host: "a", [nil], endedAt: now)
            #expect(try await find() == [2, 2, 600, 600])
        }
    }

    @Test("makes no delivery wait that was due later: the replayed ones are claimed last")
    func order() async throws {
        try await DeskWorld.with { desk in
            let world = desk.world
            let (now, clock) = (world.clock.now, world.clock)
            let ended = now.adding(.seconds(-30))
            let ann = try await Self.hook(desk, "Ann", host: "a", ["exhausted", "exhausted"], endedAt: ended)
            let body = #"{"host":"a","since":"\#(ended)"}"#
            try await desk.send(
                "POST", "/delivery-replays", token: try await desk.token(.support), body: body,
                expecting: 200)
            let bob = try await Self.hook(desk, "Bob", host: "a", [], endedAt: ended)
            // A test, whose content needs no notification.
            try await world.pool.query(
                "INSERT INTO deliveries (endpoint_id, priority, due_at) VALUES ($1::uuid, 2, $2)",
                [bob.endpoint, now.adding(.seconds(5))])
            try await world.pool.query("UPDATE deliveries SET notification_id = NULL")
            world.clock.now = now.adding(.seconds(10))
            let store = PostgresOutboxStore(
                name: "one", pool: world.pool, reader: NotificationReader(tickets: world.application.tickets),
                now: { clock.now })
            try await store.renew(for: .seconds(60))
            let bounds = ClaimBounds(others: 1_000)
            #expect(try await store.nextDue(bounds: bounds) == now)
            let first = try await store.claim(limit: 1, bounds: bounds)
            #expect(first.map(\.priority) == [2])
            let rest = try await store.claim(limit: 10, bounds: bounds)
            #expect(rest.map(\.id) == ann.deliveries)
        }
    }
}
