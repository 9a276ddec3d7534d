import Client
import Contract
import Reactor
import TestSupport
import Testing

/// Two people in one room, over networks that fail as a seed decides, and a server that is killed.
///
/// A run of the room, which its `epoch` names, is one server process: within it every ale takes effect exactly
/// once and in order, whatever the network does. A kill forgets which messageIds were seen and which ales
/// were relayed. So what was settled before it stays settled, and what was under way at that moment is sent
/// again: it may take effect once more in the new run, and what the other had not heard yet is not told again.
@Suite("Two people over bad networks")
struct ChaosTests {
    /// `CHAOS_SEEDS` and `CHAOS_ALES` make it as long as one likes; `CHAOS_SEED` begins at one that failed. Without
    /// them the networks fail the same way every time: `script/chaos` looks for new ones.
    private static func setting(_ name: String) -> UInt64? {
        ProcessEnvironment.current()[name].flatMap { UInt64($0) }
    }

    private static let seeds: [UInt64] = {
        let first = setting("CHAOS_SEED") ?? 1
        return (0..<(setting("CHAOS_SEEDS") ?? 2)).map { first &+ $0 }
    }()

    /// Of both together.
    private static let ales = Int(setting("CHAOS_ALES") ?? 600)
    private static let round = 50

    private static var faults: Faults {
        var faults = Faults()
        faults.refusal = 0.3
        // So that each link breaks some dozens of times, however long the test is. Half-open links are fewer: the server
        // counts each among a member's devices until it misses the heartbeat.
        faults.reset = min(0.01, 20 / Double(ales))
        faults.halfOpen = faults.reset / 4
        faults.duplication = 0.3
        faults.delay = .zero ... .milliseconds(1)
        return faults
    }

    private func play(
        _ seed: UInt64, _ body: (Stage, ServerProcess, ChaosMember, ChaosMember) async throws -> Void
    ) async throws {
        try await Stage.with(.openNow, ["ALES_PER_SECOND": "0", "PING_SECONDS": "5"]) { stage in
            let server = try await stage.start()
            let people = try await Person.crowd(2, on: server)
            let room = try await people[0].enter(stage.grid.openSlot).roomId
            // Who comes late joins who is alone.
            #expect(try await people[1].enter(stage.grid.openSlot).roomId == room)
            let members = try await [
                ChaosMember(people[0], in: room, on: server, Self.faults, seed: seed &* 2),
                ChaosMember(people[1], in: room, on: server, Self.faults, seed: seed &* 2 &+ 1),
            ]
            do {
                try await ChaosMember.with(members) {
                    try await meet(members, after: [""])
                    try await body(stage, server, members[0], members[1])
                }
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
            for member in members {
                #expect(member.ledger.surprises.isEmpty, "seed \(seed)")
                #expect(ChaosLedger.rises(member.ledger.heard), "seed \(seed)")
                #expect(ChaosLedger.rises(member.ledger.acknowledged.map(\.number)), "seed \(seed)")
                // Each exactly once, in the order in which they were given.
                #expect(member.ledger.acknowledged.map(\.id) == member.sent, "seed \(seed)")
            }
        }
    }

    /// Returns once both are in the same run of the room, which is none of those.
    private func meet(_ members: [ChaosMember], after old: Set<String>) async throws {
        for member in members {
            try await member.reach("a new run") { ledger in !old.contains(ledger.epoch) }
        }
    }

    /// Both cheer, and everything arrives.
    private func exchange(_ members: [ChaosMember]) async throws {
        async let first: Void = members[0].cheer(Self.round)
        async let second: Void = members[1].cheer(Self.round)
        _ = await (first, second)
        for (member, other) in [(members[0], members[1]), (members[1], members[0])] {
            let (own, others) = (member.sent.count, other.sent.count)
            try await member.reach("\(own) acknowledged, and \(others) heard") { ledger in
                ledger.acknowledged.count >= own && ledger.heard.count >= others
            }
        }
    }

    private func restart(
        _ server: ServerProcess, on stage: Stage, _ members: [ChaosMember]
    ) async throws -> ServerProcess {
        await server.kill()
        let next = try await stage.start()
        for member in members { try await member.network.redirect(to: next.server) }
        return next
    }

    @Test(
        "hear every ale exactly once, and in order, also when the server is killed between two",
        arguments: seeds)
    func exactlyOnce(seed: UInt64) async throws {
        try await play(seed) { stage, server, ada, bea in
            var server = server
            let rounds = max(3, Self.ales / Self.round / 2)
            for round in 1...rounds {
                try await exchange([ada, bea])
                guard round == rounds / 3 || round == rounds * 2 / 3 else { continue }
                let old = Set([ada.ledger.epoch, bea.ledger.epoch])
                server = try await restart(server, on: stage, [ada, bea])
                try await meet([ada, bea], after: old)
            }
            #expect(bea.ledger.heard == ada.ledger.acknowledged.map(\.number), "seed \(seed)")
            #expect(ada.ledger.heard == bea.ledger.acknowledged.map(\.number), "seed \(seed)")
            let counters = await ada.network.counters
            #expect(counters.resets + counters.halfOpened > 0, "seed \(seed): \(counters)")
        }
    }

    @Test(
        "lose and repeat at most what was under way when the server is killed in the middle", arguments: seeds
    )
    func killedInTheMiddle(seed: UInt64) async throws {
        try await play(seed) { stage, server, ada, bea in
            let members = [ada, bea]
            for member in members { await member.cheer(Self.round) }
            try await ada.reach("the middle") { $0.acknowledged.count >= Self.round / 3 }
            let old = Set([ada.ledger.epoch, bea.ledger.epoch])
            _ = try await restart(server, on: stage, members)
            try await meet(members, after: old)
            for member in members { await member.cheer(Self.round) }
            for (member, other) in [(ada, bea), (bea, ada)] {
                try await member.reach("everything acknowledged") { $0.acknowledged.count == 2 * Self.round }
                let last = member.ledger.acknowledged.last?.number
                try await other.reach("the last one heard") { $0.heard.last == last }
            }
            for (sender, hearer) in [(ada, bea), (bea, ada)] {
                let told = sender.ledger.acknowledged.map(\.number)
                let (before, after) = (
                    told.filter { old.contains($0.epoch) }, told.filter { !old.contains($0.epoch) }
                )
                let heard = hearer.ledger.heard
                let heardBefore = heard.filter { old.contains($0.epoch) }
                let heardAfter = heard.filter { !old.contains($0.epoch) }
                // Both are beginnings of what took effect in the old run.
                #expect(
                    heardBefore.starts(with: before) || before.starts(with: heardBefore), "seed \(seed)")
                // What was heard and not acknowledged is what was repeated: no more than may be on its way.
                #expect(heardBefore.count - before.count <= ConnectionConfiguration().window, "seed \(seed)")
                // From the moment that the hearer was back nothing is missing.
                #expect(after.suffix(heardAfter.count).elementsEqual(heardAfter), "seed \(seed)")
                #expect(heardAfter.count >= Self.round, "seed \(seed)")
            }
        }
    }
}
