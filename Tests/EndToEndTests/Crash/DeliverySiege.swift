import Client
import Codecs
import Contract
import Postgres
import PostgresTesting
import TestKit

/// A siege in which two servers share deliveries and are killed at random instants while these are in flight;
/// twice the database goes away too. Afterwards each delivery has been received, under one id, and is
/// settled.
struct DeliverySiege: Sendable {
    struct Findings: Sendable {
        /// The violations; empty when all is well.
        var violations: [String] = []
        var deliveries = 0
        /// The number of deliveries that were received twice; `moreOften` counts those received more often.
        var twice = 0
        var moreOften = 0
        /// The shortest interval between two receptions of the same delivery; nil when none came twice.
        var shortestGap: Duration?
        /// The number of starts of a server.
        var starts = 0
        /// The last log lines of the servers.
        var log = ""
    }

    private static let servers = 2
    /// The number of people who register before each kill.
    private static let peopleOfOne = 10
    private static let webhooksOfOne = 10
    /// The longest life of a ready server, in milliseconds.
    private static let longestLife = 800
    private static let patience = Duration.seconds(180)

    let seed: UInt64
    /// The number of kills. At a third of them PostgreSQL is restarted, at two thirds it is killed.
    let kills: Int

    private var people: Int { kills * Self.peopleOfOne }
    private var deliveries: Int { people * Self.webhooksOfOne }

