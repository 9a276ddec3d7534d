import Contract
import Outbox
import OutboxTesting
import TestKit
import Testing

/// The harms that one user or one host could do to others.
@Suite(.timeLimit(.minutes(2)))
struct FairnessTests {
    private let clock = ManualOutboxClock()
    private static let others = (1...20).map { Identifier(value: UInt128($0)) }
    private static let user = Identifier(value: 1_000)

    /// Runs a delivery worker until the deliveries with ids up to 20 have begun; returns how long that took.
    private func deliver(_ outbox: MemoryOutbox, _ sink: ScriptedSink) async -> Duration? {
        let begun = clock.uptime()
        let isDone = await withTaskExecutorPreference(TestLoops.nextPeer()) {
            await withTaskGroup(of: Void.self) { group in
                let deliveryWorker = DeliveryWorker(
                    store: outbox.deliveryWorker("worker"), sink: sink, clock: clock)
                group.addTask { await deliveryWorker.run() }
                let isDone = await clock.advance(by: .milliseconds(500)) {
                    sink.deliveries.count { $0 <= 20 } == 20
                }
                group.cancelAll()
                return isDone
            }
        }
        return isDone ? clock.uptime() - begun : nil
    }

    @Test("A failing endpoint delays no other delivery to its host", arguments: [0, 14])
    func failingEndpoint(seconds: Int64) async throws {
        let outbox = MemoryOutbox(clock: clock)
        for (id, user) in zip(Int64(1)..., Self.others) {
            outbox.add(id, to: user, host: "host", dueIn: .seconds(30))
        }
        for id in 100..<1_100 { outbox.add(Int64(id), to: Self.user, host: "host") }
        let clock = clock
        let sink = ScriptedSink { delivery in
            guard delivery.user == Self.user else { return .delivered("200") }
            if seconds > 0 { await clock.sleep(for: .seconds(seconds)) }
            return .failed(Outcome.Failure("500", isHostFault: false))
        }
        #expect(try #require(await deliver(outbox, sink)) <= .seconds(31))
    }

    @Test("The 10,000 deliveries of a user delay no other user's", arguments: ["host", "other"])
    func manyOfOne(host: String) async throws {
        let outbox = MemoryOutbox(clock: clock)
        for (id, user) in zip(Int64(1)..., Self.others) {
            outbox.add(id, to: user, host: host, dueIn: .seconds(3))
        }
        for id in 100..<10_100 {
            let endpoint = Identifier(value: UInt128(2_000 + id % 10))
            outbox.add(Int64(id), to: endpoint, of: Self.user, host: "host")
        }
        let clock = clock
        let sink = ScriptedSink { delivery in
            await clock.sleep(for: .seconds(1))
            return .delivered("200")
        }
        #expect(try #require(await deliver(outbox, sink)) <= .seconds(6))
        #expect(outbox.rows.suffix(10_000).contains { $0.verdict == nil })
    }

    @Test("10,000 replayed deliveries delay no new one to their host by more than two attempts")
    func replays() async throws {
        let outbox = MemoryOutbox(clock: clock)
        for (id, user) in zip(Int64(1)..., Self.others) {
            outbox.add(id, to: user, host: "host", dueIn: .seconds(13))
        }
        for id in 100..<10_100 {
            outbox.add(
                Int64(id), to: Identifier(value: UInt128(id)), host: "host", priority: ClaimBounds.replayed)
        }
        let clock = clock
        let sink = ScriptedSink { _ in
            await clock.sleep(for: .seconds(4))
            return .delivered("200")
        }
        #expect(try #require(await deliver(outbox, sink)) <= .seconds(13 + 8))
    }

    @Test("500 hosts that never answer delay no host that does", arguments: [true, false])
    func silentHosts(isKnown: Bool) async throws {
        let outbox = MemoryOutbox(clock: clock)
        for (id, user) in zip(Int64(1)..., Self.others) {
            outbox.add(id, to: user, host: isKnown ? "host" : "host \(id)", dueIn: .seconds(3))
        }
        if isKnown { outbox.add(99, to: Self.others[0], host: "host") }
        for id in 100..<10_100 {
            outbox.add(Int64(id), to: Identifier(value: UInt128(id)), host: "silent \(id % 500)")
        }
        let clock = clock
        let sink = ScriptedSink { delivery in
            if !delivery.host.hasPrefix("silent") { return .delivered("200") }
            await clock.sleep(for: .seconds(15))
            return .failed(Outcome.Failure("timed out", isHostFault: true))
        }
        #expect(try #require(await deliver(outbox, sink)) <= .seconds(5))
    }
}
