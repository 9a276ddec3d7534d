import Glibc
import Reactor

/// The machine of the owner is gone without a word, and devices have their rooms through another server.
struct LostMachineMeasurement {
    private static let rooms = 100

    static func measure(_ run: ClusterRun) async throws {
        let scene = try await ClusterScene.make("lost", rooms: rooms, on: run.testbed)
        let group = try EventLoopGroup(count: 1, name: "crowd")
        defer { group.shutdown() }
        let isApart = try Self.isApart
        let crowd = await Crowd(scene.paths, on: group.loops[0])
        let allPaths = scene.paths.indices
        var owner = scene.owner
        var noticed: [Double] = []
        var back: [Double] = []
        for round in 1...run.plan.rounds {
            let next = try await scene.join("next-\(round)")
            try await crowd.use(next, comingBack: true)
            await crowd.knock(allPaths)
            try await crowd.wait(untilPresent: allPaths.count)
            try await crowd.cheer()
            let begin = Monotonic.nanoseconds()
            owner.process.signal(SIGSTOP)
            if isApart { try await cut(owner.port) }
            try await crowd.waitForReturn(since: begin)
            let devices = await crowd.devices
            func seconds(_ instants: [UInt64]) -> Double {
                TakeOverMeasurement.milliseconds(from: begin, to: instants.max()) / 1_000
            }
            noticed.append(seconds(devices.compactMap(\.lostAt)))
            back.append(seconds(devices.compactMap(\.enteredAt)))
            try run.note(
                "round \(round): the last socket closed after \((noticed.last ?? 0).text(digits: 2)) s, all "
                    + "back after \((back.last ?? 0).text(digits: 2)) s")
            await owner.stop(SIGKILL)
            // Devices are at their owner now, and have to be guests again in the next round.
            try await crowd.leave()
            owner = next
        }
        let (closed, all) = (TableLine.ranks(noticed), TableLine.ranks(back))
        run.add(
            TableLine(
                figure: "owner lost without a word (SIGSTOP\(isApart ? ", packets dropped" : "")), "
                    + "\(allPaths.count) devices behind another server: all back in their rooms, s",
                measured: "\(all.median.text(digits: 2)), at most \(all.largest.text(digits: 2))",
                bound: "all sockets closed: \(closed.median.text(digits: 2)), at most "
                    + closed.largest.text(digits: 2),
                target: "≤ 7", value: all.median, limit: 7))
        try await scene.end()
    }

    /// Whether this process has a network of its own, in which packets may be dropped.
    private static var isApart: Bool {
        get throws(BenchError) {
            // The first two lines are headings, and each further one is an interface.
            try TextFile.read("/proc/net/dev").split(separator: "\n").count == 3
        }
    }

    /// Drops what is sent to a port, and from it.
    private static func cut(_ port: UInt16) async throws {
        for side in ["--dport", "--sport"] {
            let rule = ["-I", "INPUT", "-p", "tcp", side, "\(port)", "-j", "DROP"]
            let child = try await ChildProcess.run(.init("iptables", rule))
            guard await child.ending() == .exited(0) else {
                throw BenchError.failed("iptables: \(child.output(.standardError))")
            }
        }
    }
}
