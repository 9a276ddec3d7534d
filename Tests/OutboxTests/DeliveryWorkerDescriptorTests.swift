import Contract
import Outbox
import OutboxTesting
import Reactor
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2)))
struct DeliveryWorkerDescriptorTests {
    @Test("a delivery without a descriptor waits; one to a host with places of its own needs none")
    func waits() async {
        let budget = DescriptorBudget.opened(for: 8)
        let clock = ManualOutboxClock()
        let outbox = MemoryOutbox(clock: clock)
        for id in 1...40 { outbox.add(Int64(id), to: Identifier(value: 1), host: "host \(id)") }
        for id in 41...60 { outbox.add(Int64(id), to: Identifier(value: 1), host: "push") }
        let sink = ScriptedSink { _ in
            await clock.sleep(for: .seconds(1))
            return .delivered("200")
        }
        var configuration = DeliveryWorkerConfiguration()
        configuration.limits = ["push": 20]
        configuration.descriptors = DescriptorBudget.Share(of: budget, for: .deliveries)
        // Connections hold all of them at first, and their end wakes no delivery worker.
        #expect(budget.take(8, for: .connections))
        await withTaskExecutorPreference(TestLoops.nextPeer()) { [configuration] in
            let deliveryWorker = DeliveryWorker(
                store: outbox.deliveryWorker("courier"), sink: sink, clock: clock,
                configuration: configuration)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await deliveryWorker.run() }
                let areDone = await clock.advance(by: .milliseconds(500)) {
                    outbox.rows.count { $0.verdict == .delivered } == 20
                }
                #expect(areDone && sink.deliveries.sorted() == (41...60).map(Int64.init))
                budget.giveBack(8, from: .connections)
                let isAll = await clock.advance(by: .milliseconds(500)) {
                    outbox.rows.allSatisfy { $0.verdict == .delivered }
                }
                #expect(isAll)
                group.cancelAll()
            }
        }
        #expect(sink.deliveries.count == 60)
        // Four fit at once, beside those to the host with places of its own.
        #expect(sink.sight.mostInAll <= 20 + 4)
        #expect(budget.held[.deliveries] == 0)
    }

    @Test(
        "an attempt for which the process has no descriptor does not count, and is made again a second later")
    func uncounted() async {
        let clock = ManualOutboxClock()
        let outbox = MemoryOutbox(clock: clock)
        outbox.add(1, to: Identifier(value: 1), host: "host")
        // More often than the retry schedule has attempts.
        let lacking = Lock(12)
        let sink = ScriptedSink { _ in
            let lacks = lacking.withLock { left in
                left -= 1
                return left >= 0
            }
            return lacks ? .failed(.outOfDescriptors("none")) : .delivered("200")
        }
        await withTaskExecutorPreference(TestLoops.nextPeer()) {
            let deliveryWorker = DeliveryWorker(
                store: outbox.deliveryWorker("courier"), sink: sink, clock: clock)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await deliveryWorker.run() }
                let isDelivered = await clock.advance(by: .milliseconds(500)) {
                    outbox.rows.allSatisfy { $0.verdict == .delivered }
                }
                #expect(isDelivered && outbox.rows.map(\.attempts) == [1])
                group.cancelAll()
            }
        }
        #expect(sink.deliveries.count == 13)
    }
}
