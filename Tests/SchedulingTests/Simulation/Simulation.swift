import Codecs
import Matching
import Scheduling
import TestKit

/// One run of the real scheduler and matcher in a world that follows from a seed: days of virtual time, no
/// threads.
struct Simulation {
    struct Report: Sendable {
        var seed: UInt64
        var failures: [String]
        var trace: [String]
        var statistics: SimulationStatistics
    }

    /// Runs the simulation on the calling thread until its world has ended.
    static func run(seed: UInt64, bug: PlantedBug? = nil, keepsTrace: Bool = false) -> Report {
        let plan = WorldPlan(seed: seed)
        let world = SimulatedWorld(plan: plan, bug: bug, keepsTrace: keepsTrace)
        let loops = world.inPlace { world in [world.worldLoop] + world.servers.map(\.loop) }
        world.inPlace { $0.begin() }
        var choice = SplitMix64(seed: ~seed)
        drive(world, loops, &choice)
        world.inPlace { $0.end() }
        // The tasks of killed processes run to their end.
        drive(world, loops, &choice)
        return world.inPlace { world in
            if world.runningTasks > 0 { world.fail("\(world.runningTasks) tasks never end") }
            // The events refer to the world, which they would keep alive.
            world.events = EventQueue()
            return Report(
                seed: seed, failures: world.failures, trace: world.trace, statistics: world.statistics)
        }
    }

    /// Runs one piece of work after the other, each of a loop that the seed chooses; virtual time advances
    /// when there is none.
    static func drive(
        _ world: SimulatedWorld, _ loops: [SimulatedLoop], _ choice: inout SplitMix64
    ) {
        repeat {
            while let loop = SimulatedLoop.ready(among: loops, using: &choice) { loop.runNext() }
        } while world.inPlace { $0.step() }
    }

    static func drive(_ world: SimulatedWorld, _ loops: [SimulatedLoop]) {
        var choice = SplitMix64(seed: 0)
        drive(world, loops, &choice)
    }
}

extension SimulatedWorld {
    fileprivate func begin() {
        note("\(plan.people) people, \(plan.servers) servers, slots of \(plan.rules.grid.slotSeconds) s")
        planFaults()
        planPeople()
        if bug == .looksTooOften { lookOften() }
        patrol(every: max(500_000, plan.rules.grid.slotSeconds * 80_000))
    }

    private func lookOften() {
        for server in servers { server.scheduler?.assumeIsolated { $0.reread() } }
        after(5_000_000) { $0.lookOften() }
    }

    fileprivate func end() {
        if failures.isEmpty { checkEnd() }
        if failures.isEmpty { checkAccounts() }
        isCalm = true
        isEnding = true
        for index in servers.indices { kill(index) }
    }
}
