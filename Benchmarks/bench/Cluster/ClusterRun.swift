import Reactor

/// The measurements of `bench cluster` so far: their figures, and how many were wrong.
final class ClusterRun {
    /// The size of a run.
    struct Plan {
        /// The rounds of each row; a result is their median.
        var rounds: Int
        /// The rooms whose owner changes.
        var rooms: Int
        /// The seconds for which each load is measured.
        var seconds: Double
    }

    let testbed: Testbed
    let plan: Plan
    private(set) var lines: [TableLine] = []
    private(set) var faults = 0

    init(_ testbed: Testbed, _ plan: Plan) {
        self.testbed = testbed
        self.plan = plan
    }

    func add(_ line: TableLine) {
        lines.append(line)
        Output.note(line.text)
    }

    func fault(_ reason: String) {
        faults += 1
        Output.note("Wrong: \(reason)")
    }

    /// Notes a figure of one round, with the load of the machine.
    func note(_ text: String) throws { Output.note("\(text) (load \(try Machine.load))") }
}

/// One row of `bench cluster`.
enum ClusterRow: String, CaseIterable {
    /// An ale at the owner of its room, and one through another server.
    case tunnel
    /// The owner is killed.
    case takeOver = "take-over"
    /// The owner is asked to end.
    case handOver = "hand-over"
    /// The owner's machine is gone.
    case lost

    func measure(_ run: ClusterRun) async throws {
        switch self {
        case .tunnel: try await TunnelMeasurement.measure(run)
        case .takeOver: try await TakeOverMeasurement.measure(run)
        case .handOver: try await HandOverMeasurement.measure(run)
        case .lost: try await LostMachineMeasurement.measure(run)
        }
    }
}
