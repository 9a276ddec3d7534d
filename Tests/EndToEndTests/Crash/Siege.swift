import Client
import Contract
import Postgres
import Reactor
import TestSupport

/// A database and its servers under attack, while people live through slot after slot.
struct Siege: Sendable {
    enum Attack: Sendable {
        /// One fault after the other, each at a statement that some server has come by.
        case faults(FaultCatalogue)
        /// So many at random instants: servers are killed; with `postgres` the database is killed, restarted and frozen
        /// too.
        case instants(Int, postgres: Bool)
    }

    struct Findings: Sendable {
        /// What must not be; empty where all is well.
        var violations: [String] = []
        /// Answers that nobody should get, although everything is in order afterwards.
        var surprises: [String] = []
        var people = 0
        var strikes = 0
        /// How often a server was started.
        var starts = 0
        /// The last words of the servers.
        var log = ""
    }

    static let grid = Grid(slotSeconds: 6, leadSeconds: 2, lateSeconds: 6)
    private static let settings = grid.settings.merging(["NO_SHOW_SECONDS": "1"]) { $1 }

    let seed: UInt64
    let servers: Int
    let slots: Int
    let attack: Attack

    /// From the first registration to the last notification.
    func run() async throws -> Findings {
        switch attack {
        case .instants(_, postgres: true):
            let cluster = try await TestCluster.make()
            defer { cluster.remove() }
            return try await run(PostgresConfiguration(url: cluster.url()), cluster.url(), cluster)
        case .faults, .instants:
            return try await TestDatabase.with { try await run($0.configuration, $0.url, nil) }
        }
    }

    private func run(
        _ configuration: PostgresConfiguration, _ url: String, _ cluster: TestCluster?
    ) async throws -> Findings {
        try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
            // What is acknowledged is on the disk, as it is wherever the service runs.
            let name = try await connection.query("SELECT current_database()::text")[0].decode(0, String.self)
            try await connection.simple("ALTER DATABASE \(name) SET synchronous_commit = on")
        }
        let folder = try FaultFolder()
        let atStart = try armStart(folder)
        let settings = Self.settings.merging(["DATABASE_URL": url]) { $1 }
            .merging(folder.settings) { $1 }
        return try await Fleet.with(servers, settings) { fleet in
            let crowd = people(at: fleet)
            let lives = crowd.map { person in Task { await person.live() } }
            var findings = Findings(people: crowd.count)
            let end = crowd.map { Self.grid.endsAt($0.slot) }.max() ?? .now
            switch attack {
            case .faults(let catalogue):
                if let atStart {
                    let hasStruck = !folder.disarm(0)
                    catalogue.settle(atStart, hasStruck: hasStruck, wasWaitedFor: true)
                    findings.strikes += hasStruck ? 1 : 0
                }
                catalogue.note(starting: folder.passed())
                findings.strikes += try await strike(catalogue, folder, fleet, until: end)
            case .instants(let count, _):
                findings.strikes = try await strike(count, fleet, cluster, until: end)
            }
            try await Timestamp.reach(end)
            let check = SiegeCheck(crowd: crowd, configuration: configuration)
            findings.violations = await check.violations()
            findings.surprises = crowd.flatMap { person in
                person.ledger.surprises.map { "\(person.description): \($0)" }
            }
            findings.starts = fleet.starts
            findings.log = fleet.log
            for life in lives { life.cancel() }
            for life in lives { await life.value }
            return findings
        }
    }

    /// What strikes while the first server starts on an empty database.
    private func armStart(_ folder: FaultFolder) throws -> FaultFolder.Fault? {
        guard case .faults(let catalogue) = attack else { return nil }
        var generator = Seeded(seed: seed ^ 0x57A7)
        guard let fault = catalogue.claim(among: catalogue.starting, using: &generator) else { return nil }
        try folder.arm(fault, 0)
        return fault
    }

    /// One of each part for every slot; each has a server of their own.
    private func people(at fleet: Fleet) -> [BesiegedPerson] {
        var generator = Seeded(seed: seed)
        let first = Self.grid.slot(openingAfter: .milliseconds(3200))
        return (0..<slots).flatMap { index in
            BesiegedPerson.Part.allCases.map { part in
                BesiegedPerson(
                    part, first.adding(.seconds(Self.grid.slotSeconds * Int64(index))), Self.grid,
                    at: Int(generator.next() % UInt64(servers)), of: fleet, seed: generator.next())
            }
        }
    }

    // Attacks.

    /// Arms one fault after the other on each hook; answers how many have struck. Servers that are killed need time in
    /// between, or they would never come to what they are to be killed at.
    private func strike(
        _ catalogue: FaultCatalogue, _ folder: FaultFolder, _ fleet: Fleet, until end: Timestamp
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for hook in FaultFolder.hooks.prefix(catalogue.ways == FaultFolder.Way.kills ? 1 : 3) {
                group.addTask { try await strike(catalogue, folder, hook, fleet, until: end) }
            }
            return try await group.reduce(0, +)
        }
    }

    private func strike(
        _ catalogue: FaultCatalogue, _ folder: FaultFolder, _ hook: Int, _ fleet: Fleet, until end: Timestamp
    ) async throws -> Int {
        var generator = Seeded(seed: seed ^ (0xFA17 + UInt64(hook)))
        var strikes = 0
        let patience = Duration.seconds(Self.grid.slotSeconds) * 2
        while Timestamp.now < end {
            guard let fault = catalogue.claim(among: folder.passed(), using: &generator) else {
                try await ContinuousClock().sleep(for: .milliseconds(100))
                continue
            }
            try folder.arm(fault, hook)
            if catalogue.isStarting(fault) { fleet.kill(Int(generator.next() % UInt64(servers))) }
            let limit = min(end, Timestamp.now.adding(patience))
            while folder.isArmed(hook) && Timestamp.now < limit {
                try await ContinuousClock().sleep(for: .milliseconds(10))
            }
            let hasStruck = !folder.disarm(hook)
            if hasStruck { strikes += 1 }
            catalogue.settle(fault, hasStruck: hasStruck, wasWaitedFor: Timestamp.now < end)
        }
        return strikes
    }

    /// Strikes at random instants, spread over the time that is left.
    private func strike(
        _ count: Int, _ fleet: Fleet, _ cluster: TestCluster?, until end: Timestamp
    ) async throws -> Int {
        var generator = Seeded(seed: seed ^ 0x1257)
        let start = Timestamp.now.microseconds
        let instants = (0..<count).map { _ in Int64.random(in: start...end.microseconds, using: &generator) }
        for instant in instants.sorted() {
            try await Timestamp.reach(Timestamp(microseconds: instant))
            let choice = Int.random(in: 0..<8, using: &generator)
            let freeze = Duration.milliseconds(Int.random(in: 100...2500, using: &generator))
            switch (choice, cluster) {
            case (0, let cluster?):
                try await cluster.kill()
                try await cluster.start()
            case (1, let cluster?):
                try await cluster.stop()
                try await cluster.start()
            case (2, let cluster?), (3, let cluster?):
                cluster.freeze()
                try await ContinuousClock().sleep(for: freeze)
                cluster.thaw()
            case (4, _): fleet.killAll()
            default: fleet.kill(Int.random(in: 0..<servers, using: &generator))
            }
        }
        return count
    }
}
