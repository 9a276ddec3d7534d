import Reactor
import Testing

/// Servers are killed while they deliver: every notification is received, under one id.
///
/// In the suite it is a sample; `script/dev/crash deliveries` runs the whole.
@Suite("Deliveries under siege")
struct KilledDeliveryWorkerTests {
    private static let environment = ProcessEnvironment.current()
    /// The number of kills that `script/dev/crash deliveries` asks for.
    private static let asked = environment["CRASH_DELIVERIES"].flatMap { Int($0) }
    /// The seed; `CRASH_SEED` repeats one that was printed.
    private static let seed =
        environment["CRASH_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))

    @Test(
        "nothing is lost, and nothing gets a second id",
        .enabled(if: KilledDeliveryWorkerTests.asked == nil && Campaign.asked == nil))
    func sample() async throws {
        let siege = DeliverySiege(seed: Self.seed, kills: 4)
        let findings = try await Permits.shared.with { try await siege.run() }
        #expect(findings.violations == [], "CRASH_SEED=\(Self.seed)")
        #expect(findings.deliveries == 400)
        if !findings.violations.isEmpty { Attachment.record(findings.log, named: "deliveries.log") }
    }

    @Test("the whole of it", .enabled(if: KilledDeliveryWorkerTests.asked != nil))
    func whole() async throws {
        guard let kills = Self.asked else { return }
        let begun = ContinuousClock.now
        let findings = try await DeliverySiege(seed: Self.seed, kills: kills).run()
        let seconds = (ContinuousClock.now - begun).components.seconds
        for violation in findings.violations { CrashLog.say("VIOLATION: \(violation)") }
        if !findings.violations.isEmpty { CrashLog.write(findings.log) }
        CrashLog.say(
            "\(kills) kills, PostgreSQL restarted once and killed once, \(findings.starts) starts of a "
                + "server, "
                + "\(seconds) s")
        CrashLog.say(
            "\(findings.deliveries) deliveries: \(findings.twice) came twice, \(findings.moreOften) more "
                + "often"
        )
        if let gap = findings.shortestGap { CrashLog.say("none came again within \(gap)") }
        #expect(findings.violations == [])
        if findings.violations.isEmpty { CrashLog.say("everything held") }
    }
}
