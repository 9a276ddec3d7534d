import Glibc
import Reactor
import TestSupport

/// All that `script/crash` runs: each fault at each site, with one server and with two, and random instants.
///
/// Says how it goes in the file `CRASH_LOG`, since the test runner keeps back what is printed; lines for people begin with
/// `crash:`.
struct Campaign: Sendable {
    let instants: Int
    let seed: UInt64
    /// Sieges at once.
    let lanes: Int
    /// What is run: `kills`, `failures`, `instants`.
    let parts: Set<String>

    /// A siege at random instants has so many of them.
    private static let instantsOfOne = 10

    /// What the environment asks for.
    static let asked: Campaign? = {
        let environment = ProcessEnvironment.current()
        guard let instants = environment["CRASH_INSTANTS"].flatMap({ Int($0) }),
            let seed = environment["CRASH_SEED"].flatMap({ UInt64($0) })
        else { return nil }
        let parts = environment["CRASH_PARTS"] ?? "kills,failures,instants"
        return Campaign(
            instants: instants, seed: seed, lanes: environment["CRASH_LANES"].flatMap { Int($0) } ?? 6,
            parts: Set(parts.split(separator: ",").map(String.init)))
    }()

    /// Answers the number of violations.
    func run() async throws -> Int {
        var violations = 0
        for (part, ways) in [("kills", FaultFolder.Way.kills), ("failures", FaultFolder.Way.failures)]
        where parts.contains(part) {
            for servers in 1...2 { violations += try await exhaust(part, ways, servers) }
        }
        if parts.contains("instants") { violations += try await strikeAtRandom() }
        say(violations == 0 ? "everything held" : "\(violations) violations")
        return violations
    }

    /// Sieges until every fault at every site has struck, or was waited for in vain.
    private func exhaust(_ part: String, _ ways: [FaultFolder.Way], _ servers: Int) async throws -> Int {
        let catalogue = FaultCatalogue(ways)
        var violations = 0
        var seed = seed
        var round = 0
        // Two rounds in a row without a strike: nothing more will come.
        var quiet = 0
        repeat {
            let before = catalogue.struck
            round += 1
            let sieges = (0..<lanes).map { lane in
                Siege(seed: seed &+ UInt64(lane), servers: servers, slots: 6, attack: .faults(catalogue))
            }
            seed &+= UInt64(lanes)
            violations += try await run(sieges).violations
            say(
                "\(part), \(servers) server(s), round \(round): \(catalogue.struck) faults have struck at "
                    + "\(catalogue.sites) sites, \(catalogue.left) to go")
            quiet = catalogue.struck == before ? quiet + 1 : 0
        } while catalogue.left > 0 && quiet < 2
        let missed = catalogue.missed
        say("\(part), \(servers) server(s): \(missed.count) waited in vain for their statement, see the log")
        for fault in missed { write("not passed again: \(fault)") }
        return violations
    }

    private func strikeAtRandom() async throws -> Int {
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
                        // Every other one: the rest have more time for what servers do with each other.
                        postgres: (seed &+ UInt64(lane)) / 2 % 2 == 0))
            }
            seed &+= UInt64(count)
            let findings = try await run(sieges)
            violations += findings.violations
            done += findings.strikes
            say("random instants: \(done) of \(instants)")
        }
        return violations
    }

    private func run(_ sieges: [Siege]) async throws -> (violations: Int, strikes: Int) {
        try await withThrowingTaskGroup(of: (Siege, Siege.Findings).self) { group in
            for siege in sieges { group.addTask { (siege, try await siege.run()) } }
            var sum = (violations: 0, strikes: 0)
            for try await (siege, findings) in group {
                let wrong = findings.violations + findings.surprises
                sum.violations += wrong.count
                sum.strikes += findings.strikes
                write(
                    "siege \(siege.seed): \(findings.strikes) strikes, \(findings.people) people, "
                        + "\(findings.starts) starts of a server")
                for violation in wrong { say("VIOLATION, seed \(siege.seed): \(violation)") }
                if !wrong.isEmpty { complain(siege, findings.log) }
            }
            return sum
        }
    }

    private func complain(_ siege: Siege, _ log: String) {
        for line in log.split(separator: "\n") { write("crash-log \(siege.seed): \(line)") }
    }

    private func say(_ line: String) { write("crash: \(line)") }

    private func write(_ line: String) {
        let path = ProcessEnvironment.current()["CRASH_LOG"] ?? "/dev/stderr"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array("\(line)\n".utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
