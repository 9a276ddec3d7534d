import Glibc
import Reactor

/// The owner of all rooms gets SIGTERM, and its devices go to another server when they are told to. That
/// one is the next owner, which ends in the next round.
struct HandOverMeasurement {
    static func measure(_ run: ClusterRun) async throws {
        let scene = try await ClusterScene.make("hand_over", rooms: run.plan.rooms, on: run.testbed)
        let group = try EventLoopGroup(count: 1, name: "crowd")
        defer { group.shutdown() }
        let crowd = await Crowd(scene.paths, on: group.loops[0])
        let allPaths = scene.paths.indices
        var owner = scene.owner
        try await crowd.use(owner, comingBack: false)
        await crowd.knock(allPaths)
        try await crowd.wait(untilPresent: allPaths.count)
        var all: [Double] = []
        var worst = 0
        for round in 1...run.plan.rounds {
            let next = try await scene.join("next-\(round)")
            // The logs of the rooms have a past.
            try await crowd.cheer()
            try await crowd.use(next, comingBack: true)
            let refusals = await crowd.devices.reduce(0) { $0 + $1.refusals }
            let begin = Monotonic.nanoseconds()
            owner.process.signal(SIGTERM)
            try await crowd.waitForReturn(since: begin)
            let devices = await crowd.devices
            all.append(
                TakeOverMeasurement.milliseconds(from: begin, to: devices.compactMap(\.enteredAt).max())
                    / 1_000)
            let away = devices.map {
                TakeOverMeasurement.milliseconds(from: $0.lostAt ?? 0, to: $0.enteredAt)
            }
            let forgotten = devices.count { !$0.isRecovered }
            worst = max(worst, forgotten)
            try run.note(
                "round \(round): all devices back after \((all.last ?? 0).text(digits: 2)) s, each away for "
                    + "\(TableLine.ranks(away).median.text(digits: 0)) ms, at most "
                    + "\(TableLine.ranks(away).largest.text(digits: 0)); \(forgotten) without recovery, "
                    + "\(devices.reduce(-refusals) { $0 + $1.refusals }) refusals")
            _ = await owner.process.ending()
            owner = next
        }
        let ranks = TableLine.ranks(all)
        run.add(
            TableLine(
                figure: "\(run.plan.rooms.grouped) rooms handed over, from SIGTERM until all "
                    + "\(allPaths.count.grouped) devices are back: s",
                measured: "\(ranks.median.text(digits: 2)), at most \(ranks.largest.text(digits: 2))",
                bound: worst == 0 ? "all recovered" : "up to \(worst.grouped) not recovered",
                target: "≤ 10, all recovered", value: worst == 0 ? ranks.median : TableLine.missing,
                limit: 10))
        try await scene.end()
    }
}
