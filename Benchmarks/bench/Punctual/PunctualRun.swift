import Contract
import Reactor

/// The measurements so far: their figures, and how many runs were wrong.
final class PunctualRun {
    let testbed: Testbed
    /// The number of slots of `ordinary`, `webhooks` and `dead-hosts`.
    let slots: Int
    /// The seconds without work of `idle`.
    let idleSeconds: Int
    private(set) var lines: [TableLine] = []
    private(set) var faults = 0

    init(_ testbed: Testbed, slots: Int, idleSeconds: Int) {
        self.testbed = testbed
        self.slots = slots
        self.idleSeconds = idleSeconds
    }

    /// Runs a measurement in a database of its own.
    func measure(_ row: PunctualRow) async throws {
        Output.note("\(row.name) …")
        let name = row.name.split(separator: "-").joined(separator: "_")
        let database = try await testbed.makeDatabase("bench_\(name)")
        try await row.measurement.measure(self, database)
        await testbed.clear()
        try await testbed.drop(database)
    }

    func add(_ line: TableLine) {
        lines.append(line)
        Output.note(line.text)
    }

    func fault(_ reason: String) {
        faults += 1
        Output.note(reason)
    }

    /// Holds an event stream for each of people 1 and on; returns nil when that failed, which is a fault.
    func notices(
        people: Int, slots: MeasuredSlots, at server: MeasuredServer, in database: BenchDatabase
    ) async throws -> NoticeRun.Findings? {
        let plan = NoticePlan(
            port: server.port, tokens: try await database.tokens(1...people), slots: slots.timestamps,
            lead: .seconds(slots.lead), patience: .seconds(60), parallel: 200)
        let group = try EventLoopGroup(count: 1, name: "notices")
        defer { group.shutdown() }
        do {
            let findings = try await NoticeRun.run(
                plan, to: try Loopback.address(port: plan.port), on: group.loops[0])
            check(findings, people: people)
            return findings
        } catch {
            fault("Wrong: \(error)")
            return nil
        }
    }

    /// Takes the plan's webhooks, beside the work, which begins once all hosts listen.
    func webhooks(
        _ plan: WebhookPlan, beside work: @Sendable () async throws -> Void = {}
    ) async throws -> NoticeRun.Findings {
        let group = try EventLoopGroup(count: 1, name: "webhooks")
        defer { group.shutdown() }
        let findings = try await WebhookRun.run(plan, on: group.loops[0], beside: work)
        check(findings, people: plan.people)
        return findings
    }

    private func check(_ findings: NoticeRun.Findings, people: Int) {
        let report = NoticeReport(people: people, findings: findings)
        if !report.isFaultless { fault("Wrong: \(report.json) \(findings.reason ?? "")") }
    }
}

extension NoticeRun.Findings {
    /// Returns the lateness in milliseconds that so large a share was told within; all of them for 1.
    func late(_ share: Double) -> Double {
        Double(share < 1 ? ledger.lateness.percentile(share) : ledger.lateness.largest) / 1e6
    }

    /// The lateness in milliseconds of the last one told of each slot; nil if none was.
    var lasts: [Double?] { ledger.lastOfSlot.map { $0.map { Double($0) / 1_000 } } }

    var wrongs: String {
        "\(ledger.early) early, \(ledger.expected - ledger.told) missing, \(ledger.twice) twice"
    }

    /// Returns the line of how late those people were told, for a limit of the 99th percentile.
    func line(_ figure: String, within limit: Double, bound: String) -> TableLine {
        let shares = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1)]
        let times = shares.map { "\($0.0) \(late($0.1).text(digits: 1))" }.joined(separator: ", ")
        return TableLine(
            figure: "\(figure): `room.opened` at the client", measured: "\(times) ms; \(wrongs)",
            bound: bound,
            target: "p99 ≤ \(limit.text(digits: 0)) ms, never early",
            value: ledger.early == 0 ? late(0.99) : TableLine.missing, limit: limit)
    }
}
