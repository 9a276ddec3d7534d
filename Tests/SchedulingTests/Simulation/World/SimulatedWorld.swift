import Codecs
import Contract
import TestKit

@testable import Backend
@testable import Scheduling

/// The time, the database, the servers and the people of one simulation; everything that is not the code
/// under test.
///
/// All events follow from the seed alone. The world lives on a loop of the simulation, so the code under test
/// calls it in place, without waiting.
actor SimulatedWorld {
    let plan: WorldPlan
    let bug: PlantedBug?
    let worldLoop = SimulatedLoop()
    nonisolated var unownedExecutor: UnownedSerialExecutor { worldLoop.asUnownedSerialExecutor() }

    var random: SplitMix64
    var events = EventQueue<SimulatedWorld>()
    /// The microseconds since the beginning. This clock is never set.
    var elapsed: Int64 = 0
    /// Whether the faults have ended.
    var isCalm = false
    /// Whether the processes are killed, and their tasks end.
    var isEnding = false
    /// The length of the simulation, in microseconds: by then everything that was due has long been done.
    let length: Int64
    var servers: [SimulatedServer]
    var runningTasks = 0

    // The database.
    var tables = ModelTables()
    var commits = 0
    var calls: [Int: PendingCall] = [:]
    var lastCall = 0
    var transactions: [Int: ModelTransaction] = [:]
    var lastTransaction = 0
    var locks: [ModelLock: LockQueue] = [:]
    /// The last lease of each slot, which may be over, and the instant since which its holder has had it, in
    /// microseconds.
    var leases: [Timestamp: (lease: SlotLease, since: Int64)] = [:]
    /// The users whose accounts are being deleted: their rows are locked.
    var leavingUsers: Set<Identifier> = []
    /// The instant until which the database answers nothing, in microseconds.
    var databaseAwayUntil: Int64 = 0
    var lastID: UInt64 = 0
    /// The instant of the last change of presence or members, in microseconds, for each slot.
    var changedAt: [Timestamp: Int64] = [:]
    /// The time in which there was nothing to do, in microseconds.
    var idleTime: Int64 = 0
    var idleSince: Int64 = 0
    /// The instant at which each registration was committed, in microseconds.
    var registeredAt: [Identifier: Int64] = [:]
    /// The user of each registration.
    var owners: [Identifier: Identifier] = [:]

    // Findings.
    /// The changes of a match that are told in another transaction.
    var untold: [ModelEffect] = []
    var failures: [String] = []
    var keepsTrace: Bool
    var trace: [String] = []
    var statistics = SimulationStatistics()

    init(plan: WorldPlan, bug: PlantedBug?, keepsTrace: Bool) {
        self.plan = plan
        self.bug = bug
        length = plan.calmAt.since(plan.begin).wholeMicroseconds + Self.recovery + 2 * Self.promptness
        self.keepsTrace = keepsTrace
        random = SplitMix64(seed: plan.seed &* 0x9E37_79B9 &+ 1)
        servers = (0..<plan.servers).map { SimulatedServer(index: $0) }
    }

    /// Calls the world from the code under test, which runs on its thread.
    nonisolated func inPlace<Value: Sendable>(
        _ body: @Sendable (isolated SimulatedWorld) throws -> Value
    ) rethrows -> Value {
        try assumeIsolated(body)
    }

    // Time.

    /// The time by the clock of the database.
    var now: Timestamp { Timestamp(microseconds: plan.begin.microseconds + elapsed) }

    /// Returns the time as a server knows it.
    func clock(of server: Int) -> Timestamp {
        guard let reference = servers[server].reference, reference.isCertain else { return now }
        return reference.now()
    }

    /// Calls the body that many microseconds later.
    func after(_ delay: Int64, _ body: @escaping @Sendable (isolated SimulatedWorld) -> Void) {
        events.add(at: elapsed + max(0, delay), body)
    }

    /// Calls the body at an instant by the right clock, or at once when that is over.
    func at(_ instant: Timestamp, _ body: @escaping @Sendable (isolated SimulatedWorld) -> Void) {
        after(instant.microseconds - now.microseconds, body)
    }

    /// Runs the next event. Returns false when the world has ended.
    func step() -> Bool {
        if isDone { return false }
        guard let event = events.pop() else { return false }
        elapsed = max(elapsed, event.due)
        event.body(self)
        return true
    }

    private var isDone: Bool {
        isEnding ? runningTasks == 0 || elapsed > length + 60_000_000 : elapsed > length || !failures.isEmpty
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

    func makeID() -> Identifier {
        lastID += 1
        return Identifier(value: UInt128(lastID) << 64 | UInt128(random.next() >> 32))
    }

    // Findings.

    func note(_ event: @autoclosure () -> String) {
        if keepsTrace { trace.append("\(now) \(event())") }
    }

    func fail(_ reason: String) {
        note("FAILED: \(reason)")
        if failures.count < 10 { failures.append(reason) }
    }
}

extension Duration {
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}

extension Identifier {
    /// The running number of an id of a simulation, for its readers.
    var number: UInt64 { UInt64(truncatingIfNeeded: value >> 64) }
}
