import Contract
import Glibc
import Reactor

/// People with a webhook each, all of them at one receiver. The lower bound is libcurl alone, as
/// `curl --parallel`, at a receiver of the same kind.
struct WebhooksMeasurement: PunctualMeasurement {
    let people: Int

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        let bare = try await bareSeconds(run)
        let hosts = WebhookHosts(people: people, hosts: 1)
        let (slots, findings) = try await hosts.measure(run, database, slots: run.slots)
        let lasts = findings.lasts.map { $0 ?? TableLine.missing }
        Output.note("The last of each slot: \(lasts.map { $0.text(digits: 1) }.joined(separator: ","))")
        let (median, worst) = TableLine.ranks(lasts)
        run.add(
            TableLine(
                figure: "\(people.grouped) people with a webhook each at one receiver, \(slots.count) slots: "
                    + "the last one handed over",
                measured: "median \(median.text(digits: 1)), worst \(worst.text(digits: 1)) ms; "
                    + "p50 of all \(findings.late(0.5).text(digits: 1)) ms",
                bound: "\(people.grouped) POSTs by `curl --parallel`: \((bare * 1_000).text(digits: 0)) ms",
                target: "≤ 1,000 ms", value: worst, limit: 1_000))
    }

    private func bareSeconds(_ run: PunctualRun) async throws -> Double {
        let port = try Loopback.freePort()
        let slots = MeasuredSlots(first: WallClock.seconds() - 1, length: 30, lead: 0, count: 1)
        let start = MeasuredSlots.text(slots.start)
        // The body is as long as a real one.
        let body = """
            {"type":"room.opened","timestamp":"\(start)","data":{"startsAt":"\(start)",\
            "socketUrl":"ws://\(String(repeating: "0", count: 400))"}}
            """
        let seconds = Lock(0.0)
        let last = people - 1
        _ = try await run.webhooks(WebhookHosts(people: people, hosts: 1).plan(slots, port: port)) {
            let took = try await Curl.postAll(
                "http://127.0.1.1:\(port)/[0-\(last)]", body: body, parallel: 128)
            seconds.withLock { $0 = took }
        }
        return seconds.withLock { $0 }
    }
}

/// People with webhooks at many hosts, a tenth of which do not answer. Three rounds with and without the
/// silent hosts, in turn: the result is the difference within a round.
struct DeadHostsMeasurement: PunctualMeasurement {
    private static let rounds = 3
    private static let peopleAtHost = 10

    private let hosts: Int
    private let silent: Int

    init?(hosts: Int) {
        guard (10...250).contains(hosts) else { return nil }
        silent = hosts / 10
        self.hosts = hosts - silent
    }

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        let each = (run.slots + 2) / 3
        var (beside, apart): ([Double], [Double]) = ([], [])
        for round in 1...Self.rounds {
            var tails: [Int: Double] = [:]
            for silent in round.isMultiple(of: 2) ? [0, silent] : [silent, 0] {
                let own = try await run.testbed.makeDatabase("\(database.name)_\(round)_\(silent)")
                let hosts = WebhookHosts(
                    people: hosts * Self.peopleAtHost, hosts: hosts, silent: silent,
                    peopleAtSilent: silent * Self.peopleAtHost)
                tails[silent] = try await hosts.measure(run, own, slots: each).findings.late(0.99)
                try await run.testbed.drop(own)
            }
            let (with, without) = (tails[silent] ?? 0, tails[0] ?? 0)
            Output.note(
                "Round \(round): p99 of \(without.text(digits: 1)) ms, and of \(with.text(digits: 1)) ms "
                    + "beside the \(silent) hosts.")
            beside.append(with)
            apart.append(with - without)
        }
        let median = TableLine.ranks(apart).median
        run.add(
            TableLine(
                figure: "\(hosts * Self.peopleAtHost) people at \(hosts) hosts, and "
                    + "\(silent * Self.peopleAtHost) at \(silent) that do not answer, "
                    + "three rounds of \(each) slots: p99 of the \(hosts * Self.peopleAtHost)",
                measured: "later by \(Self.list(apart)) ms than without the \(silent) hosts",
                bound: "p99 beside them: \(Self.list(beside)) ms", target: "median at most 100 ms later",
                value: median, limit: 100))
    }

    private static func list(_ values: [Double]) -> String {
        let texts = values.map { $0.text(digits: 1) }
        return texts.dropLast().joined(separator: ", ") + " and \(texts[texts.count - 1])"
    }
}

/// The hosts of the people's webhooks: some that answer, and some that are silent, with people of their own.
private struct WebhookHosts {
    let people: Int
    let hosts: Int
    var silent = 0
    var peopleAtSilent = 0

    /// Measures how late all people at the hosts that answer are told of so many slots.
    func measure(
        _ run: PunctualRun, _ database: BenchDatabase, slots count: Int
    ) async throws -> (slots: MeasuredSlots, findings: NoticeRun.Findings) {
        let port = try Loopback.freePort()
        try await database.addPeople(people + peopleAtSilent)
        try await add(to: database, port: port)
        let slots = MeasuredSlots(opensAfter: 15, length: 30, lead: 15, count: count)
        try await database.register(people + peopleAtSilent, for: slots)
        let server = try await MeasuredServer.start(on: run.testbed, database, slots, .webhooks)
        let findings = try await run.webhooks(plan(slots, port: port))
        await server.stop(SIGKILL)
        return (slots, findings)
    }

    func plan(_ slots: MeasuredSlots, port: UInt16) -> WebhookPlan {
        WebhookPlan(
            port: port, people: people, hosts: hosts, silent: silent, slots: slots.timestamps,
            lead: .seconds(slots.lead), patience: .seconds(60))
    }

    /// Writes one endpoint for each person; the last people's are at the silent hosts.
    private func add(to database: BenchDatabase, port: UInt16) async throws {
        try await database.run(
            """
            INSERT INTO endpoints (id, user_id, kind, address, host, types, secret, created_at)
            SELECT key(2, i), key(1, i), 'webhook', 'http://' || host || '/' || i - 1, host,
                ARRAY['room.opened'], sha256(i::text::bytea), now()
            FROM generate_series(1, \(people + peopleAtSilent)) AS i CROSS JOIN LATERAL (
                SELECT CASE WHEN i <= \(people) THEN '127.0.1.' || 1 + (i - 1) % \(hosts)
                    ELSE '127.0.2.' || 1 + (i - \(people) - 1) % \(max(silent, 1)) END
                    || ':' || \(port) AS host) AS place;
            """)
        try await database.settle()
    }
}
