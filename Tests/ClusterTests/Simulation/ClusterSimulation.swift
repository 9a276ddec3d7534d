import Codecs
import Contract
import Glibc
import Rooms
import TestKit

@testable import API

/// One run of the leases, take-overs and hand-overs of several servers in a world that follows from a seed:
/// virtual time, no threads.
struct ClusterSimulation {
    struct Report: Sendable {
        var seed: UInt64
        var failures: [String]
        var trace: [String]
        var statistics: ClusterStatistics
    }

    /// Runs the simulation on the calling thread until its world has ended.
    static func run(seed: UInt64, bug: ClusterBug? = nil, keepsTrace: Bool = false) -> Report {
        let world = ClusterWorld(plan: ClusterPlan(seed: seed), bug: bug, keepsTrace: keepsTrace)
        let loops = world.inPlace { world in
            [world.worldLoop] + world.servers.flatMap { [$0.background, $0.roomLoop] }
        }
        world.inPlace { $0.begin() }
        var choice = SplitMix64(seed: ~seed)
        drive(world, loops, &choice)
        world.inPlace { $0.finish() }
        // The tasks of killed processes run to their end.
        drive(world, loops, &choice)
        return world.inPlace { world in
            if world.runningTasks > 0 { world.fail("\(world.runningTasks) tasks never end") }
            // The events refer to the world, which they would keep alive.
            world.events = EventQueue()
            world.calls = [:]
            world.stalled = []
            return Report(
                seed: seed, failures: world.failures, trace: world.trace, statistics: world.statistics)
        }
    }

    /// Runs one piece of work after the other, each of a loop that the seed chooses; virtual time advances
    /// when there is none.
    private static func drive(
        _ world: ClusterWorld, _ loops: [SimulatedLoop], _ choice: inout SplitMix64
    ) {
        repeat {
            while let loop = SimulatedLoop.ready(among: loops, using: &choice) { loop.runNext() }
        } while world.inPlace { $0.step() }
    }
}

extension ClusterWorld {
    fileprivate func begin() {
        note("\(plan.servers) servers, \(plan.rooms) rooms of \(plan.members), faults \(plan.faults)")
        for index in servers.indices { start(index) }
        after(500_000) { $0.match() }
        planFaults()
    }

    /// Makes the rooms, with their owners, as a match does; the clients knock.
    private func match() {
        for number in 0..<plan.rooms {
            let id = Identifier(value: UInt128(number + 1))
            let owner = ProcessHandle(index: Int(draw(0...Int64(servers.count - 1))), generation: 1)
            var members: [Membership.Member] = []
            for member in 0..<plan.members {
                let user = Identifier(value: UInt128(1_000 + number * 10 + member))
                members.append(
                    Membership.Member(
                        id: Identifier(value: user.value + 1_000), user: user,
                        tokens: MemberTokens(main: 1), name: "member", task: nil, tag: nil, hasEntered: false)
                )
                let client = SimulatedClient(index: clients.count, user: user, room: id)
                clients.append(client)
            }
            database.rooms[id] = ModelDatabase.Room(owner: owner.incarnation, term: 1, members: members)
            note("room \(number + 1) belongs to \(owner)")
            for server in servers.indices {
                after(delay()) { world in
                    guard server == owner.index, let process = world.ready(server) else { return }
                    world.start(on: process.background) { try? await process.rooms?.read([id]) }
                }
            }
        }
        for client in clients {
            connectLater(client.index, 0...1_000_000)
            sendLater(client.index)
            dropLater(client.index)
        }
    }

    fileprivate func finish() {
        if failures.isEmpty { checkTogether() }
        isEnding = true
        for index in servers.indices { kill(index) }
    }
}

/// Simulations of seeds that run one after the other, and those that failed.
struct ClusterSimulationRun: Sendable {
    private(set) var failed: [ClusterSimulation.Report] = []
    private(set) var statistics = ClusterStatistics()

    /// Runs the seeds on a thread of its own; ends early after many failures.
    static func run(
        _ seeds: Range<UInt64>, bug: ClusterBug? = nil, mostFailures: Int = 5, showsProgress: Bool = false
    ) async throws -> ClusterSimulationRun {
        try await blocking {
            var run = ClusterSimulationRun()
            for seed in seeds {
                let report = ClusterSimulation.run(seed: seed, bug: bug)
                run.statistics.add(report.statistics)
                // The simulation runs again, with a trace.
                if !report.failures.isEmpty {
                    if showsProgress { print("seed \(seed): \(report.failures[0])") }
                    run.failed.append(ClusterSimulation.run(seed: seed, bug: bug, keepsTrace: true))
                }
                if run.failed.count >= mostFailures { break }
                let done = seed - seeds.lowerBound + 1
                if showsProgress && done % 500 == 0 {
                    print("\(done) of \(seeds.count) seeds, \(run.failed.count) failed: \(run.statistics)")
                    fflush(nil)
                }
            }
            return run
        }
    }

    static func stories(of seed: UInt64, times: Int) async throws -> [[String]] {
        try await blocking {
            (0..<times).map { _ in ClusterSimulation.run(seed: seed, keepsTrace: true).trace }
        }
    }

    /// The seeds that failed, the reasons, how to repeat it, and the trace of the first.
    var description: String {
        var lines = failed.map { report in
            """
            seed \(report.seed): \(report.failures.joined(separator: "; ")) \
            (repeat: script/dev/simulate cluster 1 \(report.seed))
            """
        }
        lines += failed.first?.trace ?? []
        return lines.joined(separator: "\n")
    }
}
