import Reactor

/// Rooms that are entered at their owner, and through another server, beside those of a single server. The
/// three take turns.
struct TunnelMeasurement {
    private static let rooms = 1_000
    /// The ales a second of the open loop, whose latency is that of servers that are not busy.
    private static let rate = 2_000.0

    /// One way to the rooms, and what each round has found.
    private struct Subject {
        let name: String
        let port: UInt16
        let paths: [String]
        let processes: [Int]
        /// The CPU time of a delivery in microseconds, of servers that are busy and of servers that are not.
        var busy: [Double] = []
        var calm: [Double] = []
        /// The median latency in microseconds, of servers that are not busy.
        var latency: [Double] = []

        init(_ name: String, _ entered: MeasuredServer, _ scene: ClusterScene, besides: MeasuredServer? = nil)
        {
            self.name = name
            port = entered.port
            paths = scene.paths
            processes = [entered, besides].compactMap { $0.map { Int($0.process.processID) } }
        }
    }

    static func measure(_ run: ClusterRun) async throws {
        let alone = try await ClusterScene.make("alone", rooms: rooms, on: run.testbed, core: 0)
        let several = try await ClusterScene.make("several", rooms: rooms, on: run.testbed, core: 0)
        let guest = try await several.join("guest")
        var subjects = [
            Subject("a single server", alone.owner, alone),
            Subject("at the owner", several.owner, several),
            Subject("through another server", guest, several, besides: several.owner),
        ]
        for round in 1...run.plan.rounds {
            for index in subjects.indices { try await load(&subjects[index], run, round) }
        }
        report(subjects, run)
        try await several.end()
    }

    private static func load(_ subject: inout Subject, _ run: ClusterRun, _ round: Int) async throws {
        let busy = try await relay(subject, run, .closed(inFlight: 1))
        let calm = try await relay(subject, run, .open(perSecond: rate))
        subject.busy.append(busy.cpuMicroseconds)
        subject.calm.append(calm.cpuMicroseconds)
        subject.latency.append(Double(calm.latency.percentile(0.5)) / 1e3)
        try run.note(
            "round \(round), \(subject.name): \(busy.cpuMicroseconds.text(digits: 2)) µs a delivery, "
                + "\(calm.cpuMicroseconds.text(digits: 2)) where calm, "
                + "p50 \((subject.latency.last ?? 0).text(digits: 0)) µs")
    }

    private static func relay(
        _ subject: Subject, _ run: ClusterRun, _ load: RelayPlan.Load
    ) async throws -> RelayReport {
        let plan = RelayPlan(
            port: subject.port, version: 1, roomSize: 2, paths: subject.paths, load: load, warmUp: 1,
            duration: run.plan.seconds, hold: 0.3, probes: 100, parallel: 64, spins: true,
            serverProcesses: subject.processes)
        let report = try await BlockingThread.run {
            var relay = try RelayRun(plan)
            return relay.run()
        }
        if !report.isFaultless {
            run.fault("\(subject.name): \(report.json) \(report.complaints.joined(separator: "; "))")
        }
        // What is left of the connections goes.
        try await ContinuousClock().sleep(for: .milliseconds(500))
        return report
    }

    private static func report(_ subjects: [Subject], _ run: ClusterRun) {
        let (alone, owner, other) = (subjects[0], subjects[1], subjects[2])
        let unchanged = ratio(owner.busy, alone.busy)
        run.add(
            TableLine(
                figure:
                    "CPU µs a delivery, \(rooms.grouped) rooms of 2 entered at their owner, "
                    + "beside another server",
                measured: median(owner.busy).text(digits: 2),
                bound: "a single server: \(median(alone.busy).text(digits: 2)), ratio "
                    + unchanged.text(digits: 2),
                target: "≤ 1.05", value: unchanged, limit: 1.05))
        let tunnelled = ratio(other.busy, owner.busy)
        run.add(
            TableLine(
                figure: "the same through the other server, both servers",
                measured: median(other.busy).text(digits: 2),
                bound: "at the owner: \(median(owner.busy).text(digits: 2)), ratio "
                    + tunnelled.text(digits: 2),
                target: "≤ 3.2", value: tunnelled, limit: 3.2))
        let later = median(zip(other.latency, owner.latency).map { $0 - $1 })
        let lowest = [other, owner].map { ($0.latency.min() ?? 0).text(digits: 0) }
        run.add(
            TableLine(
                figure: "\(Int(rate).grouped) ales a second through the other server: p50 in µs",
                measured: "\(median(other.latency).text(digits: 0)), at least \(lowest[0]); CPU µs "
                    + median(other.calm).text(digits: 1),
                bound: "at the owner: \(median(owner.latency).text(digits: 0)), at least \(lowest[1]), "
                    + "later by \(later.text(digits: 0)); CPU µs \(median(owner.calm).text(digits: 1)), "
                    + "ratio "
                    + ratio(other.calm, owner.calm).text(digits: 2),
                target: "later by ≤ 200", value: later, limit: 200))
    }

    private static func median(_ values: [Double]) -> Double { TableLine.ranks(values).median }

    /// Returns the median of the ratios of the rounds, since the machine has moods.
    private static func ratio(_ values: [Double], _ others: [Double]) -> Double {
        median(zip(values, others).map { $0 / $1 })
    }
}
