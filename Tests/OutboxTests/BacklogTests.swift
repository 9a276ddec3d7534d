import Contract
import Testing

@testable import Outbox

@Suite struct BacklogTests {
    private func delivery(_ id: Int64, _ host: String = "host", priority: Int = 1) -> Delivery<String> {
        Delivery(
            id: id, endpoint: Identifier(value: 1), host: host, priority: priority, attempts: 0,
            expiresAt: nil,
            message: "")
    }

    @Test("the urgent overtake, and those that are as urgent stay in their order")
    func order() {
        var backlog = Backlog<String>()
        for (id, priority) in [(1, 1), (2, 2), (3, 1), (4, 0), (5, 2), (6, 0)] as [(Int64, Int)] {
            backlog.add(delivery(id, priority: priority))
        }
        #expect(backlog.count == 6 && backlog.count(of: "host") == 6)
        var ids: [Int64] = []
        while let next = backlog.next(for: "host") { ids.append(next.id) }
        #expect(ids == [4, 6, 1, 3, 2, 5])
        #expect(backlog.count == 0 && backlog.next(for: "host") == nil)
    }

    @Test("of the hosts that have room, that with the most urgent is next")
    func hosts() {
        var backlog = Backlog<String>()
        for delivery in [delivery(1, "a", priority: 2), delivery(2, "b", priority: 0), delivery(3, "c")] {
            backlog.add(delivery)
        }
        #expect(backlog.mostUrgentHost { _, _ in true } == "b")
        #expect(backlog.mostUrgentHost { host, _ in host != "b" } == "c")
        #expect(backlog.mostUrgentHost { _, _ in false } == nil)
        #expect(backlog.removeAll(of: "b").map(\.id) == [2])
        #expect(backlog.count == 2 && backlog.mostUrgentHost { _, _ in true } == "c")
        backlog.removeAll()
        #expect(backlog.count == 0 && backlog.mostUrgentHost { _, _ in true } == nil)
    }
}
