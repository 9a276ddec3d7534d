/// The findings of `bench deploy`, as one line of JSON.
struct DeployReport {
    let plan: DeployPlan
    var stock = DeployLedger.Stock()
    var resumed = 0
    var begunAnew = 0
    var surprises = 0
    /// The people who are back in their rooms at the end.
    var returned = 0
    /// The times of ales that were sent before the first restart, while servers restarted, and afterwards.
    var before = DurationHistogram()
    var during = DurationHistogram()
    var after = DurationHistogram()
    /// The nanoseconds that each server took to end, and to be ready again.
    var ends: [UInt64] = []
    var starts: [UInt64] = []

    /// Whether nothing went wrong: all members are back in the same run of the room, and each ale was heard
    /// once.
    var isFaultless: Bool {
        returned == plan.rooms * 2 && begunAnew == 0 && surprises == 0 && stock.lost == 0
            && stock.doubled == 0 && stock.unanswered == 0
    }

    var json: String {
        let fields: [(name: String, value: String)] = [
            ("servers", "\(plan.servers)"), ("rooms", "\(plan.rooms)"), ("rate", "\(plan.rate)"),
            ("ales", "\(stock.acknowledged + stock.unanswered)"), ("acknowledged", "\(stock.acknowledged)"),
            ("unanswered", "\(stock.unanswered)"), ("lost", "\(stock.lost)"), ("doubled", "\(stock.doubled)"),
            ("returned", "\(returned)"), ("recovered", "\(resumed)"), ("begun_anew", "\(begunAnew)"),
            ("doubtful", "\(stock.doubtful)"), ("surprises", "\(surprises)"),
            ("before_ms", Self.times(before)), ("deploy_ms", Self.times(during)),
            ("after_ms", Self.times(after)), ("end_ms", Self.list(ends)), ("start_ms", Self.list(starts)),
            ("fault", "\(!isFaultless)"),
        ]
        return "{" + fields.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private static func times(_ histogram: DurationHistogram) -> String {
        let parts = [
            ("ales", "\(histogram.count)"), ("p50", milliseconds(histogram.percentile(0.5))),
            ("p99", milliseconds(histogram.percentile(0.99))), ("max", milliseconds(histogram.largest)),
        ]
        return "{" + parts.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    private static func list(_ times: [UInt64]) -> String {
        "[" + times.map(milliseconds).joined(separator: ",") + "]"
    }

    /// Returns the time in milliseconds as text, with two digits after the point.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let hundredths = (nanoseconds + 5_000) / 10_000
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
