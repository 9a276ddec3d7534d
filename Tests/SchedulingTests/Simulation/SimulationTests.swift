import Reactor
import Testing

@Suite("Simulation of the scheduler")
struct SimulationTests {
    /// Runs random worlds. `SIMULATION_SEED=S` runs that one alone, and `SIMULATION_SEEDS=N` that many from
    /// there on.
    @Test("whatever goes wrong, each person is matched once, notified once, and in time")
    func seeds() async throws {
        let first = Self.number("SIMULATION_SEED")
        let count = Self.number("SIMULATION_SEEDS") ?? (first == nil ? 300 : 1)
        let begin = first ?? 1
        let run = try await SimulationRun.run(begin..<begin + count, showsProgress: count > 1000)
        #expect(run.failed.isEmpty, "\(run.description)")
        if count >= 300 {
            let seen = run.statistics
            #expect(
                [
                    seen.rooms, seen.lateJoins, seen.moves, seen.crashes, seen.clockSteps, seen.lostCommits,
                    seen.lostChangeEvents, seen.outages, seen.invited, seen.selective,
                ].allSatisfy { $0 > 10 }, "too little happened: \(seen)")
        }
    }

    @Test("a seed tells the same story each time")
    func repeatable() async throws {
        for seed in UInt64(1)...10 {
            let stories = try await SimulationRun.stories(of: seed, times: 2)
            #expect(!stories[0].isEmpty)
            #expect(stories[0] == stories[1])
        }
    }

    /// Looks for a planted bug. A world that is known to find it comes first, which saves the search.
    @Test("a mistake that is made on purpose is found", arguments: PlantedBug.allCases)
    func plantedBugs(bug: PlantedBug) async throws {
        let first = bug.seed
        let run = try await SimulationRun.run(first..<first + 10_000, bug: bug, mostFailures: 1)
        #expect(!run.failed.isEmpty)
    }

    /// Counts the worlds until each mistake is found: with `SIMULATION_SEARCHES=N`, N times from different
    /// beginnings.
    @Test("how many worlds it takes", .enabled(if: number("SIMULATION_SEARCHES") != nil))
    func figures() async throws {
        let searches = Self.number("SIMULATION_SEARCHES") ?? 1
        for bug in PlantedBug.allCases {
            var counts: [UInt64] = []
            for search in 0..<searches {
                let first = 1 + search * 100_000
                let run = try await SimulationRun.run(first..<first + 10_000, bug: bug, mostFailures: 1)
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
