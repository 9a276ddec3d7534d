import Contract
import Testing

@testable import Outbox

@Suite struct HostLedgerTests {
    private let now = Timestamp(seconds: 1_800_000_000)
    private let endpoint = Identifier(value: 1)

    private func ledger(proven: Int) -> HostLedger {
        var configuration = DeliveryWorkerConfiguration()
        configuration.maximumInFlight = 16
        configuration.limits = ["push": 20]
        var ledger = HostLedger(configuration)
        for number in 0..<proven { answer(&ledger, "proven \(number)", after: .milliseconds(100)) }
        return ledger
    }

    private func answer(_ ledger: inout HostLedger, _ host: String, after duration: Duration) {
        ledger.begin(host, at: now)
        ledger.end(host, .delivered("200"), of: endpoint, after: duration, at: now)
    }

    @Test("of the places a quarter is for what is urgent")
    func urgent() {
        var ledger = ledger(proven: 2)
        for _ in 0..<12 { ledger.begin("proven 0", at: now) }
        #expect(!ledger.hasRoom("proven 1", priority: 1, at: now))
        #expect(ledger.hasRoom("proven 1", priority: 0, at: now))
        for _ in 0..<4 { ledger.begin("proven 0", at: now) }
        #expect(!ledger.hasRoom("proven 1", priority: 0, at: now))
    }

    @Test("who has places of its own has them before it has answered")
    func named() {
        var ledger = ledger(proven: 0)
        for _ in 0..<19 { ledger.begin("push", at: now) }
        #expect(ledger.hasRoom("push", priority: 1, at: now))
        #expect(ledger.bound(of: "push", waiting: 0, at: now) == 1)
        ledger.begin("push", at: now)
        #expect(!ledger.hasRoom("push", priority: 0, at: now))
    }

    @Test("hosts that have not answered, or slowly, share half of the places, and some are for the slow")
    func unproven() {
        var ledger = ledger(proven: 1)
        answer(&ledger, "slow", after: .seconds(14))
        for number in 0..<6 { ledger.begin("new \(number)", at: now) }
        #expect(!ledger.hasRoom("new 9", priority: 0, at: now))
        for _ in 0..<2 {
            #expect(ledger.hasRoom("slow", priority: 0, at: now))
            ledger.begin("slow", at: now)
        }
        #expect(!ledger.hasRoom("slow", priority: 0, at: now))
        #expect(ledger.hasRoom("proven 0", priority: 1, at: now))
        ledger.end("new 0", .delivered("200"), of: endpoint, after: .zero, at: now)
        #expect(ledger.hasRoom("new 9", priority: 0, at: now))
    }

    @Test("a host that nothing was heard of gets two attempts at once, and after an answer as many as it may")
    func unknown() {
        var ledger = HostLedger(DeliveryWorkerConfiguration())
        for _ in 0..<2 {
            #expect(ledger.hasRoom("host", priority: 0, at: now))
            ledger.begin("host", at: now)
        }
        #expect(!ledger.hasRoom("host", priority: 0, at: now))
        #expect(ledger.bounds(at: now) { _ in 0 }.others == 4)
        ledger.end("host", .delivered("200"), of: endpoint, after: .zero, at: now)
        for _ in 0..<127 {
            #expect(ledger.hasRoom("host", priority: 1, at: now))
            ledger.begin("host", at: now)
        }
        #expect(!ledger.hasRoom("host", priority: 0, at: now))
    }

    @Test("who has answered is known for some minutes without use, and not too many are")
    func memory() {
        var ledger = ledger(proven: 1)
        ledger.forgetIdle(at: now.adding(.seconds(599)))
        #expect(ledger.bounds(at: now) { _ in 0 }["proven 0"] == 128)
        ledger.forgetIdle(at: now.adding(.seconds(600)))
        #expect(ledger.bounds(at: now) { _ in 0 }.named.isEmpty)
        for number in 0...HostLedger.idleCapacity { answer(&ledger, "host \(number)", after: .zero) }
        ledger.forgetIdle(at: now)
        #expect(ledger.bounds(at: now) { _ in 0 }.named.count == HostLedger.idleCapacity)
    }

    @Test("a host is silent as long as it is left alone, and forgotten some minutes later")
    func silent() {
        var ledger = ledger(proven: 0)
        fail(&ledger, "host", times: 5, at: now)
        #expect(ledger.silent(at: now.adding(.seconds(4))) == ["host"])
        #expect(ledger.silent(at: now.adding(.seconds(5))).isEmpty)
        ledger.forgetIdle(at: now.adding(.seconds(604)))
        #expect(ledger.bounds(at: now.adding(.seconds(604))) { _ in 0 }["host"] == 1)
        ledger.forgetIdle(at: now.adding(.seconds(605)))
        #expect(ledger.bounds(at: now.adding(.seconds(605))) { _ in 0 }.named.isEmpty)
    }

