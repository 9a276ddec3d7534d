import Contract
import Testing

@testable import bench

struct NoticeLedgerTests {
    private static let start = Timestamp(seconds: 1_803_902_400)

    private static func plan(people: Int, slots: Int) -> NoticePlan {
        NoticePlan(
            port: 1, tokens: Array(repeating: "t", count: people),
            slots: (0..<slots).map { start.adding(.seconds(30 * $0)) }, lead: .seconds(15),
            patience: .seconds(1), parallel: 1)
    }

    private static func report(_ ledger: NoticeLedger, people: Int, lost: Int = 0) -> NoticeReport {
        NoticeReport(people: people, findings: .init(ledger: ledger, lost: lost, reason: nil))
    }

    @Test("lateness counts from the lead before the slot, each slot by itself")
    func lateness() {
        var ledger = NoticeLedger(Self.plan(people: 2, slots: 2))
        let due = Self.start.adding(.seconds(-15))
        ledger.note(0, slot: Self.start, at: due.adding(.milliseconds(3)))
        ledger.note(1, slot: Self.start, at: due.adding(.milliseconds(7)))
        let second = Self.start.adding(.seconds(30))
        ledger.note(1, slot: second, at: due.adding(.milliseconds(30_040)))
        #expect(!ledger.isComplete && ledger.told == 3 && ledger.expected == 4)
        ledger.note(0, slot: second, at: due.adding(.milliseconds(30_001)))
        #expect(ledger.isComplete)
        #expect(ledger.lastOfSlot == [7_000, 40_000])
        #expect(ledger.lateness.largest == 40_000_000)
        #expect(ledger.lateness.percentile(0.25) < 1_010_000)
        #expect(Self.report(ledger, people: 2).isFaultless)
    }

    @Test("who was told twice counts once, and is a fault")
    func twice() {
        var ledger = NoticeLedger(Self.plan(people: 1, slots: 1))
        ledger.note(0, slot: Self.start, at: Self.start)
        ledger.note(0, slot: Self.start, at: Self.start.adding(.seconds(1)))
        #expect(ledger.told == 1 && ledger.twice == 1 && ledger.isComplete)
        #expect(ledger.lastOfSlot == [15_000_000])
        #expect(!Self.report(ledger, people: 1).isFaultless)
    }

    @Test("a microsecond early is a fault, and on the instant is none", arguments: [(-1, 1), (0, 0)])
    func early(microseconds: Int, count: Int) {
        var ledger = NoticeLedger(Self.plan(people: 1, slots: 1))
        ledger.note(0, slot: Self.start, at: Self.start.adding(.seconds(-15) + .microseconds(microseconds)))
        #expect(ledger.early == count && ledger.lateness.largest == 0)
        #expect(Self.report(ledger, people: 1).isFaultless == (count == 0))
    }

    @Test("another slot than those that were asked about is a fault, and counts as a notice of none of them")
    func strange() {
        var ledger = NoticeLedger(Self.plan(people: 1, slots: 1))
        ledger.note(0, slot: Self.start.adding(.seconds(30)), at: Self.start)
        #expect(ledger.strange == 1 && ledger.told == 0 && ledger.lastOfSlot == [nil])
    }

    @Test("the report has one line, with null if no person was notified")
    func report() {
        var ledger = NoticeLedger(Self.plan(people: 1, slots: 2))
        ledger.note(0, slot: Self.start, at: Self.start.adding(.seconds(-15) + .microseconds(1_250)))
        #expect(
            Self.report(ledger, people: 1, lost: 1).json
                == #"{"people":1,"slots":2,"expected":2,"told":1,"missing":1,"twice":0,"early":0,"#
                + #""strange":0,"lost":1,"late_ms":{"p50":1.3,"p90":1.3,"p99":1.3,"max":1.3},"#
                + #""last_ms":[1.3,null],"fault":true}"#
        )
    }

    @Test(
        "milliseconds are rounded to a tenth, away from zero",
        arguments: [
            (0, "0.0"), (49, "0.0"), (50, "0.1"), (-49, "0.0"), (-50, "-0.1"), (999_950, "1000.0"),
        ] as [(Int64, String)])
    func milliseconds(microseconds: Int64, text: String) {
        #expect(NoticeReport.milliseconds(microseconds) == text)
    }
}
