import Codecs
import Contract
import Database
import TestKit

/// The time, the database, the network, the processes and the clients of one simulation: everything that is
/// not the code under test.
///
/// All events follow from the seed alone. The world lives on a loop of the simulation, so the code under test
/// calls it in place, without waiting.
actor ClusterWorld {
    let plan: ClusterPlan
    let bug: ClusterBug?
    let worldLoop = SimulatedLoop()
    nonisolated var unownedExecutor: UnownedSerialExecutor { worldLoop.asUnownedSerialExecutor() }

    var random: SplitMix64
    var events = EventQueue<ClusterWorld>()
    /// The microseconds since the beginning.
    var elapsed: Int64 = 0
    var isCalm = false
    /// Whether the processes are killed, and their tasks end.
    var isEnding = false
    var runningTasks = 0
    var servers: [SimulatedServer]
    var network: SimulatedNetwork
    var database = ModelDatabase()
    var calls: [Int: PendingCall] = [:]
    /// Statements that wait for the network to heal, with the servers that have sent them.
    var stalled: [StalledStatement] = []
    var lastNumber = 0

    var clients: [SimulatedClient] = []
    var sockets: [Int: SimulatedSocket] = [:]
    var connections: [Int: SimulatedConnection] = [:]
    /// The number of outages of the database now.
    var outages = 0
    var isOutage: Bool { outages > 0 }

    // Findings.
    var history = ClusterHistory()
    var failures: [String] = []
    let keepsTrace: Bool
    var trace: [String] = []
    var statistics = ClusterStatistics()

    init(plan: ClusterPlan, bug: ClusterBug?, keepsTrace: Bool) {
        self.plan = plan
        self.bug = bug
        self.keepsTrace = keepsTrace
        random = SplitMix64(seed: plan.seed &* 0x9E37_79B9 &+ 1)
        servers = (0..<plan.servers).map { SimulatedServer(index: $0) }
        network = SimulatedNetwork(servers: plan.servers)
    }

    /// Calls the world from the code under test, which runs on its thread.
    nonisolated func inPlace<Value: Sendable>(
        _ body: @Sendable (isolated ClusterWorld) throws -> Value
    ) rethrows -> Value {
        try assumeIsolated(body)
    }

    // Time.

    static let begin = Timestamp(seconds: 1_800_000_000)

    /// The time by the clock of the database.
    var now: Timestamp { Timestamp(microseconds: Self.begin.microseconds + elapsed) }

    /// Calls the body that many microseconds later.
    func after(_ delay: Int64, _ body: @escaping @Sendable (isolated ClusterWorld) -> Void) {
        events.add(at: elapsed + max(0, delay), body)
    }

    /// Runs the next event. Returns false when the world has ended.
    func step() -> Bool {
        if isDone { return false }
        guard let event = events.pop() else { return false }
        elapsed = max(elapsed, event.due)
        event.body(self)
        return true
    }

    private var end: Int64 { plan.calmAt + ClusterPlan.recovery }

    private var isDone: Bool {
        isEnding ? runningTasks == 0 || elapsed > end + 60_000_000 : elapsed >= end || !failures.isEmpty
    }

    // Chance.

    func chance(_ probability: Double) -> Bool {
        probability > 0 && Double(random.next() >> 11) * 0x1p-53 < probability
    }

    /// Returns a random number in the range, quickly and not quite uniformly.
    func draw(_ range: ClosedRange<Int64>) -> Int64 {
        let span = UInt64(range.upperBound &- range.lowerBound) &+ 1
        return range.lowerBound &+ Int64(random.next() % span)
    }

    /// Returns the time that a message takes, in microseconds.
    func delay() -> Int64 { chance(plan.slowness) ? draw(2_000...400_000) : draw(100...3_000) }

    func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // Findings.

    func note(_ event: @autoclosure () -> String) {
        if keepsTrace { trace.append("\(Self.seconds(elapsed)) \(event())") }
    }

    func fail(_ reason: String) {
        note("FAILED: \(reason)")
        if failures.count < 10 { failures.append("\(Self.seconds(elapsed)): \(reason)") }
    }

    private static func seconds(_ time: Int64) -> String {
        let fraction = String(time % 1_000_000)
        return "\(time / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}

/// The things that happened, to know that enough does.
struct ClusterStatistics: Sendable, CustomStringConvertible {
    var acknowledged = 0
    var takenOver = 0
    var handedOver = 0
    var tunnels = 0
    var excused = 0
    var recovered = 0

    mutating func add(_ other: ClusterStatistics) {
        acknowledged += other.acknowledged
        takenOver += other.takenOver
        handedOver += other.handedOver
        tunnels += other.tunnels
        excused += other.excused
        recovered += other.recovered
    }

    var description: String {
        """
        \(acknowledged) ales acknowledged, \(takenOver) rooms taken over, \(handedOver) handed over, \
        \(tunnels) tunnels, \(recovered) devices came back to the log, \(excused) ales of servers alone
        """
    }
}
