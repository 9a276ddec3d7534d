import Client
import Codecs
import Contract
import Postgres
import PostgresFaults
import PostgresTesting
import Reactor
import TestKit

/// A database and its servers under attack, while people live through slot after slot.
struct Siege: Sendable {
    enum Attack: Sendable {
        /// One fault after the other, each at the first statement that it has not struck yet.
        case faults(FaultCatalogue)
        /// A number of random instants at which servers are killed; with `postgres` the database is killed,
        /// restarted and frozen too.
        case instants(Int, postgres: Bool)
    }

    struct Findings: Sendable {
        /// The violations; empty when all is well.
        var violations: [String] = []
        /// Unexpected answers, although everything is in order afterwards.
        var surprises: [String] = []
        var people = 0
        var strikes = 0
        /// The number of starts of a server.
        var starts = 0
        /// The number of webhook messages that came more than once, and the number of all.
        var deliveries = (messages: 0, of: 0)
        /// The time in which the machine was too busy to promise anything.
        var starved = Duration.zero
        /// The last log lines of the servers.
        var log = ""
    }

    static let grid = Grid(slotSeconds: 6, leadSeconds: 2, lateSeconds: 6)
    private static let settings = grid.settings.merging([
        "NO_SHOW_SECONDS": "1", "ALLOW_PRIVATE_WEBHOOKS": "true",
        // No attendance is below the limit; but a second request reads it.
        "ATTENDANCE_LIMIT": "1", "OPEN_REGISTRATIONS": "1",
    ]) { $1 }

    /// The interval between two checks whether a fault has struck.
    private static let poll = Duration.milliseconds(5)

    let seed: UInt64
    let servers: Int
    let slots: Int
    let attack: Attack
    /// The mistake that the servers make on purpose.
    var mistake: PlantedMistake?
    /// Whether commits are flushed to the disk, as in production; such a siege has a cluster of its own.
    var isDurable = false

    /// Runs the siege, from the first registration to the last notification.
    func run() async throws -> Findings {
        switch attack {
        case .instants(_, postgres: true),
            _ where isDurable:
            let cluster = try await TestCluster.make(isDurable: isDurable)
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
            // Acknowledged writes are in the log, as in production.
            let name = try await connection.query("SELECT current_database()::text")[0].decode(0, String.self)
            try await connection.simple("ALTER DATABASE \(name) SET synchronous_commit = on")
        }
        let hook: FaultHook? =
            switch attack {
            case .faults(let catalogue): try catalogue.hook()
            case .instants: nil
            }
        let settings = Self.settings.merging(["DATABASE_URL": url]) { $1 }
            .merging(hook?.settings ?? [:]) { $1 }
            .merging(["TRIOS": seed % 2 == 0 ? "on" : "off"]) { $1 }
            .merging(mistake?.settings ?? [:]) { $1 }
        let receiver = try await WebhookReceiver()
        let program = hook == nil && mistake == nil ? BuiltProgram.server : .faultyServer
        return try await Fleet.with(servers, settings, of: program) { fleet in
            let crowd = people(at: fleet, tellingOf: receiver, configuration)
            let lives = crowd.map { person in Task { await person.live() } }
            let staff = BesiegedOperator(settings: settings, grid: Self.grid, fleet: fleet)
            let watch = Task { await staff.work() }
            // A planted mistake makes a result wrong however busy the machine is.
            let turns = mistake == nil ? Task { await fleet.watchTurns() } : nil
            var findings = Findings(people: crowd.count)
            let end = crowd.map { Self.grid.endsAt($0.slot) }.max() ?? .now
            switch (attack, hook) {
            case (.faults(let catalogue), let hook?):
                findings.strikes = try await strike(catalogue, hook, fleet, until: end)
            case (.instants(let count, _), _):
                findings.strikes = try await strike(count, fleet, cluster, until: end)
            case (.faults, nil): break
            }
            try await Timestamp.reach(end)
            watch.cancel()
            await watch.value
            var check = SiegeCheck(
                crowd: crowd, receiver: receiver, configuration: configuration, uptime: fleet.uptime)
            // A planted mistake makes a result wrong, and not only late.
            if mistake != nil { check.patience = .seconds(8) }
            turns?.cancel()
            await turns?.value
            findings.starved = fleet.uptime.starved
            findings.violations = await check.violations()
            findings.surprises = crowd.flatMap { person in
                person.ledger.surprises.map { "\(person.description): \($0)" }
            }
            findings.starts = fleet.starts
            findings.deliveries = receiver.repeated
            findings.log = fleet.log
            for life in lives { life.cancel() }
            for life in lives { await life.value }
            return findings
        }
    }

