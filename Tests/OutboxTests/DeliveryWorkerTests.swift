import Contract
import Outbox
import OutboxTesting
import Synchronization
import TestKit
import Testing

@Suite struct DeliveryWorkerTests {
    private let clock = ManualOutboxClock()
    private let endpoint = Identifier(value: 1)
    private static let failure = Outcome.failed(Outcome.Failure("503", isHostFault: true))

    private func outbox() -> MemoryOutbox { MemoryOutbox(clock: clock) }

    /// Runs delivery workers until the condition holds; on a loop's thread, where no other work lies between
    /// two steps.
    private func run(
        _ sinks: [ScriptedSink], on outbox: MemoryOutbox,
        configuration: DeliveryWorkerConfiguration = .init(),
        step: Duration = .milliseconds(500),
        warn: @escaping @Sendable (String, any Error) -> Void = { _, _ in },
        until condition: @escaping @Sendable () async -> Bool
    ) async -> Bool {
        await withTaskExecutorPreference(TestLoops.nextPeer()) {
            await withTaskGroup(of: Void.self) { group in
                for (number, sink) in sinks.enumerated() {
                    let deliveryWorker = DeliveryWorker(
                        store: outbox.deliveryWorker("courier \(number)"), sink: sink, clock: clock,
                        configuration: configuration, using: SystemRandomNumberGenerator(), warn: warn)
                    group.addTask { await deliveryWorker.run() }
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
        let clock = clock
        let sink = ScriptedSink { _ in
            await clock.sleep(for: .seconds(1))
            return .delivered("200")
        }
        var configuration = DeliveryWorkerConfiguration()
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

    @Test("what this server cannot send is left to others")
    func barred() async {
        let outbox = outbox()
        for id in 1...20 { outbox.add(Int64(id), to: endpoint, host: id <= 10 ? "push" : "host") }
        let (here, there) = (ScriptedSink { _ in .delivered("200") }, ScriptedSink { _ in .delivered("200") })
        var configuration = DeliveryWorkerConfiguration()
        configuration.barred = ["push"]
        let clock = clock
        let begun = clock.now()
        _ = await run([here], on: outbox, configuration: configuration) {
            clock.now().since(begun) > .seconds(300)
        }
        #expect(here.deliveries.sorted() == (11...20).map(Int64.init))
        #expect(outbox.claims < 20, "\(outbox.claims) claims")
        #expect(await run([there], on: outbox) { allSettled(outbox) })
        #expect(there.deliveries.sorted() == (1...10).map(Int64.init))
    }

    @Test("an expired delivery is not sent any more, and is settled as expired")
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
            // The sink waits until its task is cancelled.
            let (silence, end) = AsyncStream<Never>.makeStream()
            for await _ in silence {}
            end.finish()
            return Self.failure
        }
        var configuration = DeliveryWorkerConfiguration()
        configuration.maximumPerHost = 8
        configuration.maximumInFlight = 64
        #expect(
            await run([sink], on: outbox, configuration: configuration) {
                outbox.rows.filter { $0.verdict == .delivered }.count == 60
            })
        #expect(sink.sight.mostInFlight["slow"] ?? 0 <= 8)
        #expect(sink.sight.mostInAll <= 64)
    }

    @Test("hosts that answer slowly, though well, leave room for the others")
    func slowHosts() async {
        let outbox = outbox()
        for id in 1...2_400 {
            outbox.add(Int64(id), to: Identifier(value: UInt128(100 + id % 8)), host: "slow \(id % 8)")
        }
        let clock = clock
        let begun = clock.now()
        let sink = ScriptedSink { delivery in
            if delivery.host.hasPrefix("slow") { await clock.sleep(for: .seconds(3)) }
            return .delivered("200")
        }
        var configuration = DeliveryWorkerConfiguration()
        configuration.maximumPerHost = 16
        configuration.maximumInFlight = 64
        // These become due after the first outcomes, of which there are many by then.
        for id in 5_001...5_020 { outbox.add(Int64(id), to: endpoint, host: "quick", dueIn: .seconds(4)) }
        #expect(
            await run([sink], on: outbox, configuration: configuration) {
                outbox.rows.suffix(20).allSatisfy { $0.verdict == .delivered }
            })
        #expect(clock.now().since(begun) < .seconds(6))
    }

    @Test("a circuit opens after failures in a row, and lets one attempt through at a time")
    func circuit() async {
        let outbox = outbox()
        for id in 1...100 { outbox.add(Int64(id), to: endpoint, host: "dead") }
        let sink = ScriptedSink { _ in Self.failure }
        var configuration = DeliveryWorkerConfiguration()
        configuration.maximumPerHost = 5
        let begun = clock.now()
        let clock = clock
        _ = await run([sink], on: outbox, configuration: configuration) {
            clock.now().since(begun) > .seconds(60)
        }
        // There are five attempts at first; then one after 5, 10, 20 and 40 seconds at the earliest.
        #expect(sink.deliveries.count >= 6)
        #expect(sink.deliveries.count <= 10)
    }

