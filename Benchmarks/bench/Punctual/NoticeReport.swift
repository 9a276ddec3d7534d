/// The findings of event streams or of receivers of webhooks, as one line of JSON.
struct NoticeReport {
    let people: Int
    let findings: NoticeRun.Findings

    /// Whether all people were notified of every slot, once, and not before it was due.
    var isFaultless: Bool {
        let ledger = findings.ledger
        return ledger.isComplete && ledger.twice + ledger.early + ledger.strange == 0 && findings.lost == 0
    }

    var json: String {
        let ledger = findings.ledger
        let late = ledger.lateness
        let times = [
            ("p50", late.percentile(0.5)), ("p90", late.percentile(0.9)), ("p99", late.percentile(0.99)),
            ("max", late.largest),
        ]
        .map { "\"\($0.0)\":\(Self.milliseconds(Int64($0.1 / 1_000)))" }
        let lasts = ledger.lastOfSlot.map { $0.map(Self.milliseconds) ?? "null" }
        let fields: [(name: String, value: String)] = [
            ("people", "\(people)"), ("slots", "\(ledger.lastOfSlot.count)"),
            ("expected", "\(ledger.expected)"), ("told", "\(ledger.told)"),
            ("missing", "\(ledger.expected - ledger.told)"), ("twice", "\(ledger.twice)"),
            ("early", "\(ledger.early)"), ("strange", "\(ledger.strange)"), ("lost", "\(findings.lost)"),
            ("late_ms", "{\(times.joined(separator: ","))}"),
            ("last_ms", "[\(lasts.joined(separator: ","))]"), ("fault", "\(!isFaultless)"),
        ]
        return "{" + fields.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// Returns the microseconds as text in milliseconds, with one digit after the point.
    static func milliseconds(_ microseconds: Int64) -> String {
        let tenths = (microseconds.magnitude + 50) / 100
        return "\(microseconds < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
    }
}
