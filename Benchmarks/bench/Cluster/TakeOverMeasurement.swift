import Glibc
import Reactor

/// The owner of all rooms is killed, and its devices knock at another server. That one is the next owner,
/// which is killed in the next round.
struct TakeOverMeasurement {
    static func measure(_ run: ClusterRun) async throws {
        let scene = try await ClusterScene.make("take_over", rooms: run.plan.rooms, on: run.testbed)
        let group = try EventLoopGroup(count: 1, name: "crowd")
        defer { group.shutdown() }
        let crowd = await Crowd(scene.paths, on: group.loops[0])
        let allPaths = scene.paths.indices
        var owner = scene.owner
        try await crowd.use(owner, comingBack: false)
        await crowd.knock(allPaths)
        try await crowd.wait(untilPresent: allPaths.count)
        var firsts: [Double] = []
        var lasts: [Double] = []
        for round in 1...run.plan.rounds {
            let next = try await scene.join("next-\(round)")
            try await crowd.use(next, comingBack: false)
            await owner.stop(SIGKILL)
            try await crowd.wait(untilPresent: 0)
            await crowd.knock(0..<1)
            try await crowd.wait(untilPresent: 1)
            // One member of each room, and then the other one.
            for member in 0...1 { await crowd.knock(stride(from: member, to: allPaths.count, by: 2)) }
            try await crowd.wait(untilPresent: allPaths.count)
            let devices = await crowd.devices
            let first = devices[0]
            firsts.append(milliseconds(from: first.knockedAt, to: first.enteredAt))
            let begin = first.enteredAt ?? 0
            // A room is taken over once one of its two members is in it.
            let taken = stride(from: 0, to: devices.count, by: 2).map {
                min(devices[$0].enteredAt ?? .max, devices[$0 + 1].enteredAt ?? .max)
            }
            lasts.append(milliseconds(from: begin, to: taken.max()) / 1_000)
            let all = milliseconds(from: begin, to: devices.compactMap(\.enteredAt).max()) / 1_000
            if devices.contains(where: \.isRecovered) { run.fault("a log without a past was called whole") }
            try run.note(
                "round \(round): one room after \((firsts.last ?? 0).text(digits: 1)) ms, all after "
                    + "\((lasts.last ?? 0).text(digits: 2)) s, all devices after \(all.text(digits: 2)) s, "
                    + "\(devices.reduce(0) { $0 + $1.refusals }) refusals so far")
            owner = next
        }
        report(firsts, lasts, run)
        try await scene.end()
    }

    static func milliseconds(from start: UInt64, to end: UInt64?) -> Double {
        guard let end, end > start else { return 0 }
        return Double(end - start) / 1e6
    }

    private static func report(_ firsts: [Double], _ lasts: [Double], _ run: ClusterRun) {
        let first = TableLine.ranks(firsts)
        run.add(
            TableLine(
                figure: "one room taken over, from the first knock after its owner was killed: ms",
                measured: "\(first.median.text(digits: 1)), at most \(first.largest.text(digits: 1))",
                target: "≤ 100", value: first.median, limit: 100))
        let last = TableLine.ranks(lasts)
        run.add(
            TableLine(
                figure: "all \(run.plan.rooms.grouped) rooms, from then on: s",
                measured: "\(last.median.text(digits: 2)), at most \(last.largest.text(digits: 2))",
                target: "≤ 5", value: last.median, limit: 5))
    }
}