    @Test("what is urgent finds out that a host is back, and then all goes on", arguments: [true, false])
    func urgentProbe(isHostFault: Bool) async {
        let outbox = outbox()
        outbox.add(1, to: endpoint, host: "host", priority: 2)
        for id in 2...30 { outbox.add(Int64(id), to: endpoint, host: "host", priority: 1) }
        // This one becomes due during the pause of five minutes.
        outbox.add(
            99, to: endpoint, host: "host", priority: 0, dueIn: .seconds(400), expiresIn: .seconds(460))
        let clock = clock
        let begun = clock.now()
        let sink = ScriptedSink { _ in
            clock.now().since(begun) < .seconds(390)
                ? .failed(Outcome.Failure("none", isHostFault: isHostFault)) : .delivered("200")
        }
        #expect(
            await run([sink], on: outbox) {
                outbox.rows.last?.verdict != nil || clock.now().since(begun) > .seconds(500)
            })
        #expect(outbox.rows.last?.verdict == .delivered)
        #expect(clock.now().since(begun) < .seconds(415))
    }

    @Test("what a dead courier had claimed passes on when its lease is over")
    func passesOn() async {
        let outbox = outbox()
        for id in 1...20 { outbox.add(Int64(id), to: endpoint, host: "host") }
        let dead = outbox.deliveryWorker("dead")
        _ = try? await dead.renew(for: .seconds(4))
        let claimed = try? await dead.claim(limit: 15, bounds: ClaimBounds(others: 100))
        #expect(claimed?.count == 15)
        let begun = clock.now()
        let clock = clock
        let sink = ScriptedSink { _ in .delivered("200") }
        #expect(await run([sink], on: outbox) { allSettled(outbox) })
        #expect(sink.deliveries.sorted() == (1...20).map(Int64.init))
        #expect(clock.now().since(begun) <= .seconds(5))
    }

    @Test("what the store has let go is not attempted any more, and never twice at once")
    func lostLease() async {
        let outbox = outbox()
        for id in 1...5 { outbox.add(Int64(id), to: endpoint, host: "host \(id)") }
        let clock = clock
        let begun = clock.now()
        let sink = ScriptedSink { delivery in
            await clock.sleep(for: .seconds(10))
            return Task.isCancelled ? Self.failure : .delivered("200")
        }
        let isKilled = Mutex(false)
        #expect(
            await run([sink], on: outbox) {
                if clock.now().since(begun) >= .milliseconds(2_500), !isKilled.withLock({ $0 }) {
                    isKilled.withLock { $0 = true }
                    outbox.kill("courier 0")
                }
                return allSettled(outbox)
            })
        #expect(sink.deliveries.count == 10)
        #expect(sink.sight.mostInFlight.values.allSatisfy { $0 == 1 })
        #expect(clock.now().since(begun) <= .seconds(15))
    }

    @Test("what is due and cannot be had is not asked for without a pause")
    func locked() async {
        let outbox = outbox()
        outbox.add(1, to: endpoint, host: "host")
        outbox.isLocked = true
        let clock = clock
        let begun = clock.now()
        let sink = ScriptedSink { _ in .delivered("200") }
        #expect(
            await run([sink], on: outbox) {
                if clock.now().since(begun) > .seconds(5) { outbox.isLocked = false }
                return allSettled(outbox)
            })
        #expect(outbox.claims < 20, "\(outbox.claims) claims")
    }

    @Test("what the store fails at is told once, until it goes well again")
    func warnings() async {
        let outbox = outbox()
        outbox.add(1, to: endpoint, host: "host")
        let told = Mutex<[String]>([])
        let clock = clock
        let begun = clock.now()
        outbox.isDown = true
        let warn: @Sendable (String, any Error) -> Void = { step, _ in told.withLock { $0.append(step) } }
        let sink = ScriptedSink { _ in .delivered("200") }
        #expect(
            await run([sink], on: outbox, warn: warn) {
                if clock.now().since(begun) > .seconds(20) { outbox.isDown = false }
                return allSettled(outbox)
            })
        let steps = told.withLock { $0 }
        #expect(!steps.isEmpty && Set(steps).count == steps.count, "\(steps)")
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

    @Test("a host that has not answered gets few attempts at once, and then as many as it may have")
    func unproven() async {
        let outbox = outbox()
        for id in 1...400 { outbox.add(Int64(id), to: endpoint, host: "host") }
        let clock = clock
        let begun = clock.now()
        let sink = ScriptedSink { _ in
            await clock.sleep(for: .seconds(1))
            return clock.now().since(begun) < .seconds(2) ? .delivered("200") : Self.failure
        }
        var configuration = DeliveryWorkerConfiguration()
        configuration.maximumUnanswered = 6
        configuration.maximumPerHost = 40
        let most = Mutex([0, 0])
        _ = await run([sink], on: outbox, configuration: configuration) {
            let first = clock.now().since(begun) < .seconds(1)
            most.withLock { $0[first ? 0 : 1] = sink.sight.mostInAll }
            return clock.now().since(begun) >= .seconds(3)
        }
        #expect(most.withLock { $0 } == [6, 40])
    }

    @Test("a crowd for one host is claimed in few claims, and what is urgent overtakes those that wait")
    func ahead() async {
        let outbox = outbox()
        let endpoint = endpoint
        for id in 1...2_000 { outbox.add(Int64(id), to: endpoint, host: "host", priority: 2) }
        let sink = ScriptedSink { delivery in
            // This one is written while many wait already, and found by the next claim.
            if delivery.id == 100 { outbox.add(5_000, to: endpoint, host: "host", priority: 0) }
            return .delivered("200")
        }
        var configuration = DeliveryWorkerConfiguration()
        configuration.maximumPerHost = 10
        configuration.maximumAhead = 100
        #expect(await run([sink], on: outbox, configuration: configuration) { allSettled(outbox) })
        #expect(sink.deliveries.count == 2_001 && Set(sink.deliveries).count == 2_001)
        #expect(outbox.claims < 120, "\(outbox.claims) claims")
        let place = sink.deliveries.firstIndex(of: 5_000) ?? .max
        #expect(place < 220, "place \(place)")
    }

    @Test("without anything to do the store is asked once a minute")
    func idle() async {
        let outbox = outbox()
        outbox.add(1, to: endpoint, host: "host")
        let clock = clock
        let begun = clock.now()
        let sink = ScriptedSink { _ in .delivered("200") }
        let before = Mutex(Int?.none)
        _ = await run([sink], on: outbox) {
            let time = clock.now().since(begun)
            if time >= .seconds(60), before.withLock({ $0 == nil }) {
                before.withLock { $0 = outbox.questions }
            }
            return time >= .seconds(660)
        }
        #expect(sink.deliveries == [1])
        let asked = outbox.questions - (before.withLock { $0 } ?? 0)
        #expect((5...11).contains(asked), "asked \(asked) times in ten minutes")
    }

    @Test("an endpoint that asks for patience gets it for all that waits, and its host goes on")
    func patience() async {
        let outbox = outbox()
        for id in 1...20 { outbox.add(Int64(id), to: endpoint, host: "host") }
        for id in 21...60 { outbox.add(Int64(id), to: Identifier(value: 2), host: "host") }
        let clock = clock
        let begun = clock.now()
        let busy = Outcome.failed(Outcome.Failure("503", retryAfter: .seconds(600), isHostFault: false))
        let sink = ScriptedSink { delivery in
            delivery.id <= 20 && clock.now().since(begun) < .seconds(600) ? busy : .delivered("200")
        }
        var configuration = DeliveryWorkerConfiguration()
        configuration.maximumPerHost = 1
        let early = Mutex<[Int64]>([])
        #expect(
            await run([sink], on: outbox, configuration: configuration) {
                if clock.now().since(begun) < .seconds(500) { early.withLock { $0 = sink.deliveries } }
                return allSettled(outbox)
            })
        let seen = early.withLock { $0 }
        #expect(seen.filter { $0 <= 20 }.count == 1 && seen.filter { $0 > 20 }.count == 40)
        #expect(outbox.rows.allSatisfy { $0.verdict == .delivered && $0.attempts <= 2 })
    }

    @Test("what waits in a courier for a host that has stopped answering is given back")
    func givenBack() async {
        let outbox = outbox()
        for id in 1...100 { outbox.add(Int64(id), to: endpoint, host: "host") }
        let clock = clock
        let begun = clock.now()
        let sink = ScriptedSink { delivery in delivery.id <= 16 ? .delivered("200") : Self.failure }
        var configuration = DeliveryWorkerConfiguration()
        configuration.maximumPerHost = 16
        _ = await run([sink], on: outbox, configuration: configuration) {
            clock.now().since(begun) >= .seconds(2)
        }
        let waiting = outbox.rows.filter { $0.verdict == nil }
        #expect(waiting.count == 84)
        #expect(waiting.filter { $0.attempts == 0 && $0.deliveryWorker == nil }.count >= 55)
        // There is one attempt of each, then the circuit breaker holds back the rest.
        #expect(sink.deliveries.count < 45)
    }
}
