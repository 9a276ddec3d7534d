import Testing

@testable import Matching

struct SocietyTests {
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
        let society = Society(
            [Person(), Person(), Person()],
            [Acquaintance(0, 1, favourites: 1), Acquaintance(1, 0, meetings: 100), Acquaintance(2, 1)])
        #expect(society.cost(0, 1) == 100)
        #expect(society.cost(0, 2) == MatchWeights.favouriteApart)
        #expect(society.acquaintances.count(of: 1) == 2)
    }

    @Test("a block keeps two apart, whoever is named first")
    func blocks() {
        let society = Society(
            [Person(), Person(), Person()], [Acquaintance(2, 0, isBlocked: true, favourites: 2)])
        #expect(!society.mayMeet(0, 2) && !society.mayMeet(2, 0) && !society.mayMeet(1, 1))
        #expect(society.mayMeet(0, 1))
        #expect(society.cost(0, 1) == 0, "somebody whom one may not meet is not missed")
    }

    @Test("a tag that nobody else has is not missed")
    func tags() {
        let society = Society([Person(tag: 0), Person(tag: 1), Person(tag: 1), Person()], [])
        #expect(society.cost(1, 2) == 0)
        #expect(society.cost(0, 3) == 0)
        #expect(society.cost(0, 1) == MatchWeights.tagApart)
        #expect(RoomReasons([0, 1, 2], in: society).cost == 0)
    }

    @Test("favourites of each other may meet again at once")
    func favourites() {
        let society = Society(
            [Person(), Person(), Person()], [Acquaintance(0, 1, favourites: 2, meetings: 1_000)])
        #expect(society.cost(0, 1) == 0)
        #expect(society.cost(0, 2) == 2 * MatchWeights.favouriteApart)
    }
}
