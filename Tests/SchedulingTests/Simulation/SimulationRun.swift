import Glibc
import TestKit

/// Simulations of seeds that run one after the other, and those that failed.
struct SimulationRun: Sendable {
    private(set) var failed: [Simulation.Report] = []
    private(set) var statistics = SimulationStatistics()

    /// Runs the seeds on a thread of its own; ends early after many failures.
    static func run(
        _ seeds: Range<UInt64>, bug: PlantedBug? = nil, mostFailures: Int = 5, showsProgress: Bool = false
    ) async throws -> SimulationRun {
        try await blocking {
            var run = SimulationRun()
            for seed in seeds {
                let report = Simulation.run(seed: seed, bug: bug)
                run.statistics.add(report.statistics)
                // The simulation runs again, with a trace.
                if !report.failures.isEmpty {
                    run.failed.append(Simulation.run(seed: seed, bug: bug, keepsTrace: true))
                }
                if run.failed.count >= mostFailures { break }
                let done = seed - seeds.lowerBound + 1
                if showsProgress && done % 1000 == 0 {
                    print("\(done) of \(seeds.count) seeds, \(run.failed.count) failed: \(run.statistics)")
                    fflush(nil)
                }
            }
            return run
        }
    }

    static func stories(of seed: UInt64, times: Int) async throws -> [[String]] {
        try await blocking {
            (0..<times).map { _ in Simulation.run(seed: seed, keepsTrace: true).trace }
        }
    }

    /// The seeds that failed, the reasons, and the trace of the first.
    var description: String {
        var lines = failed.map { "seed \($0.seed): \($0.failures.joined(separator: "; "))" }
        lines += failed.first?.trace ?? []
        return lines.joined(separator: "\n")
    }
}
