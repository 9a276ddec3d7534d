import Codecs
import Contract
import HTTP1
import HTTPServer
import Postgres
import PostgresTesting
import Reactor
import Scheduling
import Testing

@testable import Backend
@testable import BackendTesting

@Suite("Metrics")
struct MetricsTests {
    private static func page(_ figures: [Figure]) -> [Substring] { figures.text.split(separator: "\n") }

    @Test("methods that clients invent share one count, and what is no request has one")
    func methods() {
        let requests = RequestMetrics()
        for word in ["GET", "BREW", "\"}\n", "POST", "brew"] {
            requests.add(method: HTTPMethod(rawValue: word), route: nil, status: 404, seconds: 0)
        }
        requests.add(method: nil, route: nil, status: 400, seconds: 0)
        let lines = Self.page(requests.current.figures)
        for line in [
            "letsswitch_http_requests_total{method=\"other\",status=\"404\"} 3",
            "letsswitch_http_requests_total{method=\"none\",status=\"400\"} 1",
            "letsswitch_http_route_requests_total{method=\"other\",route=\"none\",status=\"404\"} 3",
            "letsswitch_http_request_duration_seconds_count 6",
        ] {
            #expect(lines.contains(Substring(line)), "\(line)")
        }
        #expect(lines.filter { $0.contains("route_requests_total{") }.count == 4)
    }

