import Contract
import Outbox
import OutboxTesting
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2)))
struct DeliveryWorkerDrainTests {
    @Test(
        "a courier that drains finishes what is under way, begins nothing more, and leaves the rest to others"
    )
    func drains() async throws {
        let clock = ManualOutboxClock()
        let outbox = MemoryOutbox(clock: clock)
        for id in 1...3 { outbox.add(Int64(id), to: Identifier(value: 1), host: "host") }
        var configuration = DeliveryWorkerConfiguration()
        // Deliveries go out one after the other: two are claimed and wait.
        configuration.limits = ["host": 1]
        let (begun, release) = (Signal<Void>(), Signal<Void>())
        let sink = ScriptedSink { _ in
            begun.send()
            await release.value()
            return Task.isCancelled
                ? .failed(Outcome.Failure("given up", isHostFault: false)) : .delivered("200")
        }
        await withTaskExecutorPreference(TestLoops.nextPeer()) { [configuration] in
            let deliveryWorker = DeliveryWorker(
                store: outbox.deliveryWorker("courier"), sink: sink, clock: clock,
                configuration: configuration)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await deliveryWorker.run() }
                await begun.value()
                group.addTask { await deliveryWorker.drain(for: .seconds(20)) }
                // The waiting deliveries are released while the first is still in flight.
                let isFree = await clock.advance(by: .milliseconds(100)) {
                    outbox.rows.filter { $0.deliveryWorker == nil }.count == 2
                }
                #expect(isFree)
                outbox.add(4, to: Identifier(value: 1), host: "other")
                deliveryWorker.wake()
                release.send()
                // Both tasks end by themselves.
                await group.waitForAll()
            }
        }
        #expect(sink.deliveries == [1])
        #expect(outbox.rows.map(\.verdict) == [.delivered, nil, nil, nil])
        #expect(outbox.rows.map(\.deliveryWorker) == [nil, nil, nil, nil])
    }
}
