import PostgresFaults
import Reactor

/// The whole run of `script/dev/crash`: each fault at each site, with one server and with two, and random
/// instants.
///
/// It reports its progress in the `CrashLog`.
struct Campaign: Sendable {
    let instants: Int
    let seed: UInt64
    /// The number of concurrent sieges.
    let lanes: Int
    /// The parts that run: `kills`, `failures`, `instants`.
    let parts: Set<String>
    /// The numbers of servers of the sieges of faults, one after the other.
    let servers: [Int]
    /// Whether commits are flushed to the disk.
    let isDurable: Bool

    /// The number of random instants of a siege.
    private static let instantsOfOne = 10

    /// The campaign that the environment asks for, if any.
    static let asked: Campaign? = {
        let environment = ProcessEnvironment.current()
        guard let instants = environment["CRASH_INSTANTS"].flatMap({ Int($0) }),
            let seed = environment["CRASH_SEED"].flatMap({ UInt64($0) })
        else { return nil }
        let parts = environment["CRASH_PARTS"] ?? "kills,failures,instants"
        return Campaign(
            instants: instants, seed: seed, lanes: environment["CRASH_LANES"].flatMap { Int($0) } ?? 2,
            parts: Set(parts.split(separator: ",").map(String.init)),
            servers: (environment["CRASH_SERVERS"] ?? "1,2").split(separator: ",").compactMap { Int($0) },
            isDurable: environment["CRASH_DURABLE"] == "1")
    }()

    /// Runs the campaign; returns the number of violations.
    func run() async throws -> Int {
        var violations = 0
        var figures: [String] = []
        for (part, ways) in [("kills", StatementFault.kills), ("failures", StatementFault.failures)]
        where parts.contains(part) {
            for servers in servers {
                let catalogue = try FaultCatalogue(ways)
                violations += await exhaust(catalogue, "\(part), \(servers) server(s)", servers)
                figures.append("\(part), \(servers) server(s): \(catalogue.summary)")
            }
        }
        if parts.contains("instants") {
            violations += await strikeAtRandom()
            figures.append("random instants: \(instants)")
        }
        say("in all, from seed \(seed):")
        for figure in figures { say("  \(figure)") }
        say(violations == 0 ? "everything held" : "\(violations) violations")
        return violations
    }

    /// Runs sieges until every fault at every site has struck, or no more do; returns the number of
    /// violations.
    private func exhaust(_ catalogue: FaultCatalogue, _ part: String, _ servers: Int) async -> Int {
        // Sites that only the first start passes are rarely struck in a siege.
        var violations = await strikeAtStart(catalogue, part, servers)
        var seed = seed
        var round = 0
        var before = 0
        repeat {
            before = catalogue.struck
            round += 1
            let sieges = (0..<lanes).map { lane in
                Siege(
                    seed: seed &+ UInt64(lane), servers: servers, slots: 6, attack: .faults(catalogue),
                    isDurable: isDurable)
            }
            seed &+= UInt64(lanes)
            violations += await run(sieges).violations
            say("\(part), round \(round): \(catalogue.summary)")
        } while catalogue.struck > before && !catalogue.missed.isEmpty
        let (missed, sites) = (catalogue.missed, catalogue.sites)
        say("\(part): \(missed.count) waited in vain for their statement, see the log")
        for fault in missed { write("not passed again: \(fault) \(sites[fault.site] ?? "")") }
        for (site, label) in sites.sorted(by: { $0.key < $1.key }) { write("site \(site) \(label)") }
        return violations
    }

    /// Starts servers until a start passes no site that has not been struck; returns the number of
    /// violations.
    private func strikeAtStart(_ catalogue: FaultCatalogue, _ part: String, _ servers: Int) async -> Int {
        let violations = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<lanes {
                group.addTask {
                    do {
                        while try await Siege.start(servers, under: catalogue) > 0 {}
                        return 0
                    } catch {
                        say("VIOLATION, a start: \(error)")
                        return 1
                    }
                }
            }
            return await group.reduce(0, +)
        }
        say("\(part), starts: \(catalogue.summary)")
        return violations
    }

    private func strikeAtRandom() async -> Int {
        var violations = 0
        var done = 0
        var seed = seed
        while done < instants {
            let count = min(lanes, (instants - done + Self.instantsOfOne - 1) / Self.instantsOfOne)
            let sieges = (0..<count).map { lane in
                Siege(
                    seed: seed &+ UInt64(lane), servers: 1 + Int((seed &+ UInt64(lane)) % 2), slots: 4,
                    attack: .instants(
                        min(Self.instantsOfOne, instants - done),
                        // Every other siege: the rest leave more time for what servers do with each other.
                        postgres: (seed &+ UInt64(lane)) / 2 % 2 == 0),
                    isDurable: isDurable)
            }
            seed &+= UInt64(count)
            let findings = await run(sieges)
            violations += findings.violations
            // No siege came to its end, and no other would.
            if findings.strikes == 0 { break }
            done += findings.strikes
            say("random instants: \(done) of \(instants)")
        }
        return violations
    }

    private func run(_ sieges: [Siege]) async -> (violations: Int, strikes: Int) {
        await withTaskGroup(of: (Siege, Siege.Findings).self) { group in
            for siege in sieges { group.addTask { (siege, await findings(of: siege)) } }
            var sum = (violations: 0, strikes: 0)
            for await (siege, findings) in group {
                let wrong = findings.violations + findings.surprises
                sum.violations += wrong.count
                sum.strikes += findings.strikes
                write(
                    "siege \(siege.seed): \(findings.strikes) strikes, \(findings.people) people, "
                        + "\(findings.starts) starts of a server, \(findings.deliveries.of) webhook "
                        + "messages, "
                        + "\(findings.deliveries.messages) of them more than once, "
                        + "the machine was too busy for \(findings.starved)")
                for violation in wrong { say("VIOLATION, seed \(siege.seed): \(violation)") }
                if !wrong.isEmpty { complain(siege, findings.log) }
            }
            return sum
        }
    }

    /// Runs a siege. One that throws counts as a violation, and the others continue.
    private func findings(of siege: Siege) async -> Siege.Findings {
        do {
            return try await siege.run()
        } catch {
            return Siege.Findings(violations: ["the siege itself failed: \(error)"])
        }
    }

    private func complain(_ siege: Siege, _ log: String) {
        for line in log.split(separator: "\n") { write("crash-log \(siege.seed): \(line)") }
    }

    private func say(_ line: String) { CrashLog.say(line) }

    private func write(_ line: String) { CrashLog.write(line) }
}
