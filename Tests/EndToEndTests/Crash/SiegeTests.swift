import PostgresFaults
import Reactor
import Testing

/// Servers are killed at every step, statements fail in every way, and PostgreSQL goes away: afterwards each
/// person who registered is in exactly one room and was notified exactly once.
///
/// In the suite it is a sample; `script/dev/crash` runs the whole.
@Suite("Under siege")
struct SiegeTests {
    /// The seed; `CRASH_SEED` repeats one that was printed.
    private static let seed: UInt64 =
        ProcessEnvironment.current()["CRASH_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64(UInt32.max))

    @Test(
        "no person is lost, matched twice or notified twice, whatever strikes",
        .enabled(if: Campaign.asked == nil))
    func sample() async throws {
        let kills = try FaultCatalogue(StatementFault.kills)
        let failures = try FaultCatalogue(StatementFault.failures)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, (servers, attack)) in [
                (1, Siege.Attack.faults(kills)), (2, .faults(kills)), (2, .faults(failures)),
                (1, .instants(4, postgres: true)),
            ].enumerated() {
                group.addTask {
                    let siege = Siege(
                        seed: Self.seed &+ UInt64(index), servers: servers, slots: 2, attack: attack)
                    let findings = try await Permits.shared.with { try await siege.run() }
                    #expect(findings.violations == [], "CRASH_SEED=\(Self.seed), siege \(index)")
                    if !findings.violations.isEmpty {
                        Attachment.record(findings.log, named: "siege-\(index).log")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("the whole campaign", .enabled(if: Campaign.asked != nil))
    func campaign() async throws {
        guard let campaign = Campaign.asked else { return }
        #expect(try await campaign.run() == 0)
    }
}
