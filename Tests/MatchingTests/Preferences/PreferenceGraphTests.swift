import Testing

@testable import Matching

struct PreferenceGraphTests {
    @Test("a meeting costs no more for being longer ago, and nothing after thirty days")
    func recency() {
        let costs = (0...31).map { MatchWeights.meeting(daysAgo: $0) }
        #expect(costs.first == 1_000)
        #expect(costs[30] == 2)
        #expect(costs[31] == 0)
        #expect(zip(costs, costs.dropFirst()).allSatisfy { $0 >= $1 && $0.isMultiple(of: 2) })
        #expect(MatchWeights.meetings(daysAgo: [0, 1, 40]) == costs[0] + costs[1])
        #expect(
            MatchWeights.meetings(daysAgo: Array(repeating: 0, count: 100)) == MatchWeights.meetingsAtMost)
    }

    @Test("what is said twice of two people counts once, the stronger word")
    func doubles() {
        let graph = PreferenceGraph(
            [Person(), Person(), Person()],
            [PreferenceEdge(0, 1, favourites: 1), PreferenceEdge(1, 0, meetings: 100), PreferenceEdge(2, 1)])
        #expect(graph.price(0, 1) == 100)
        #expect(graph.price(0, 2) == MatchWeights.favouriteApart)
        #expect(graph.edges.count(of: 1) == 2)
    }

    @Test("a block keeps two apart, in either order")
    func blocks() {
        let graph = PreferenceGraph(
            [Person(), Person(), Person()], [PreferenceEdge(2, 0, isBlocked: true, favourites: 2)])
        #expect(!graph.mayMeet(0, 2) && !graph.mayMeet(2, 0) && !graph.mayMeet(1, 1))
        #expect(graph.mayMeet(0, 1))
        #expect(graph.price(0, 1) == 0, "a person one may not meet is not missed")
    }

    @Test("a tag that no other person has is not missed")
    func tags() {
        let graph = PreferenceGraph([Person(tag: 0), Person(tag: 1), Person(tag: 1), Person()], [])
        #expect(graph.price(1, 2) == 0)
        #expect(graph.price(0, 3) == 0)
        #expect(graph.price(0, 1) == MatchWeights.tagApart)
        #expect(RoomReasons([0, 1, 2], in: graph).cost == 0)
    }

    @Test("favourites of each other may meet again at once")
    func favourites() {
        let graph = PreferenceGraph(
            [Person(), Person(), Person()], [PreferenceEdge(0, 1, favourites: 2, meetings: 1_000)])
        #expect(graph.price(0, 1) == 0)
        #expect(graph.price(0, 2) == 2 * MatchWeights.favouriteApart)
    }
}
