import Contract
import Outbox
import OutboxTesting
import SocketTesting
import Testing

@Suite struct CourierTests {
    private let clock = ManualOutboxClock()
    private let endpoint = UUID(value: 1)
    private static let failure = Outcome.failed(Outcome.Failure("503", isHostFault: true))

    private func outbox() -> MemoryOutbox { MemoryOutbox(clock: clock) }

    /// Runs couriers until it is so; on a loop's thread, where nobody else's work lies between two steps.
    private func run(
        _ sinks: [ScriptedSink], on outbox: MemoryOutbox, configuration: CourierConfiguration = .init(),
        step: Duration = .milliseconds(500), until condition: @escaping @Sendable () async -> Bool
    ) async -> Bool {
        await withTaskExecutorPreference(SocketLoops.next()) {
            await withTaskGroup(of: Void.self) { group in
                for (number, sink) in sinks.enumerated() {
                    let courier = Courier(
                        store: outbox.courier("courier \(number)"), sink: sink, clock: clock,
                        configuration: configuration, using: SystemRandomNumberGenerator())
                    group.addTask { await courier.run() }
                }
                let isSo = await clock.advance(by: step, until: condition)
                group.cancelAll()
                return isSo
            }
        }
    }

    private func allSettled(_ outbox: MemoryOutbox) -> Bool { outbox.rows.allSatisfy { $0.verdict != nil } }

    @Test("everything due is delivered once, by whichever courier")
    func delivers() async {
        let outbox = outbox()
        for id in 1...300 { outbox.add(Int64(id), to: endpoint, host: "host \(id % 7)") }
        let sinks = (0..<3).map { _ in ScriptedSink { _ in .delivered("200") } }
        #expect(await run(sinks, on: outbox) { allSettled(outbox) })
        #expect(sinks.flatMap(\.deliveries).sorted() == (1...300).map(Int64.init))
        #expect(outbox.rows.allSatisfy { $0.verdict == .delivered && $0.attempts == 1 })
    }

    @Test("what is urgent goes first")
    func priority() async {
        let outbox = outbox()
        for id in 1...50 { outbox.add(Int64(id), to: endpoint, host: "host", priority: 1) }
        for id in 51...60 { outbox.add(Int64(id), to: endpoint, host: "host", priority: 0) }
        let sink = ScriptedSink { _ in .delivered("200") }
        var configuration = CourierConfiguration()
        configuration.maximumInFlight = 10
        #expect(await run([sink], on: outbox, configuration: configuration) { allSettled(outbox) })
        #expect(sink.deliveries.prefix(10).sorted() == (51...60).map(Int64.init))
    }

    @Test("what fails is tried again until it goes well, and the other side can ask for patience")
    func retries() async {
        let outbox = outbox()
        outbox.add(1, to: endpoint, host: "host")
        let clock = clock
        let begun = clock.now()
        let sink = ScriptedSink { delivery in
            switch delivery.attempts {
            case 0: Self.failure
            case 1: .failed(Outcome.Failure("429", retryAfter: .seconds(900), isHostFault: false))
            default: .delivered("200")
            }
        }
        #expect(await run([sink], on: outbox, step: .seconds(2)) { allSettled(outbox) })
        #expect(sink.deliveries == [1, 1, 1])
        #expect(clock.now().since(begun) >= .seconds(905))
        #expect(outbox.rows.first?.details == ["503", "429", "200"])
    }

    @Test("what has lost its point is not sent any more, and says so")
    func expiry() async {
        let outbox = outbox()
        outbox.add(1, to: endpoint, host: "host", expiresIn: .zero)
        outbox.add(2, to: endpoint, host: "host", expiresIn: .seconds(4))
        let sink = ScriptedSink { _ in Self.failure }
        #expect(await run([sink], on: outbox) { allSettled(outbox) })
        #expect(sink.deliveries == [2])
        #expect(outbox.rows.map(\.verdict) == [.expired, .expired])
    }

    @Test("a host that never answers has a bound of its own, and others do not wait for it")
    func slowHost() async {
        let outbox = outbox()
        for id in 1...200 { outbox.add(Int64(id), to: endpoint, host: "slow") }
        for id in 201...260 { outbox.add(Int64(id), to: endpoint, host: "quick \(id % 5)") }
        let sink = ScriptedSink { delivery in
            guard delivery.host == "slow" else { return .delivered("200") }
            // Until its task is cancelled.
            let (silence, end) = AsyncStream<Never>.makeStream()
            for await _ in silence {}
            end.finish()
            return Self.failure
        }
        var configuration = CourierConfiguration()
        configuration.maximumPerHost = 8
        configuration.maximumInFlight = 64
        #expect(
            await run([sink], on: outbox, configuration: configuration) {
                outbox.rows.filter { $0.verdict == .delivered }.count == 60
            })
        #expect(sink.sight.mostInFlight["slow"] ?? 0 <= 8)
        #expect(sink.sight.mostInAll <= 64)
    }

    @Test("a circuit opens after failures in a row, and lets one attempt through at a time")
    func circuit() async {
        let outbox = outbox()
        for id in 1...100 { outbox.add(Int64(id), to: endpoint, host: "dead") }
        let sink = ScriptedSink { _ in Self.failure }
        var configuration = CourierConfiguration()
        configuration.maximumPerHost = 5
        let begun = clock.now()
        let clock = clock
        _ = await run([sink], on: outbox, configuration: configuration) {
            clock.now().since(begun) > .seconds(60)
        }
        // Five at first; then one after 5, 10, 20 and 40 seconds at the earliest.
        #expect(sink.deliveries.count >= 6)
        #expect(sink.deliveries.count <= 10)
    }

    @Test("what a dead courier had claimed passes on when its lease is over")
    func passesOn() async {
        let outbox = outbox()
        for id in 1...20 { outbox.add(Int64(id), to: endpoint, host: "host") }
        let dead = outbox.courier("dead")
        try? await dead.renew(for: .seconds(4))
        let claimed = try? await dead.claim(limit: 15, bounds: HostBounds(others: 100))
        #expect(claimed?.count == 15)
        let begun = clock.now()
        let clock = clock
        let sink = ScriptedSink { _ in .delivered("200") }
        #expect(await run([sink], on: outbox) { allSettled(outbox) })
        #expect(sink.deliveries.sorted() == (1...20).map(Int64.init))
        #expect(clock.now().since(begun) <= .seconds(5))
    }

    @Test("a store that is away for a while costs nothing but time")
    func outage() async {
        let outbox = outbox()
        for id in 1...10 { outbox.add(Int64(id), to: endpoint, host: "host", dueIn: .seconds(1)) }
        let clock = clock
        let begun = clock.now()
        let sink = ScriptedSink { _ in
            outbox.isDown = true
            return .delivered("200")
        }
        #expect(
            await run([sink], on: outbox) {
                if clock.now().since(begun) > .seconds(20) { outbox.isDown = false }
                return allSettled(outbox)
            })
        #expect(Set(sink.deliveries) == Set((1...10).map(Int64.init)))
    }
}
