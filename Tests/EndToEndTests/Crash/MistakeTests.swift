import PostgresFaults
import Reactor
import Testing

/// Tests of the harness itself: it must find what was planted.
@Suite("A siege of servers that make a mistake on purpose")
struct MistakeTests {
    /// The seed; `CRASH_SEED` repeats one that was printed.
    private static let seed: UInt64 =
        ProcessEnvironment.current()["CRASH_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64(UInt32.max))

    /// The number of sieges of two slots, at most, until the mistake is found.
    private static let sieges: UInt64 = 6

    @Test(
        "ends with a violation",
        arguments: PlantedMistake.allCases.filter { !PlantedMistake.ofClusters.contains($0) })
    func found(mistake: PlantedMistake) async throws {
        for number in 0..<Self.sieges {
            let siege = Siege(
                seed: Self.seed &+ number, servers: 1, slots: 2,
                attack: .instants(mistake.kills, postgres: false), mistake: mistake)
            let findings = try await Permits.shared.with { try await siege.run() }
            let found = findings.violations + findings.surprises
            for violation in found { CrashLog.write("\(mistake), seed \(siege.seed): \(violation)") }
            let sign = found.first { violation in mistake.signs.contains { violation.contains($0) } }
            guard let first = sign else { continue }
            CrashLog.say("\(mistake): found in siege \(number + 1), seed \(siege.seed): \(first)")
            return
        }
        CrashLog.say("\(mistake): NOT FOUND from seed \(Self.seed)")
        Issue.record("\(mistake) was not found, CRASH_SEED=\(Self.seed)")
    }

    @Test("is planted in statements that the servers have", arguments: PlantedMistake.allCases)
    func planted(mistake: PlantedMistake) async throws {
        for change in mistake.changes {
            let places = try await Self.files(with: change.mark).intersection(
                try await Self.files(with: change.old))
            #expect(!places.isEmpty, "\(change)")
        }
    }

    /// Returns the source files that contain the text.
    private static func files(with text: String) async throws -> Set<Substring> {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let found = try await Finished.run(
            "grep", ["-rlF", "--include=*.swift", "-e", text, "\(root)/Sources"])
        return Set(found.output.split(separator: "\n"))
    }
}
