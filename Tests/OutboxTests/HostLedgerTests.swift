import Contract
import Testing

@testable import Outbox

@Suite struct HostLedgerTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    private func ledger(proven: Int) -> HostLedger {
        var configuration = CourierConfiguration()
        configuration.maximumInFlight = 16
        configuration.limits = ["push": 20]
        var ledger = HostLedger(configuration)
        for number in 0..<proven { answer(&ledger, "proven \(number)", after: .milliseconds(100)) }
        return ledger
    }

    private func answer(_ ledger: inout HostLedger, _ host: String, after duration: Duration) {
        ledger.begin(host)
        ledger.end(host, .delivered("200"), after: duration, at: now)
    }

    @Test("of the places a quarter is for what is urgent")
    func urgent() {
        var ledger = ledger(proven: 2)
        for _ in 0..<12 { ledger.begin("proven 0") }
        #expect(!ledger.hasRoom("proven 1", priority: 1, at: now))
        #expect(ledger.hasRoom("proven 1", priority: 0, at: now))
        for _ in 0..<4 { ledger.begin("proven 0") }
        #expect(!ledger.hasRoom("proven 1", priority: 0, at: now))
    }

    @Test("who has places of its own has them before it has answered")
    func named() {
        var ledger = ledger(proven: 0)
        for _ in 0..<19 { ledger.begin("push") }
        #expect(ledger.hasRoom("push", priority: 1, at: now))
        #expect(ledger.bound(of: "push", waiting: 0, at: now) == 1)
        ledger.begin("push")
        #expect(!ledger.hasRoom("push", priority: 0, at: now))
    }

    @Test("hosts that have not answered, or slowly, share half of the places")
    func unproven() {
        var ledger = ledger(proven: 1)
        answer(&ledger, "slow", after: .seconds(14))
        for number in 0..<7 { ledger.begin("new \(number)") }
        #expect(ledger.hasRoom("slow", priority: 0, at: now))
        ledger.begin("slow")
        #expect(!ledger.hasRoom("slow", priority: 0, at: now))
        #expect(!ledger.hasRoom("new 9", priority: 0, at: now))
        #expect(ledger.hasRoom("proven 0", priority: 1, at: now))
        ledger.end("new 0", .delivered("200"), after: .zero, at: now)
        #expect(ledger.hasRoom("new 9", priority: 0, at: now))
    }

    @Test("a push service has places of its own")
    func push() {
        var ledger = ledger(proven: 1)
        for _ in 0..<16 { ledger.begin("proven 0") }
        answer(&ledger, "push", after: .zero)
        for _ in 0..<20 {
            #expect(ledger.hasRoom("push", priority: 2, at: now))
            ledger.begin("push")
        }
        #expect(!ledger.hasRoom("push", priority: 0, at: now))
        #expect(ledger.inFlight == 36)
        for _ in 0..<16 { ledger.end("proven 0", .delivered("200"), after: .zero, at: now) }
        #expect(ledger.hasRoom("proven 0", priority: 1, at: now))
    }
}