    private func fail(_ ledger: inout HostLedger, _ host: String, times: Int, at now: Timestamp) {
        for _ in 0..<times {
            ledger.begin(host, at: now)
            ledger.end(
                host, .failed(Outcome.Failure("no answer", isHostFault: true)), of: endpoint,
                after: .seconds(1), at: now)
        }
    }

    /// Returns the pauses of a host after so many failures, for urgent deliveries and for others. Each
    /// failure after the threshold comes at the end of the previous pause.
    private func pauses(_ host: String, failures: Int) -> [Duration] {
        var configuration = DeliveryWorkerConfiguration()
        configuration.services = ["browsers "]
        var ledger = HostLedger(configuration)
        fail(&ledger, host, times: Circuit.threshold, at: now)
        for _ in Circuit.threshold..<failures { fail(&ledger, host, times: 1, at: now) }
        func pause(_ priority: Int) -> Duration {
            let seconds = (0...400).first {
                ledger.hasRoom(host, priority: priority, at: now.adding(.seconds(Int64($0))))
            }
            return .seconds(seconds ?? .max)
        }
        return [pause(0), pause(1)]
    }

    @Test("a host is left alone for up to five minutes, a push service and what is urgent for ten seconds")
    func pauses() {
        #expect(pauses("host", failures: 5) == [.seconds(5), .seconds(5)])
        #expect(pauses("host", failures: 6) == [.seconds(10), .seconds(10)])
        #expect(pauses("host", failures: 20) == [.seconds(10), .seconds(300)])
        #expect(pauses("browsers host", failures: 20) == [.seconds(10), .seconds(10)])
    }

    @Test("of a host that is left alone what is urgent is claimed, one at a time")
    func urgentOnly() {
        var ledger = ledger(proven: 0)
        fail(&ledger, "host", times: 9, at: now)
        let later = now.adding(.seconds(10))
        let (before, after) = (ledger.bounds(at: now) { _ in 0 }, ledger.bounds(at: later) { _ in 0 })
        #expect(before["host"] == 0 && ledger.nextProbe(after: now) == later)
        #expect(after["host"] == 1 && after.urgentOnly == ["host"])
        #expect(ledger.isShut("host", priority: 1, at: later))
        #expect(!ledger.isShut("host", priority: 0, at: later))
        ledger.begin("host", at: now)
        #expect(ledger.bounds(at: later) { _ in 0 }["host"] == 0)
    }

    @Test("hosts that are tried again leave places to those that nothing was heard of")
    func probes() {
        var ledger = ledger(proven: 0)
        for number in 0..<3 { fail(&ledger, "dead \(number)", times: 5, at: now) }
        let later = now.adding(.seconds(5))
        for number in 0..<2 {
            #expect(ledger.hasRoom("dead \(number)", priority: 0, at: later))
            ledger.begin("dead \(number)", at: now)
        }
        #expect(!ledger.hasRoom("dead 2", priority: 0, at: later))
        #expect(ledger.hasRoom("new", priority: 1, at: later))
        ledger.end(
            "dead 0", .failed(Outcome.Failure("none", isHostFault: true)), of: endpoint, after: .zero,
            at: later)
        #expect(ledger.hasRoom("dead 2", priority: 1, at: later))
    }

    @Test("patience that a host asks for is given by what is urgent too")
    func askedFor() {
        var ledger = ledger(proven: 0)
        ledger.begin("push", at: now)
        let busy = Outcome.Failure("503", retryAfter: .seconds(60), isHostFault: true)
        ledger.end("push", .failed(busy), of: endpoint, after: .zero, at: now)
        #expect(ledger.isShut("push", priority: 0, at: now.adding(.seconds(59))))
        #expect(!ledger.isShut("push", priority: 1, at: now.adding(.seconds(60))))
    }

    @Test("what was never sent says nothing of a host")
    func unsent() {
        var ledger = ledger(proven: 0)
        fail(&ledger, "push", times: 5, at: now)
        let later = now.adding(.seconds(5))
        ledger.begin("push", at: now)
        ledger.end("push", .failed(.unsent("too late")), of: endpoint, after: .zero, at: later)
        // The next attempt decides.
        #expect(ledger.bound(of: "push", waiting: 0, at: later) == 1)
        fail(&ledger, "push", times: 1, at: later)
        #expect(ledger.isShut("push", priority: 1, at: later.adding(.seconds(9))))
    }

