import Contract
import Outbox
import OutboxTesting
import Synchronization
import TestKit
import Testing

@Suite struct DeliveryWorkerLeaseTests {
    private let clock = ManualOutboxClock()
    private let endpoint = Identifier(value: 1)

    /// Returns so many deliveries, each to a host of its own.
    private func outbox(_ count: Int64) -> MemoryOutbox {
        let outbox = MemoryOutbox(clock: clock)
        for id in 1...count { outbox.add(id, to: endpoint, host: "host \(id)") }
        return outbox
    }

    /// Returns a sink that delivers after the delay, unless it is cancelled.
    private func sink(after delay: Duration) -> ScriptedSink {
        let clock = clock
        return ScriptedSink { _ in
            await clock.sleep(for: delay)
            return Task.isCancelled
                ? .failed(Outcome.Failure("given up", isHostFault: false)) : .delivered("200")
        }
    }

    /// Runs delivery workers until everything is settled; returns how long that took.
    private func deliver(
        _ sinks: [ScriptedSink], from outbox: MemoryOutbox,
        configuration: DeliveryWorkerConfiguration = .init(),
        watching watch: @escaping @Sendable (_ passed: Duration) -> Void = { _ in }
    ) async -> Duration? {
        let begun = clock.uptime()
        let isDone = await withTaskExecutorPreference(TestLoops.nextPeer()) {
            await withTaskGroup(of: Void.self) { group in
                for (number, sink) in sinks.enumerated() {
                    let deliveryWorker = DeliveryWorker(
                        store: outbox.deliveryWorker("courier \(number)"), sink: sink, clock: clock,
                        configuration: configuration)
                    group.addTask { await deliveryWorker.run() }
                }
                let isDone = await clock.advance(by: .milliseconds(500)) {
                    watch(clock.uptime() - begun)
                    return outbox.rows.allSatisfy { $0.verdict == .delivered }
                }
                group.cancelAll()
                return isDone
            }
        }
        return isDone ? clock.uptime() - begun : nil
    }

    @Test(
        "where the clock on the wall is set, each delivery is still sent once, and the store is not pressed",
        arguments: [-100, 100])
    func wallIsSet(by seconds: Int64) async throws {
        let outbox = outbox(5)
        let sinks = [sink(after: .seconds(10)), sink(after: .seconds(10))]
        let isSet = Mutex(false)
        let clock = clock
        let time = await deliver(sinks, from: outbox) { passed in
            let isTime = isSet.withLock { isSet in
                defer { isSet = isSet || passed >= .seconds(2) }
                return !isSet && passed >= .seconds(2)
            }
            if isTime { clock.setWall(by: .seconds(seconds)) }
        }
        #expect(try #require(time) <= .seconds(12))
        #expect(sinks.flatMap(\.deliveries).sorted() == [1, 2, 3, 4, 5])
        #expect(outbox.claims < 40, "\(outbox.claims) claims")
    }

    @Test("after a standstill nothing more begins that may be another's by now")
    func standstill() async throws {
        let outbox = outbox(1)
        for id in 2...4 { outbox.add(Int64(id), to: endpoint, host: "host 1") }
        let late = Mutex<[Int64]>([])
        let clock = clock
        let sink = ScriptedSink { delivery in
            if !outbox.isAlive("courier 0") { late.withLock { $0.append(delivery.id) } }
            if delivery.id == 1 { clock.standStill(for: .seconds(5)) }
            return .delivered("200")
        }
        var configuration = DeliveryWorkerConfiguration()
        configuration.maximumPerHost = 1
        #expect(await deliver([sink], from: outbox, configuration: configuration) != nil)
        #expect(late.withLock { $0 } == [])
    }

    @Test("deliveries that are claimed while the lease is lost are due again at once")
    func claimBesideLoss() async throws {
        let outbox = outbox(5)
        outbox.claimDelay = .milliseconds(1_500)
        let isKilled = Mutex(false)
        let time = await deliver([sink(after: .zero)], from: outbox) { passed in
            let isTime = isKilled.withLock { isKilled in
                defer { isKilled = isKilled || passed >= .milliseconds(500) }
                return !isKilled && passed >= .milliseconds(500)
            }
            if isTime { outbox.kill("courier 0") }
        }
        #expect(try #require(time) <= .seconds(8))
    }

    @Test("deliveries given up at the end of a lease are due again at once, though the store has renewed it")
    func lateAnswer() async throws {
        let outbox = outbox(5)
        let sink = sink(after: .seconds(6))
        let time = await deliver([sink], from: outbox) { passed in
            outbox.renewalDelay =
                passed >= .milliseconds(500) && passed < .seconds(3) ? .milliseconds(3_500) : .zero
        }
        #expect(sink.deliveries.count == 10)
        #expect(try #require(time) <= .seconds(14))
    }
}
