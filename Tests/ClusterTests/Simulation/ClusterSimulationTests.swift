import Reactor
import Testing

@Suite("Simulation of several servers")
struct ClusterSimulationTests {
    /// Runs random worlds. `SIMULATION_SEED=S` runs that one alone, and `SIMULATION_SEEDS=N` that many from
    /// there on.
    @Test("whatever is cut, killed or paused, a room has one server that acknowledges, and all meet there")
    func seeds() async throws {
        let first = Self.number("SIMULATION_SEED")
        let count = Self.number("SIMULATION_SEEDS") ?? (first == nil ? 30 : 1)
        let begin = first ?? 1
        let run = try await ClusterSimulationRun.run(begin..<begin + count, showsProgress: count >= 500)
        #expect(run.failed.isEmpty, "\(run.description)")
        if count >= 30 {
            let seen = run.statistics
            print("\(count) worlds from seed \(begin): \(seen)")
            #expect(
                [seen.acknowledged, seen.takenOver, seen.handedOver, seen.tunnels, seen.recovered]
                    .allSatisfy { $0 > 3 }, "too little happened: \(seen)")
        }
    }

    @Test("a seed tells the same story each time")
    func repeatable() async throws {
        for seed in UInt64(1)...5 {
            let stories = try await ClusterSimulationRun.stories(of: seed, times: 2)
            #expect(!stories[0].isEmpty)
            #expect(stories[0] == stories[1])
        }
    }

    /// Looks for a planted bug. A world that is known to find it comes first, which saves the search.
    @Test("a mistake that is made on purpose is found", arguments: ClusterBug.allCases)
    func plantedBugs(bug: ClusterBug) async throws {
        let seeds = bug.seed..<bug.seed + ClusterBug.bound
        let run = try await ClusterSimulationRun.run(seeds, bug: bug, mostFailures: 1)
        let found = try #require(run.failed.first, "\(bug) is not found in \(ClusterBug.bound) worlds")
        let count = found.seed - bug.seed + 1
        print("planted: \(bug) is found after \(count) worlds: \(found.failures.first ?? "")")
    }

    /// Counts the worlds until each mistake is found: with `SIMULATION_SEARCHES=N`, N times from different
    /// beginnings.
    @Test("how many worlds it takes", .enabled(if: number("SIMULATION_SEARCHES") != nil))
    func figures() async throws {
        let searches = Self.number("SIMULATION_SEARCHES") ?? 1
        for bug in ClusterBug.allCases {
            var counts: [UInt64] = []
            for search in 0..<searches {
                let first = 1 + search * 100_000
                let run = try await ClusterSimulationRun.run(
                    first..<first + 10_000, bug: bug, mostFailures: 1)
                counts.append(run.failed.first.map { $0.seed - first + 1 } ?? .max)
            }
            let found = counts.map { $0 == .max ? "none" : "\($0)" }.joined(separator: " ")
            print("bug: \(bug) \(found)")
            #expect(counts.contains { $0 < .max }, "\(bug)")
        }
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessEnvironment.current()[name].flatMap { UInt64($0) }
    }
}