    /// Returns one person of each part for every slot, and a second goner, since only they execute those
    /// statements; each has a server of their own.
    private func people(
        at fleet: Fleet, tellingOf receiver: WebhookReceiver, _ configuration: PostgresConfiguration
    ) -> [BesiegedPerson] {
        var generator = SplitMix64(seed: seed)
        let first = Self.grid.slot(openingAfter: .milliseconds(3200))
        return (0..<slots).flatMap { index in
            let feud = Feud(in: configuration)
            return (BesiegedPerson.Part.allCases + [.goner]).map { part in
                BesiegedPerson(
                    part, first.adding(.seconds(Self.grid.slotSeconds * Int64(index))), Self.grid,
                    at: Int(generator.next() % UInt64(servers)), of: fleet, tellingOf: receiver,
                    feud: part == .offended || part == .offender ? feud : nil, seed: generator.next())
            }
        }
    }

    /// Only starts servers on an empty database, while one fault strikes after the other; returns how many
    /// have. Throws when the servers do not become ready in the end.
    static func start(_ servers: Int, under catalogue: FaultCatalogue) async throws -> Int {
        try await TestDatabase.with { database in
            let hook = try catalogue.hook()
            let strikes = Lock(0)
            let striking = Task {
                // A fleet whose servers end more often than that is given up.
                for _ in 0..<12 {
                    hook.arm(catalogue.ways.shuffled())
                    while hook.isArmed { try await ContinuousClock().sleep(for: poll) }
                    strikes.withLock { $0 += 1 }
                }
            }
            defer { striking.cancel() }
            let settings = settings.merging(["DATABASE_URL": database.url]) { $1 }
                .merging(hook.settings) { $1 }
            return try await Fleet.with(servers, settings, of: .faultyServer) { _ in
                striking.cancel()
                return strikes.withLock { $0 }
            }
        }
    }

    // Attacks.

    /// Lets one fault strike after the other; returns how many have. Servers that are killed need time in
    /// between, or they would never get far.
    private func strike(
        _ catalogue: FaultCatalogue, _ hook: FaultHook, _ fleet: Fleet, until end: Timestamp
    ) async throws -> Int {
        let isKilling = catalogue.ways == StatementFault.kills
        var generator = SplitMix64(seed: seed ^ 0xFA17)
        var strikes = 0
        var restart = Timestamp.now
        while Timestamp.now < end {
            hook.arm(catalogue.ways.shuffled(using: &generator))
            while hook.isArmed && Timestamp.now < end {
                // Where nothing else kills servers, this does, so that their starts are struck as well.
                if !isKilling && restart <= Timestamp.now {
                    fleet.kill(Int.random(in: 0..<servers, using: &generator))
                    restart = Timestamp.now.adding(.seconds(Self.grid.slotSeconds))
                }
                try await ContinuousClock().sleep(for: Self.poll)
            }
            if !hook.disarm() { strikes += 1 }
            let pause = Int.random(in: isKilling ? 500...2500 : 20...200, using: &generator)
            try await ContinuousClock().sleep(for: .milliseconds(pause))
        }
        return strikes
    }

    /// Strikes at random instants, spread over the time that is left; returns how often.
    private func strike(
        _ count: Int, _ fleet: Fleet, _ cluster: TestCluster?, until end: Timestamp
    ) async throws -> Int {
        var generator = SplitMix64(seed: seed ^ 0x1257)
        let start = Timestamp.now.microseconds
        let instants = (0..<count).map { _ in Int64.random(in: start...end.microseconds, using: &generator) }
        for instant in instants.sorted() {
            try await Timestamp.reach(Timestamp(microseconds: instant))
            let choice = Int.random(in: 0..<8, using: &generator)
            let freeze = Duration.milliseconds(Int.random(in: 100...2500, using: &generator))
            switch (choice, cluster) {
            case (0, let cluster?):
                try await fleet.uptime.withoutDatabase {
                    try await cluster.kill()
                    try await cluster.start()
                }
            case (1, let cluster?):
                try await fleet.uptime.withoutDatabase {
                    try await cluster.stop()
                    try await cluster.start()
                }
            case (2, let cluster?), (3, let cluster?):
                try await fleet.uptime.withoutDatabase {
                    cluster.freeze()
                    try await ContinuousClock().sleep(for: freeze)
                    cluster.thaw()
                }
            case (4, _): fleet.killAll()
            default: fleet.kill(Int.random(in: 0..<servers, using: &generator))
            }
        }
        return count
    }
}