    /// Runs the siege, from the first person to the last delivery.
    func run() async throws -> Findings {
        let cluster = try await TestCluster.make()
        defer { cluster.remove() }
        let configuration = try PostgresConfiguration(url: cluster.url())
        try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
            // Settled deliveries are flushed to the disk, as in production.
            try await connection.simple("ALTER DATABASE postgres SET synchronous_commit = on")
        }
        let receiver = try await SlowReceiver(paths: deliveries, seed: seed)
        let settings = Grid.openNow.settings.merging([
            "DATABASE_URL": cluster.url(), "ALLOW_PRIVATE_WEBHOOKS": "true",
            "WEBHOOKS_PER_SECOND": "0",
        ]) { $1 }
        return try await Fleet.with(Self.servers, settings) { fleet in
            let crowd = try await crowd(at: fleet)
            try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
                _ = try await connection.query(
                    Self.makeEndpoints, [receiver.authority, Int64(Self.webhooksOfOne)])
            }
            try await strike(crowd, fleet, cluster)
            var findings = await findings(receiver, configuration)
            findings.starts = fleet.starts
            findings.log = fleet.log
            return findings
        }
    }

    /// The statement that makes the webhooks, each with a path of its own.
    private static let makeEndpoints = """
        INSERT INTO endpoints (id, user_id, kind, address, host, types, secret, created_at)
        SELECT gen_random_uuid(), users.id, 'webhook',
            'http://' || $1::text || '/' || users.id || '/' || number,
            $1::text, '{room.opened}', sha256(convert_to(users.id || '/' || number, 'UTF8')), now()
        FROM users CROSS JOIN generate_series(1, $2::int8) AS number
        """

    private func crowd(at fleet: Fleet) async throws -> [Person] {
        var crowd: [Person] = []
        while crowd.count < people {
            let server = try await readyServer(crowd.count % Self.servers, of: fleet)
            crowd += try await Person.crowd(Self.peopleOfOne, on: server)
        }
        return crowd
    }

    // Strikes.

    /// Kills a server again and again. More people register before each kill, so that there is always
    /// something to deliver.
    private func strike(_ crowd: [Person], _ fleet: Fleet, _ cluster: TestCluster) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var generator = SplitMix64(seed: seed)
            var dead: ServerProcess?
            for number in 0..<kills {
                let index = Int(generator.next() % UInt64(Self.servers))
                let server = try await readyServer(index, of: fleet, besides: dead)
                for person in crowd[(number * Self.peopleOfOne)...].prefix(Self.peopleOfOne) {
                    let home = Int(generator.next() % UInt64(Self.servers))
                    group.addTask { try await register(person, at: home, of: fleet) }
                }
                let life = Int.random(in: 0..<Self.longestLife, using: &generator)
                try await ContinuousClock().sleep(for: .milliseconds(life))
                if number == kills / 3 {
                    try await cluster.stop()
                    try await cluster.start()
                } else if number == kills * 2 / 3 {
                    try await cluster.kill()
                    try await cluster.start()
                }
                await server.kill()
                dead = server
                if (number + 1).isMultiple(of: 10) { CrashLog.say("\(number + 1) of \(kills) kills") }
            }
            try await group.waitForAll()
        }
    }

    /// Returns a server that can deliver. `dead` was killed a moment ago, which the fleet may not have
    /// noticed.
    private func readyServer(
        _ index: Int, of fleet: Fleet, besides dead: ServerProcess? = nil
    ) async throws -> ServerProcess {
        let end = Timestamp.now.adding(Self.patience)
        while Timestamp.now < end {
            let server = try await fleet.server(index)
            // The wait throws when the server ends before.
            if server !== dead, (try? await server.waitUntilReady()) != nil { return server }
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
        throw TestError("no server becomes ready:\n\(fleet.log)")
    }

    /// Registers, with as many attempts as it takes.
    private func register(_ person: Person, at home: Int, of fleet: Fleet) async throws {
        while true {
            do {
                try await person.at(try await fleet.server(home)).register(Grid.openNow.openSlot)
                return
            } catch let error as ClientError {
                // The registration is stored already, and the answer was lost.
                if case .problem(let problem) = error, problem.status == 409 { return }
                guard Self.isPassing(error) else { throw error }
                try await ContinuousClock().sleep(for: .milliseconds(50))
            }
        }
    }

    private static func isPassing(_ error: ClientError) -> Bool {
        if case .unexpected = error { return true }
        return error.isTransient
    }

    // Checks.

    private static let unsettled = "SELECT count(*) FROM deliveries WHERE settled_at IS NULL"

    private static let results = """
        SELECT delivery.id, endpoint.address, delivery.outcome
        FROM endpoints AS endpoint
        LEFT JOIN deliveries AS delivery ON delivery.endpoint_id = endpoint.id
        """

    private func findings(_ receiver: SlowReceiver, _ configuration: PostgresConfiguration) async -> Findings
    {
        var findings = Findings()
        do {
            try await within("every delivery", limit: Self.patience) { await receiver.waitUntilComplete() }
        } catch {
            findings.violations.append(
                "\(receiver.paths) of \(deliveries) were received in \(Self.patience)")
        }
        do {
            try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
                try await waitUntilSettled(connection)
                for row in try await connection.query(Self.results) {
                    findings.deliveries += 1
                    findings.violations += try violations(of: row, receiver)
                }
            }
        } catch {
            findings.violations.append("the check itself failed: \(error)")
        }
        if findings.deliveries != deliveries {
            findings.violations.append("\(findings.deliveries) deliveries, and not \(deliveries)")
        }
        findings.twice = receiver.deliveries { $0 == 2 }
        findings.moreOften = receiver.deliveries { $0 > 2 }
        findings.shortestGap = receiver.shortestGap
        return findings
    }

    private func waitUntilSettled(_ connection: PostgresConnection) async throws {
        let end = Timestamp.now.adding(Self.patience)
        while try await connection.query(Self.unsettled)[0].decode(0, Int64.self) > 0 {
            guard Timestamp.now < end else { throw TestError("something is never settled") }
            try await ContinuousClock().sleep(for: .milliseconds(100))
        }
    }

    private func violations(of row: PostgresRow, _ receiver: SlowReceiver) throws -> [String] {
        let address = try row.decode(1, String.self)
        guard let id = try row.decode(0, Int64?.self) else { return ["\(address) has no delivery"] }
        var found: [String] = []
        let outcome = try row.decode(2, String?.self) ?? "nothing"
        if outcome != "delivered" { found.append("\(address): \(outcome) came of it") }
        let path = String(address.dropFirst("http://\(receiver.authority)".count))
        let ids = receiver.ids(at: path)
        if ids != ["msg_\(id)"] { found.append("\(address): received as \(ids.sorted()), and not msg_\(id)") }
        return found
    }
}
