import Codecs
import Testing

@testable import Matching

struct MatcherTests {
    /// Returns the cost of the cheapest pairs, for each set of people who are alone.
    private func allPairings(_ graph: PreferenceGraph) -> [Int: Int64] {
        var best: [Int: Int64] = [:]
        let count = graph.people.count
        func choose(_ person: Int, _ taken: Int, _ alone: Int, _ cost: Int64) {
            if person == count {
                best[alone] = min(best[alone] ?? .max, cost)
                return
            }
            if taken & 1 << person != 0 { return choose(person + 1, taken, alone, cost) }
            choose(person + 1, taken, alone | 1 << person, cost)
            for other in person + 1..<max(count, person + 1) where taken & 1 << other == 0 {
                let price = graph.price(Int32(person), Int32(other))
                if price < PreferenceGraph.never {
                    choose(person + 1, taken | 1 << other, alone, cost + Int64(price))
                }
            }
        }
        choose(0, 0, 0, 0)
        return best
    }

    @Test("no pairs are better: fewest alone, the right one alone, cheapest", arguments: 1...7)
    func bruteForce(people: Int) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        for round in 0..<400 {
            let (graph, edges) = randomGraph(
                people: people, blocked: round % 4 * 25, using: &random)
            let match = Matcher.match(graph, roomSize: .pair, trios: false, using: &random)
            let context: Comment =
                "seed \(seed), round \(round): \(graph.people) \(edges): \(match)"
            let pairings = allPairings(graph)
            let fewest = try #require(pairings.keys.map(\.nonzeroBitCount).min())
            let alone = match.alone.reduce(0) { $0 | 1 << Int($1) }
            #expect(match.alone.count == fewest, context)
            #expect(match.cost == pairings[alone], context)
            #expect(match.method == .bound || match.method == .optimal && match.bound == match.cost, context)
            if fewest == 1, let loner = match.alone.first {
                let candidates = pairings.keys.filter { $0.nonzeroBitCount == 1 }
                    .map { graph.people[$0.trailingZeroBitCount] }
                #expect(candidates.allSatisfy { rank(graph.people[Int(loner)]) <= rank($0) }, context)
            }
        }
    }

    private func rank(_ person: Person) -> (Int, Int64) {
        (person.wasAloneLast ? 1 : 0, person.aloneAt ?? .min)
    }

    @Test("with one of three, no rooms are below the bound", arguments: [3, 5, 7])
    func bound(people: Int) {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        for round in 0..<200 {
            let (graph, edges) = randomGraph(people: people, blocked: 0, using: &random)
            let match = Matcher.match(graph, roomSize: .pair, trios: true, using: &random)
            let context: Comment =
                "seed \(seed), round \(round): \(graph.people) \(edges): \(match)"
            let pairings = allPairings(graph)
            var cheapest = Int64.max
            for (alone, cost) in pairings where alone.nonzeroBitCount == 3 {
                let three = (0..<Int32(people)).filter { alone & 1 << Int($0) != 0 }
                cheapest = min(cheapest, cost + graph.cost(ofRoom: three))
            }
            #expect(match.bound <= cheapest && cheapest <= match.cost, context)
            #expect(match.method != .bound || match.cost == cheapest, context)
        }
    }

    @Test("each person has one place, with none that it may not meet", arguments: [2, 2, 3, 4, 7])
    func properties(size: Int) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        let roomSize = try #require(RoomSize(size))
        for round in 0..<24 {
            let people = Int.random(in: 0...40, using: &random)
            let blocked = [0, 0, 10, 60][round % 4]
            let (graph, _) = randomGraph(people: people, blocked: blocked, using: &random)
            let trios = Bool.random(using: &random)
            let optimalSize = Bool.random(using: &random) ? 0 : Matcher.optimalSize
            var same = random
            let match = Matcher.match(
                graph, roomSize: roomSize, trios: trios, optimalSize: optimalSize, using: &random)
            let context: Comment = "seed \(seed), round \(round): \(match)"
            #expect(match.rooms.flatMap(\.self).sorted() == (0..<Int32(people)).map(\.self), context)
            #expect(match.rooms.allSatisfy { isAllowed(Array($0), graph) }, context)
            #expect(match.cost == match.rooms.reduce(0) { $0 + graph.cost(ofRoom: $1) }, context)
            #expect(match.bound >= 0 && match.bound <= match.cost, context)
            if blocked == 0 {
                let pairs = Array(repeating: 2, count: people / 2) + Array(repeating: 1, count: people % 2)
                let expected =
                    size == 2 && !trios ? pairs : Partition.roomSizes(people: people, roomSize: roomSize)
                #expect(match.rooms.map(\.count) == expected, context)
            }
            let again = Matcher.match(
                graph, roomSize: roomSize, trios: trios, optimalSize: optimalSize, using: &same)
            #expect(again == match, context)
        }
    }

    @Test("in rooms for more than two, no person is alone who could have company", arguments: 3...5)
    func company(size: Int) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        let roomSize = try #require(RoomSize(size))
        for round in 0..<2_000 {
            let people = Int.random(in: 3...14, using: &random)
            let blocked = Int.random(in: 20...90, using: &random)
            let (graph, _) = randomGraph(people: people, blocked: blocked, using: &random)
            let match = Matcher.match(graph, roomSize: roomSize, trios: true, using: &random)
            let context: Comment = "seed \(seed), round \(round): \(match)"
            #expect(match.cost == match.rooms.reduce(0) { $0 + graph.cost(ofRoom: $1) }, context)
            for loner in match.alone {
                let company = match.rooms.first { room in
                    let mayJoin = room.count <= size && room.allSatisfy { graph.mayMeet(loner, $0) }
                    let mayTake = room.count > 2 && room.contains { graph.mayMeet(loner, $0) }
                    return mayJoin || mayTake
                }
                #expect(company == nil, context)
            }
        }
    }

    private func isAllowed(_ room: [Int32], _ graph: PreferenceGraph) -> Bool {
        room.allSatisfy { first in room.allSatisfy { $0 == first || graph.mayMeet(first, $0) } }
    }

    @Test("a hard slot has its optimum, with room for three or without", arguments: [false, true])
    func dense(trios: Bool) {
        var random = SplitMix64(seed: 7)
        var edges: [PreferenceEdge] = []
        for first in 0..<Int32(100) {
            for second in 0..<first {
                let meetings = 2 * Int32.random(in: 1...4_000, using: &random)
                edges.append(PreferenceEdge(first, second, meetings: meetings))
            }
        }
        let graph = PreferenceGraph(Array(repeating: Person(), count: 100), edges)
        let match = Matcher.match(graph, roomSize: .pair, trios: trios, using: &random)
        #expect(match.method == .optimal && match.cost == match.bound)
        let repaired = Matcher.match(graph, roomSize: .pair, trios: trios, optimalSize: 0, using: &random)
        #expect(repaired.method == .repaired && repaired.cost >= match.cost && repaired.bound <= match.cost)
        let stopped = Matcher.match(graph, roomSize: .pair, trios: trios, using: &random) { true }
        #expect(stopped.method == .repaired)
    }

    @Test("of two hostile camps the surplus is alone", arguments: [(10, 10), (12, 8), (1, 15), (9, 0)])
    func camps(left: Int, right: Int) {
        let graph = PreferenceGraph(
            Array(repeating: Person(), count: left + right), blocks(0..<left) + blocks(left..<left + right))
        var random = SplitMix64(seed: 5)
        let match = Matcher.match(graph, roomSize: .pair, trios: false, using: &random)
        #expect(match.alone.count == abs(left - right))
    }

    @Test("a person that all others have blocked is alone, and no other one", arguments: [5, 6, 30, 31])
    func outcast(people: Int) {
        let graph = PreferenceGraph(
            Array(repeating: Person(), count: people),
            (1..<Int32(people)).map { PreferenceEdge(0, $0, isBlocked: true) })
        var random = SplitMix64(seed: 5)
        let match = Matcher.match(graph, roomSize: .pair, trios: true, using: &random)
        #expect(match.alone == [0])
    }

    @Test("people with the same tag meet, and an odd one of each meets another odd one")
    func tags() {
        let graph = PreferenceGraph((0..<50).map { Person(tag: Int32($0 / 5)) }, [])
        var random = SplitMix64(seed: 5)
        let match = Matcher.match(graph, roomSize: .pair, trios: true, using: &random)
        #expect(match.method == .bound && match.cost == Int64(10 * MatchWeights.tagApart))
    }

    private func blocks(_ people: Range<Int>) -> [PreferenceEdge] {
        people.flatMap { first in
            (people.lowerBound..<first).map { PreferenceEdge(Int32(first), Int32($0), isBlocked: true) }
        }
    }
}
