import Client
import Codecs
import Contract
import Reactor
import Testing

@testable import FlakyNetwork

/// Two people in one room, over networks that fail as a seed decides, and a server that is killed while ales
/// are in flight.
///
/// Faults: 30 % of the connections that are tried are refused. Each piece of data, in either direction, may
/// reset its link, or leave it half open: then nothing arrives any more, and no end is notified. 30 % of the
/// frames arrive twice, and each up to a millisecond late. The server gets SIGKILL after a number of
/// acknowledgements that the seed decides, in the middle of a round, when more ales wait at both ends;
/// another one takes its place at another port, with the same DATA_DIR. The room goes on in it: every ale
/// takes effect once and in order, as if nothing had happened.
@Suite("Two people over bad networks")
struct ChaosTests {
    /// Returns a setting. `CHAOS_SEEDS` and `CHAOS_ALES` set the length; `CHAOS_SEED` begins at one that
    /// failed. Without them the networks fail the same way every time: `script/dev/chaos` looks for new
    /// failures.
    private static func setting(_ name: String) -> UInt64? {
        ProcessEnvironment.current()[name].flatMap { UInt64($0) }
    }

    private static let seeds: [UInt64] = {
        let first = setting("CHAOS_SEED") ?? 1
        return (0..<(setting("CHAOS_SEEDS") ?? 2)).map { first &+ $0 }
    }()

    /// The number of ales of both members together.
    private static let ales = Int(setting("CHAOS_ALES") ?? 600)
    private static let round = 50

    private static var faults: Faults {
        var faults = Faults()
        faults.refusal = 0.3
        // Each link breaks some dozens of times, however long the test is. Half-open links are fewer: the
        // server counts each among a member's devices until it misses the heartbeat.
        faults.reset = min(0.01, 20 / Double(ales))
        faults.halfOpen = faults.reset / 4
        faults.duplication = 0.3
        faults.delay = .zero ... .milliseconds(1)
        return faults
    }

    private func play(
        _ seed: UInt64, _ body: (Stage, ServerProcess, ChaosMember, ChaosMember) async throws -> Void
    ) async throws {
        try await Stage.withServer(.openNow, ["ALES_PER_SECOND": "0", "PING_SECONDS": "5"]) { stage, server in
            let people = try await Person.crowd(2, on: server)
            let room = try await people[0].enter(stage.grid.openSlot).roomId
            // A late arrival joins the person who is alone.
            #expect(try await people[1].enter(stage.grid.openSlot).roomId == room)
            let members = try await [
                ChaosMember(people[0], in: room, on: server, Self.faults, seed: seed &* 2),
                ChaosMember(people[1], in: room, on: server, Self.faults, seed: seed &* 2 &+ 1),
            ]
            do {
                try await ChaosMember.with(members) {
                    for member in members { try await member.reach("the room") { !$0.epoch.isEmpty } }
                    try await body(stage, server, members[0], members[1])
                }
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
            for member in members {
                #expect(member.ledger.surprises.isEmpty, "seed \(seed)")
                #expect(ChaosLedger.rises(member.ledger.heard), "seed \(seed)")
                #expect(ChaosLedger.rises(member.ledger.acknowledged.map(\.number)), "seed \(seed)")
                // Each ale was acknowledged exactly once, in the order in which they were given.
                #expect(member.ledger.acknowledged.map(\.id) == member.sent, "seed \(seed)")
            }
        }
    }

    /// Has both members cheer until everything has arrived; `meanwhile` runs in the middle of it.
    private func exchange(_ members: [ChaosMember], meanwhile: () async throws -> Void = {}) async throws {
        async let first: Void = members[0].cheer(Self.round)
        async let second: Void = members[1].cheer(Self.round)
        try await meanwhile()
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
        "hear every ale exactly once, and in order, also when the server is killed in the middle",
        arguments: seeds)
    func exactlyOnce(seed: UInt64) async throws {
        try await play(seed) { stage, server, ada, bea in
            var server = server
            var random = SplitMix64(seed: seed)
            let rounds = max(4, Self.ales / Self.round / 2)
            let roundsToKill = max(2, rounds / 10)
            for round in 1...rounds {
                guard round % roundsToKill == 0 else {
                    try await exchange([ada, bea])
                    continue
                }
                let acknowledged =
                    ada.ledger.acknowledged.count + Int.random(in: 1..<Self.round, using: &random)
                try await exchange([ada, bea]) {
                    try await ada.reach("the middle") { $0.acknowledged.count >= acknowledged }
                    server = try await restart(server, on: stage, [ada, bea])
                }
            }
            #expect(bea.ledger.heard == ada.ledger.acknowledged.map(\.number), "seed \(seed)")
            #expect(ada.ledger.heard == bea.ledger.acknowledged.map(\.number), "seed \(seed)")
            #expect(ada.ledger.heard.count == rounds * Self.round, "seed \(seed)")
            let counters = await ada.network.counters
            #expect(counters.resets + counters.halfOpened > 0, "seed \(seed): \(counters)")
        }
    }
}
