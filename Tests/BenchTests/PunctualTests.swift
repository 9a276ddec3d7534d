import Contract
import Testing

@testable import bench

/// Tests of what `bench punctual` computes beside its processes.
struct PunctualTests {
    @Test("each row of the help is known, and has the name that it was asked for by")
    func rows() throws {
        for name in PunctualRow.standard + PunctualRow.deliveries {
            #expect(try PunctualRow(name).name == name)
        }
        #expect(try PunctualRow("streams").measurement is StreamsMeasurement)
        #expect(try (PunctualRow("streams-200").measurement as? StreamsMeasurement)?.people == 200)
        #expect(try (PunctualRow("ordinary").measurement as? OrdinaryMeasurement)?.people == 1_000)
        #expect(try PunctualRow("dead-hosts").measurement is DeadHostsMeasurement)
        #expect((try PunctualRow("rush-asking-50").measurement as? RushMeasurement)?.asks == true)
        #expect((try PunctualRow("rush-50").measurement as? RushMeasurement)?.people == 50)
    }

    @Test(
        "a row that does not exist, or has no such size, is an error",
        arguments: [
            "", "-", "500", "dense", "dense-", "dense-501", "dense-2", "bulk-0", "bulk100", "streams-1000001",
            "dead-hosts-9", "bulk-1-2", "Ordinary",
        ])
    func strange(name: String) {
        #expect(throws: BenchError.self) { try PunctualRow(name) }
    }

    @Test("slots are on their grid, and open no sooner than they have to", arguments: [0, 1, 29, 30, 1_000])
    func slots(now: Int) {
        let slots = MeasuredSlots(opensAfter: 20, length: 30, lead: 15, count: 3, now: now)
        #expect(slots.start.isMultiple(of: 30) && slots.due == slots.start - 15)
        #expect(slots.due > now + 20 && slots.due <= now + 50)
        #expect(slots.starts == [slots.start, slots.start + 30, slots.start + 60])
        #expect(slots.timestamps.map(\.seconds) == slots.starts.map { Int64($0) })
    }

    @Test(
        "the rooms of an hour open when they are asked to, at the earliest an hour ahead",
        arguments: [(3_000, 3_600), (3_599, 3_634), (3_700, 3_735), (7_000, 7_035)])
    func lead(now: Int, due: Int) {
        var slots = MeasuredSlots(first: 7_200, length: 3_600, lead: 0, count: 1)
        slots.open(after: 35, now: now)
        #expect(slots.due == due)
    }

    @Test("a figure meets its target up to the limit", arguments: [(50.0, "yes"), (50.1, "no")])
    func line(value: Double, met: String) {
        let line = TableLine(figure: "a", measured: "b", bound: "c", target: "d", value: value, limit: 50)
        #expect(line.text == "| a | b | c | d | \(met) |")
    }

    @Test(
        "the median is the lower one of two in the middle",
        arguments: [([3.0], 3.0, 3.0), ([4, 1], 1, 4), ([9, 1, 5], 5, 9), ([4, 3, 2, 1], 2, 4)])
    func ranks(values: [Double], median: Double, largest: Double) {
        let found = TableLine.ranks(values)
        #expect(found.median == median && found.largest == largest)
    }

    @Test("the line of the lateness has every share, and no early one meets the target")
    func lateness() {
        let start = Timestamp(seconds: 3_600)
        var ledger = NoticeLedger(people: 2, slots: [start], lead: .zero)
        ledger.note(0, slot: start, at: start.adding(.milliseconds(4)))
        var findings = NoticeRun.Findings(ledger: ledger, lost: 0, reason: nil)
        #expect(
            findings.line("two", within: 100, bound: "c").text
                == "| two: `room.opened` at the client | p50 4.0, p90 4.0, p99 4.0, max 4.0 ms; "
                + "0 early, 1 missing, 0 twice | c | p99 ≤ 100 ms, never early | yes |")
        #expect(findings.lasts == [4.0])
        findings.ledger.note(1, slot: start, at: start.adding(.milliseconds(-1)))
        #expect(findings.line("two", within: 100, bound: "c").text.hasSuffix("| no |"))
    }

    @Test("the instant of a match is that of its line in the log")
    func matched() {
        let log = """
            no JSON, "matched"
            {"time":"2027-03-28T09:29:00.5Z","message":"planned","slot":"2027-03-28T09:30:00Z"}
            {"time":"2027-03-28T09:29:30.25Z","message":"matched","slot":"2027-03-28T09:30:00Z"}
            {"time":"2027-03-28T09:59:30Z","message":"matched","slot":"2027-03-28T10:00:00Z"}
            {"time":"2027-03-28T10:29:
            """
        let slot = Timestamp("2027-03-28T09:30:00Z")
        #expect(slot.flatMap { MeasuredServer.matched($0, log: log) } == Timestamp("2027-03-28T09:29:30.25Z"))
        #expect(MeasuredServer.matched(Timestamp(seconds: 0), log: log) == nil)
    }

    @Test("the times of psql are added up, also those of more than a second")
    func copyTimes() {
        #expect(CopyProbe.total("0\nTime: 1.500 ms\nCOPY 3\nTime: 1234.250 ms (00:01.234)\n") == 1_235.75)
        #expect(CopyProbe.total("") == 0)
    }

    @Test("statements are counted by who asks: scheduler, delivery worker, or signs of life")
    func statements() {
        let log = """
            mine LOG:  statement: SELECT 1
            mine LOG:  execute s1: SELECT clock_timestamp()
            mine LOG:  execute s2: SELECT least(a, b) FROM deliveries
            mine LOG:  execute s3: SELECT 10
            mine LOG:  execute s3: SELECT 10
            mine LOG:  duration: 1 ms
            other LOG:  statement: SELECT 5
            """
        let count = StatementCount(log, database: "mine")
        #expect(count.all == 5 && count.worker == 1 && count.scheduler == 2)
        #expect(count.summary.hasPrefix("2 SELECT 10; 1 SELECT 1; 1 SELECT clock_timestamp();"))
    }

    @Test(
        "thousands are separated",
        arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (10_050, "10,050"), (1_000_001, "1,000,001")])
    func grouped(number: Int, text: String) {
        #expect(number.grouped == text)
    }

    @Test(
        "digits after the point are rounded",
        arguments: [
            (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-1.25, 1, "-1.3"), (2.005, 0, "2"), (0.0625, 3, "0.063"),
        ])
    func digits(value: Double, digits: Int, text: String) {
        #expect(value.text(digits: digits) == text)
    }
}
