package import Reactor

extension DescriptorBudget {
    /// Returns an open budget of that many descriptors, including the reserved ones.
    package static func opened(
        for count: Int, reserved: [Holder: Int] = [:], on loop: EventLoop = TestLoops.next(),
        starved: @escaping @Sendable ([Holder: Int]) -> Void = { _ in }
    ) -> DescriptorBudget {
        let budget = DescriptorBudget()
        budget.open(limit: count + spares + margin, reserved: reserved, on: loop, starved: starved)
        return budget
    }
}
