import Reactor
import Testing

/// Three servers are killed, and their links to each other and to the database are cut, delayed and reset:
/// every acknowledged ale takes effect once, or its people are told that the room started again.
///
/// In the suite it is a sample; `script/dev/crash cuts` runs the whole.
@Suite("Several servers under cuts")
struct CutTests {
    static let environment = ProcessEnvironment.current()
    /// The number of strikes that `script/dev/crash cuts` asks for.
    private static let asked = environment["CRASH_CUTS"].flatMap { Int($0) }
    /// The number of concurrent sieges.
    private static let lanes = environment["CRASH_LANES"].flatMap { Int($0) } ?? 1
    /// The seed; `CRASH_SEED` repeats one that was printed.
    static let seed =
        environment["CRASH_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))

    private static let strikesOfRound = 10
    private static let roundsOfSiege = 5

    @Test("lose no ale and double none", .enabled(if: CutTests.asked == nil && Campaign.asked == nil))
    func sample() async throws {
        var siege = CutSiege(seed: Self.seed, rounds: 1, strikesOfRound: 8)
        // Other tests keep the machine busy meanwhile.
        siege.reunion = .seconds(40)
        let sample = siege
        let findings = try await Permits.shared.with { try await sample.run() }
        #expect(findings.violations == [], "CRASH_SEED=\(Self.seed)")
        if !findings.violations.isEmpty { Attachment.record(findings.log, named: "cuts.log") }
    }

    @Test("the whole of it", .enabled(if: CutTests.asked != nil))
    func whole() async throws {
        guard let strikes = Self.asked else { return }
        let begun = ContinuousClock.now
        var all = CutSiege.Findings()
        var seed = Self.seed
        while all.struck < strikes {
            let sieges = (0..<Self.lanes).map { lane in
                let rounds = (strikes - all.struck + Self.strikesOfRound - 1) / Self.strikesOfRound
                return CutSiege(
                    seed: seed &+ UInt64(lane), rounds: min(rounds, Self.roundsOfSiege),
                    strikesOfRound: Self.strikesOfRound)
            }
            seed &+= UInt64(Self.lanes)
            let before = all.struck
            await run(sieges, &all)
            // No siege came to its end, and no other would.
            if all.struck == before { break }
            CrashLog.say(
                "\(all.struck) of \(strikes) kills and cuts, \(all.acknowledged) ales acknowledged, "
                    + "\(all.violations.count) violations")
        }
        let seconds = (ContinuousClock.now - begun).components.seconds
        for (name, count) in all.strikes.sorted(by: { $0.key < $1.key }) {
            CrashLog.say("  \(name): \(count)")
        }
        CrashLog.say(
            "\(all.struck) kills and cuts, \(all.starts) starts of a server, \(all.acknowledged) ales "
                + "acknowledged, \(all.resumed) times back in the same run of a room and \(all.begunAnew) "
                + "times in a new one, together again within \(all.longestReunion), \(seconds) s")
        #expect(all.violations == [])
        if all.violations.isEmpty { CrashLog.say("everything held") }
    }

    private func run(_ sieges: [CutSiege], _ all: inout CutSiege.Findings) async {
        await withTaskGroup(of: (CutSiege, CutSiege.Findings).self) { group in
            for siege in sieges { group.addTask { (siege, await findings(of: siege)) } }
            for await (siege, findings) in group {
                all.add(findings)
                for violation in findings.violations {
                    CrashLog.say("VIOLATION, seed \(siege.seed): \(violation)")
                }
                if findings.violations.isEmpty { continue }
                for line in findings.log.split(separator: "\n") {
                    CrashLog.write("crash-log \(siege.seed): \(line)")
                }
            }
        }
    }

    /// Runs a siege. One that throws counts as a violation, and the others continue.
    private func findings(of siege: CutSiege) async -> CutSiege.Findings {
        do {
            return try await siege.run()
        } catch {
            return CutSiege.Findings(violations: ["the siege itself failed: \(error)"])
        }
    }
}

/// Tests of the siege itself: it must find what was planted. `script/dev/crash mistakes` runs them.
@Suite("A siege by cuts of servers that make a mistake on purpose")
struct CutMistakeTests {
    /// The number of sieges, at most, until the mistake is found.
    private static let sieges: UInt64 = 3
    private static let rounds = 4

    @Test(
        "ends with a violation", .enabled(if: CutTests.environment["CRASH_LOG"] != nil),
        arguments: PlantedCutMistake.allCases)
    func found(mistake: PlantedCutMistake) async throws {
        for number in 0..<Self.sieges {
            let siege = CutSiege(
                seed: CutTests.seed &+ number, rounds: Self.rounds, strikesOfRound: 10, mistake: mistake)
            let findings = try await Permits.shared.with { try await siege.run() }
            for violation in findings.violations {
                CrashLog.write("\(mistake), seed \(siege.seed): \(violation)")
            }
            let sign = findings.violations.first { violation in
                mistake.signs.contains { violation.contains($0) }
            }
            guard let first = sign?.split(separator: "\n").first else { continue }
            CrashLog.say("\(mistake): found in siege \(number + 1), seed \(siege.seed): \(first)")
            return
        }
        CrashLog.say("\(mistake): NOT FOUND from seed \(CutTests.seed)")
        Issue.record("\(mistake) was not found, CRASH_SEED=\(CutTests.seed)")
    }
}
