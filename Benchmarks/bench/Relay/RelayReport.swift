/// The findings of a run, as one line of JSON. Figures that another generator gives too have the same names.
struct RelayReport {
    private let plan: RelayPlan
    var connected = 0
    var connectSeconds = 0.0
    var connectCPU = 0.0
    /// The server's memory before the connections; `idleBytes` is the memory with all of them idle.
    var emptyBytes = 0.0
    var idleBytes = 0.0
    /// The length of the measured window, in seconds.
    var seconds = 0.0
    var sent = 0
    var latency = DurationHistogram()
    private var cpuSeconds = 0.0
    private var userSeconds = 0.0
    private var systemSeconds = 0.0
    /// The tally of the whole run.
    var tally = Tally()
    var complaints: [String] = []

    init(_ plan: RelayPlan) { self.plan = plan }

    mutating func setServer(from start: ServerProcess, to end: ServerProcess) {
        cpuSeconds = end.seconds - start.seconds
        userSeconds = end.userSeconds - start.userSeconds
        systemSeconds = end.systemSeconds - start.systemSeconds
    }

    /// The CPU time of the servers for each delivery.
    var cpuMicroseconds: Double { cpuSeconds * 1e6 / max(1, Double(latency.count)) }

    var isFaultless: Bool { tally.isFaultless && connected == plan.memberCount }

    var json: String {
        var fields: [(name: String, value: String)] = [
            ("connections", "\(plan.memberCount)"), ("connected", "\(connected)"),
            ("rooms", "\(plan.roomCount)"), ("room_size", "\(plan.roomSize)"), ("version", "\(plan.version)"),
        ]
        switch plan.load {
        case .closed(let inFlight): fields += [("mode", "\"closed\""), ("inflight", "\(inFlight)")]
        case .open(let rate): fields += [("mode", "\"open\""), ("rate", rate.text(digits: 0))]
        }
        fields.append(("handshakes_per_s", ratio(Double(connected), connectSeconds, 0)))
        if plan.duration > 0 { fields += loadFields }
        if !plan.serverProcesses.isEmpty { fields += serverFields }
        fields += tallyFields
        return "{" + fields.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private var loadFields: [(name: String, value: String)] {
        let latencies = [
            "\"mean\":\((latency.mean / 1e3).text(digits: 1))", "\"p50\":\(microseconds(0.5))",
            "\"p90\":\(microseconds(0.9))", "\"p99\":\(microseconds(0.99))",
            "\"max\":\((Double(latency.largest) / 1e3).text(digits: 1))",
        ]
        return [
            ("seconds", seconds.text(digits: 3)),
            ("deliveries", "\(latency.count)"),
            ("deliveries_per_s", ratio(Double(latency.count), seconds, 0)),
            ("ales_per_s", ratio(Double(sent), seconds, 0)),
            ("lat_us", "{\(latencies.joined(separator: ","))}"),
        ]
    }

    private var serverFields: [(name: String, value: String)] {
        let deliveries = Double(latency.count)
        return [
            ("server_cpu_us_per_delivery", ratio(cpuSeconds * 1e6, deliveries, 3)),
            ("server_user_us", ratio(userSeconds * 1e6, deliveries, 3)),
            ("server_sys_us", ratio(systemSeconds * 1e6, deliveries, 3)),
            ("server_cpu_cores", ratio(cpuSeconds, seconds, 3)),
            ("handshake_cpu_us", ratio(connectCPU * 1e6, Double(connected), 2)),
            ("rss_base_kb", (emptyBytes / 1024).text(digits: 0)),
            ("rss_idle_kb", (idleBytes / 1024).text(digits: 0)),
            ("rss_bytes_per_conn", ratio(idleBytes - emptyBytes, Double(connected), 0)),
        ]
    }

    private var tallyFields: [(name: String, value: String)] {
        [
            ("ales_total", "\(tally.sent)"), ("received_total", "\(tally.received)"),
            ("probes", "\(tally.probes)"),
            ("lost", "\(tally.lost)"), ("late", "\(tally.late)"), ("echoed", "\(tally.echoed)"),
            ("misrouted", "\(tally.misrouted)"), ("doubled", "\(tally.doubled)"),
            ("unexplained", "\(tally.unexplained)"), ("errors", "\(tally.errors)"),
            ("unsent", "\(tally.unsent)"),
            ("fault", "\(!isFaultless)"),
        ]
    }

    private func microseconds(_ share: Double) -> String {
        (Double(latency.percentile(share)) / 1e3).text(digits: 1)
    }

    private func ratio(_ value: Double, _ divisor: Double, _ digits: Int) -> String {
        divisor > 0 ? (value / divisor).text(digits: digits) : "null"
    }
}