    @Test("a push service has places of its own")
    func push() {
        var ledger = ledger(proven: 1)
        for _ in 0..<16 { ledger.begin("proven 0", at: now) }
        answer(&ledger, "push", after: .zero)
        for _ in 0..<20 {
            #expect(ledger.hasRoom("push", priority: 2, at: now))
            ledger.begin("push", at: now)
        }
        #expect(!ledger.hasRoom("push", priority: 0, at: now))
        #expect(ledger.inFlight == 36)
        for _ in 0..<16 { ledger.end("proven 0", .delivered("200"), of: endpoint, after: .zero, at: now) }
        #expect(ledger.hasRoom("proven 0", priority: 1, at: now))
    }

    @Test("a host that users name gets so many a second, in bursts of ten times as many, whoever's they are")
    func rate() {
        var configuration = DeliveryWorkerConfiguration()
        configuration.perHostRate = 10
        configuration.maximumInFlight = 10_000
        configuration.known = ["push", ".notify.example.org"]
        configuration.maximumPerHost = 1_000
        configuration.maximumUnknown = 1_000
        var ledger = HostLedger(configuration)
        func begun(_ host: String, at instant: Timestamp) -> Int {
            var count = 0
            while count < 500, ledger.hasRoom(host, priority: 0, at: instant) {
                ledger.begin(host, at: instant)
                count += 1
            }
            for _ in 0..<count {
                ledger.end(host, .delivered("200"), of: endpoint, after: .zero, at: instant)
            }
            return count
        }
        #expect(begun("host", at: now) == 100)
        #expect(ledger.bound(of: "host", waiting: 0, at: now) == 0)
        #expect(ledger.nextProbe(after: now) == now.adding(.milliseconds(100)))
        #expect(ledger.bound(of: "host", waiting: 0, at: now.adding(.milliseconds(100))) == 1)
        #expect(begun("host", at: now.adding(.seconds(2))) == 20)
        #expect(begun("host", at: now.adding(.seconds(600))) == 100)
        // A clock that is set back does not change the pace.
        #expect(begun("host", at: now) == 0)
        #expect(begun("push", at: now) == 500)
        #expect(begun("a.notify.example.org", at: now) == 500)
    }

    @Test("a host where nobody's deliveries are taken is left alone, and one that takes some is not")
    func unwilling() {
        var configuration = DeliveryWorkerConfiguration()
        configuration.perHostRate = 100
        configuration.maximumRefusals = 4
        var ledger = HostLedger(configuration)
        let no = Outcome.failed(Outcome.Failure("404", isHostFault: false))
        /// Ends attempts with these outcomes, each of another endpoint.
        func answer(_ host: String, _ outcomes: Outcome...) {
            for (number, outcome) in outcomes.enumerated() {
                ledger.begin(host, at: now)
                ledger.end(host, outcome, of: Identifier(value: UInt128(number)), after: .zero, at: now)
            }
        }
        answer("willing", no, no, .delivered("200"), no, .gone("410"), no)
        #expect(!ledger.isShut("willing", priority: 1, at: now))
        answer("victim", no, .gone("410"), no, no)
        #expect(ledger.isShut("victim", priority: 0, at: now))
        let later = now.adding(.seconds(5))
        #expect(ledger.hasRoom("victim", priority: 1, at: later))
        ledger.begin("victim", at: later)
        #expect(!ledger.hasRoom("victim", priority: 1, at: later))
        ledger.end("victim", no, of: endpoint, after: .zero, at: later)
        #expect(ledger.isShut("victim", priority: 1, at: later.adding(.seconds(9))))
        #expect(!ledger.isShut("victim", priority: 1, at: later.adding(.seconds(10))))
        ledger.begin("victim", at: later.adding(.seconds(10)))
        ledger.end(
            "victim", .delivered("200"), of: endpoint, after: .zero, at: later.adding(.seconds(10)))
        #expect(!ledger.isShut("victim", priority: 1, at: later.adding(.seconds(10))))
    }

    @Test("an endpoint that takes nothing does not close its host for others, however often it is tried")
    func brokenEndpoint() {
        var configuration = DeliveryWorkerConfiguration()
        configuration.perHostRate = 100
        configuration.maximumRefusals = 4
        var ledger = HostLedger(configuration)
        let no = Outcome.failed(Outcome.Failure("404", isHostFault: false))
        func refuse(_ endpoint: Identifier) {
            ledger.begin("shared", at: now)
            ledger.end("shared", no, of: endpoint, after: .zero, at: now)
        }
        for _ in 0..<100 { refuse(endpoint) }
        #expect(!ledger.isShut("shared", priority: 1, at: now))
        for number: UInt128 in 2...3 { refuse(Identifier(value: number)) }
        #expect(!ledger.isShut("shared", priority: 1, at: now))
        refuse(Identifier(value: 4))
        #expect(ledger.isShut("shared", priority: 1, at: now))
    }
}