    @Test("requests are counted by route, and the routes together are all of them")
    func routes() throws {
        var router = Router()
        for path in ["/v1/slots", "/v1/slots/{startsAt}"] {
            router.immediate(.get, path) { _ in HTTPResponse(status: 200) }
        }
        let requests = RequestMetrics()
        // The later one comes first.
        for path in ["/v1/slots/today", "/v1/slots/now", "/v1/slots"] {
            guard case .found(_, let route, _, _) = try router.match(.get, path) else {
                return #expect(Bool(false))
            }
            requests.add(method: .get, route: route, status: 200, seconds: 0.002)
        }
        let lines = Self.page(requests.current.figures).filter { !$0.hasPrefix("#") }
        let name = "letsswitch_http_route_requests_total"
        #expect(
            lines.prefix(3) == [
                "letsswitch_http_requests_total{method=\"GET\",status=\"200\"} 3",
                "\(name){method=\"GET\",route=\"/v1/slots\",status=\"200\"} 1",
                "\(name){method=\"GET\",route=\"/v1/slots/{startsAt}\",status=\"200\"} 2",
            ])
    }

    @Test("a stream is counted, and its length is not how long an answer took")
    func streams() {
        let requests = RequestMetrics()
        requests.add(method: .get, route: nil, status: 200, seconds: 0.002)
        requests.add(method: .get, route: nil, status: 200, seconds: nil)
        let lines = Self.page(requests.current.figures)
        #expect(lines.contains("letsswitch_http_requests_total{method=\"GET\",status=\"200\"} 2"))
        #expect(lines.contains("letsswitch_http_request_duration_seconds_count 1"))
    }

    @Test("figures that the database counts are on the page of metrics alone")
    func ownFigures() async throws {
        try await RESTWorld.with { world in
            let metrics = await [Figure](of: [world.deliveries], stored: true)
            let own = await [Figure](of: [world.deliveries])
            for (page, hasCount) in [(metrics, true), (own, false)] {
                #expect(page.text.contains("letsswitch_deliveries_in_flight 0\n"))
                #expect(page.text.contains("letsswitch_deliveries_waiting 0\n") == hasCount)
            }
        }
    }

    @Test("a loop that stands still has as many lags as one that does not", .timeLimit(.minutes(1)))
    func standstill() async throws {
        let group = try EventLoopGroup(count: 1, name: "still")
        let lags = LoopLags(group.loops)
        while lags.current[0].seconds.count == 0 { await Task.yield() }
        let before = lags.current[0].seconds
        group.loops[0].execute {
            let until = Monotonic.nanoseconds() + 2_000_000_000
            while Monotonic.nanoseconds() < until {}
        }
        while lags.current[0].seconds.count == before.count { await Task.yield() }
        let after = lags.current[0].seconds
        // Seven or eight looks in two seconds, late by 1.75 s to 2 s, by a quarter less, and so on.
        #expect(after.count - before.count >= 7, "\(after.count - before.count)")
        #expect(after.sum - before.sum > 6, "\(after.sum - before.sum)")
        group.shutdown()
    }

    @Test("a loop that is held up has a lag", .timeLimit(.minutes(1)))
    func lag() async throws {
        let group = try EventLoopGroup(count: 2, name: "lag")
        let lags = LoopLags(group.loops)
        while !lags.current.allSatisfy({ $0.seconds.count > 0 }) { await Task.yield() }
        let before = lags.current
        // This holds up one loop for longer than its timer sleeps.
        group.loops[0].execute {
            let until = Monotonic.nanoseconds() + 600_000_000
            while Monotonic.nanoseconds() < until {}
        }
        while lags.current[0].seconds.count < before[0].seconds.count + 2 { await Task.yield() }
        let after = lags.current
        #expect(after.map(\.name) == ["lag-0", "lag-1"])
        #expect(after[0].seconds.sum - before[0].seconds.sum > 0.3)
        #expect(after[1].seconds.count > 0)
        group.shutdown()
        let lines = Self.page([lags.figure])
        #expect(
            lines.contains {
                $0.hasPrefix("letsswitch_loop_lag_seconds_bucket{loop=\"lag-0\",le=\"0.0025\"}")
            })
    }

    @Test("a queue of change events tells what waits, and how long the oldest took", .timeLimit(.minutes(1)))
    func queue() async {
        let queue = ChangeQueue()
        #expect(queue.figures.waiting == 0 && queue.figures.received == 0)
        for _ in 0..<3 { queue.add(.presence) }
        queue.add(.user(Identifier(value: 1)))
        #expect(queue.figures.received == 4 && queue.figures.waiting == 2)
        #expect(queue.figures.delays.count == 0)
        let waited = Monotonic.nanoseconds() + 30_000_000
        while Monotonic.nanoseconds() < waited {}
        #expect(queue.figures.oldestSeconds >= 0.03)
        struct Failure: Error {}
        let tries = Lock(0)
        let ages = Lock<[Double]>([])
        let run = Task {
            await queue.run("hints", pause: { _ in }) { _ in
                let number = tries.withLock { tries in
                    tries += 1
                    return tries
                }
                let until = Monotonic.nanoseconds() + 30_000_000
                while Monotonic.nanoseconds() < until {}
                ages.withLock { $0.append(queue.figures.oldestSeconds) }
                // A change event whose handling failed has waited since it came.
                if number < 3 { throw Failure() }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await run.value
        let delays = queue.figures.delays
        #expect(delays.count == 1 && delays.sum >= 0.09, "\(delays.sum)")
        #expect(queue.figures.waiting == 0 && queue.figures.oldestSeconds == 0)
        // While it is handled it is not handled yet.
        for (age, least) in zip(ages.withLock { $0 }, [0.06, 0.09, 0.12]) {
            #expect(age >= least, "\(age)")
        }
    }

    @Test("a pool tells who has a connection, who waits, for how long, and who got none")
    func pool() async throws {
        try await TestDatabase.with { database in
            var configuration = database.configuration
            configuration.poolSize = 1
            configuration.waiters = WaiterBudget(maximum: 1)
            let pool = PostgresPool(configuration, on: database.loop)
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await pool.withConnection { _ in
                    let alone = await pool.figures
                    #expect(alone.leased == 1 && alone.idle == 0 && alone.waiting == 0 && alone.size == 1)
                    group.addTask { try await pool.query("SELECT 1") }
                    while await pool.figures.waiting == 0 { await Task.yield() }
                    // No other caller may wait.
                    await #expect(throws: PostgresError.self) { try await pool.query("SELECT 2") }
                    let until = Monotonic.nanoseconds() + 30_000_000
                    while Monotonic.nanoseconds() < until { await Task.yield() }
                    let waiting = await pool.figures
                    #expect(waiting.refusals == 1 && waiting.waits.count == 1)
                }
                try await group.waitForAll()
            }
            let after = await pool.figures
            #expect(after.leased == 0 && after.idle == 1 && after.waiting == 0)
            #expect(after.waits.count == 2 && after.waits.sum >= 0.03)
            let pools = DatabasePools(groups: [.init(name: "two", pools: [pool, pool])])
            let text = await pools.figures().text
            #expect(text.contains("\nletsswitch_database_connections{pool=\"two\",state=\"idle\"} 2\n"))
            #expect(text.contains("\nletsswitch_database_refusals_total{pool=\"two\"} 2\n"))
            await pool.shutdown()
        }
    }
}
