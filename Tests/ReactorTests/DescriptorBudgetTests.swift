import Reactor
import TestKit
import Testing

@Suite("The budget of descriptors")
struct DescriptorBudgetTests {
    @Test("bounds nothing until it is open")
    func unbounded() {
        let budget = DescriptorBudget()
        #expect(budget.take(1_000_000, for: .connections))
        budget.ranOut()
        #expect(!budget.isStarved && budget.take(1, for: .connections))
    }

    @Test("a reserve is there for its holder, however much the others want")
    func reserved() {
        let budget = DescriptorBudget.opened(for: 10, reserved: [.deliveries: 3, .lookUps: 2])
        for _ in 0..<5 { #expect(budget.take(1, for: .connections)) }
        #expect(!budget.take(1, for: .connections))
        #expect(budget.take(3, for: .deliveries) && !budget.take(1, for: .deliveries))
        #expect(budget.take(2, for: .lookUps) && !budget.take(1, for: .lookUps))
    }

    @Test("descriptors that are not reserved go to the first holder that asks, and later to others")
    func shared() {
        let budget = DescriptorBudget.opened(for: 10, reserved: [.connections: 2])
        #expect(budget.take(8, for: .tunnels) && !budget.take(1, for: .deliveries))
        #expect(budget.take(2, for: .connections) && !budget.take(1, for: .connections))
        budget.giveBack(8, from: .tunnels)
        #expect(budget.take(8, for: .connections) && !budget.take(1, for: .tunnels))
        #expect(budget.held[.connections] == 10 && budget.held[.tunnels] == 0)
    }

    @Test("a request that does not fit takes nothing")
    func whole() {
        let budget = DescriptorBudget.opened(for: 3)
        #expect(!budget.take(4, for: .deliveries) && budget.held[.deliveries] == 0)
        #expect(budget.take(3, for: .deliveries))
    }

    @Test("a lease is given back with its last reference")
    func leases() {
        let budget = DescriptorBudget.opened(for: 2)
        let share = DescriptorBudget.Share(of: budget, for: .deliveries)
        var lease = share.lease()
        #expect(lease != nil && share.lease() == nil)
        lease = nil
        #expect(budget.held[.deliveries] == 0 && share.lease() != nil)
    }

    @Test("when descriptors have run out it reports once who holds them, grants none, and recovers")
    func starvation() async {
        let reports = Lock<[[DescriptorBudget.Holder: Int]]>([])
        let recovered = Signal<Void>()
        let budget = DescriptorBudget.opened(for: 10, reserved: [.calls: 2]) { held in
            reports.withLock { $0.append(held) }
        }
        budget.whenRecovered { recovered.send() }
        #expect(budget.take(3, for: .connections))
        budget.ranOut()
        budget.ranOut()
        // While the budget is starved, calls get their reserve and no more.
        #expect(budget.take(2, for: .calls) && !budget.take(1, for: .calls) && !budget.take(1, for: .names))
        #expect(reports.withLock { $0 }.map { $0[.connections] } == [3])
        await recovered.value()
        #expect(!budget.isStarved && budget.take(1, for: .connections))
    }

    @Test("a descriptor whose number is close to the limit means that they have run out")
    func numbers() async {
        let recovered = Signal<Void>()
        let reports = Lock(0)
        let budget = DescriptorBudget.opened(for: 10) { _ in reports.withLock { $0 += 1 } }
        budget.whenRecovered { recovered.send() }
        budget.opened(CInt(DescriptorBudget.limit - DescriptorBudget.margin - 1))
        #expect(reports.withLock { $0 } == 0)
        budget.opened(CInt(DescriptorBudget.limit - DescriptorBudget.margin))
        #expect(reports.withLock { $0 } == 1)
        await recovered.value()
    }
}
