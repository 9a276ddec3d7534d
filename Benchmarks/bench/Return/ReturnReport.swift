import Glibc

/// The findings of `bench return`, as one line of JSON.
struct ReturnReport {
    let plan: ReturnPlan
    /// The time from the signal to the first successful answer of `/readyz`, in nanoseconds.
    var away: UInt64 = 0
    /// The times from that answer until each client was in its room.
    var returns = DurationHistogram()
    var returned = 0
    /// The number of returned clients that missed only ales that the server still had.
    var resumed = 0
    /// The number of connections that will not come back.
    var closed = 0
    /// The ales sent while all were in their rooms before the restart, while none was, and while all were
    /// again.
    var before = ReturnLedger.Stock()
    var during = ReturnLedger.Stock()
    var after = ReturnLedger.Stock()
    /// The number of duplicates that the library suppressed.
    var suppressed = 0
    /// The number of events that were dropped since the bench was too slow.
    var missed = 0
    /// The process id of the new server, which keeps running.
    var newProcess: pid_t = 0

    private var stocks: [ReturnLedger.Stock] { [before, during, after] }

    /// Whether nothing went wrong. An ale of the outage may be lost: a server that was killed has no log for
    /// those who come back later than its sender.
    var isFaultless: Bool {
        returned == plan.paths.count && before.lost + after.lost == 0 && missed == 0
            && stocks.allSatisfy { $0.doubled == 0 }
    }

    var json: String {
        let times = [
            ("p50", returns.percentile(0.5)), ("p99", returns.percentile(0.99)), ("max", returns.largest),
        ]
        .map { "\"\($0.0)\":\(Self.milliseconds($0.1))" }
        let fields: [(name: String, value: String)] = [
            ("clients", "\(plan.paths.count)"), ("room_size", "\(plan.roomSize)"),
            ("signal", plan.signal == SIGKILL ? "\"KILL\"" : "\"TERM\""),
            ("away_ms", Self.milliseconds(away)), ("return_ms", "{\(times.joined(separator: ","))}"),
            ("returned", "\(returned)"), ("resumed", "\(resumed)"), ("closed", "\(closed)"),
            ("ales", "\(stocks.map(\.sent).reduce(0, +))"), ("lost", "\(stocks.map(\.lost).reduce(0, +))"),
            ("lost_before", "\(before.lost)"), ("lost_during", "\(during.lost)"),
            ("lost_after", "\(after.lost)"), ("doubled", "\(stocks.map(\.doubled).reduce(0, +))"),
            ("suppressed", "\(suppressed)"), ("missed", "\(missed)"), ("server_pid", "\(newProcess)"),
            ("fault", "\(!isFaultless)"),
        ]
        return "{" + fields.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// Returns the time in milliseconds as text, with one digit after the point.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let tenths = (nanoseconds + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
