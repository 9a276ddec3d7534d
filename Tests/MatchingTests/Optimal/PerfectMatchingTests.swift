import Codecs
import Testing

@testable import Matching

struct PerfectMatchingTests {
    @Test("no perfect matching of a small graph is cheaper", arguments: [2, 4, 6, 8, 10])
    func bruteForce(count: Int) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        for round in 0..<(count < 10 ? 2_500 : 500) {
            let most = [1, 3, 20, 1_000_000][round % 4]
            let costs = PairCosts(count: count) { _, _ in Int64.random(in: 0...Int64(most), using: &random) }
            let matching = try #require(PerfectMatching(costs))
            let cost = checked(matching, costs, "seed \(seed), round \(round)")
            #expect(cost == cheapest(costs), "seed \(seed), round \(round): \(costs)")
        }
    }

    @Test("the proof of a large one holds", arguments: [30, 60, 100], [1, 5, 1_000, 1 << 50])
    func proof(count: Int, most: Int64) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        let costs = PairCosts(count: count) { _, _ in Int64.random(in: 0...most, using: &random) }
        let matching = try #require(PerfectMatching(costs))
        checked(matching, costs, "seed \(seed)")
    }

    /// Tests blossoms: odd cliques make blossoms, and cliques of cliques make blossoms in blossoms.
    @Test("the proof holds where near ones come in odd numbers", arguments: [1, 2, 3, 4, 5, 6])
    func nested(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let costs = PairCosts(count: 108) { first, second in
            var cost: Int64 = 0
            for (size, step) in [(3, 10), (9, 100), (27, 1_000)] as [(Int, Int64)]
            where first / size != second / size {
                cost += step
            }
            return cost + Int64.random(in: 0...3, using: &random)
        }
        let matching = try #require(PerfectMatching(costs))
        checked(matching, costs, "seed \(seed)")
    }

    @Test("no people make an empty matching")
    func empty() throws {
        #expect(try #require(PerfectMatching(PairCosts(count: 0) { _, _ in 0 })).mates.isEmpty)
    }

    @Test("it can be stopped")
    func stops() {
        let costs = PairCosts(count: 20) { Int64($0 * $1 % 7 + $0) }
        var asked = 0
        let matching = PerfectMatching(costs) {
            asked += 1
            return asked > 2
        }
        #expect(matching == nil)
    }

    /// Returns the smallest cost, found by trying all matchings.
    private func cheapest(_ costs: PairCosts) -> Int64 {
        var best = [Int64](repeating: .max, count: 1 << costs.count)
        best[0] = 0
        for set in best.indices.dropLast() where best[set] < .max {
            let first = (~set).trailingZeroBitCount
            for second in first + 1..<costs.count where set & 1 << second == 0 {
                let with = set | 1 << first | 1 << second
                best[with] = min(best[with], best[set] + costs[first, second])
            }
        }
        return best[best.count - 1]
    }
}

/// Checks the matching and its proof, independently of how they were computed, and returns the cost.
@discardableResult
func checked(_ matching: PerfectMatching, _ costs: PairCosts, _ context: Comment) -> Int64 {
    var cost: Int64 = 0
    for (vertex, mate) in matching.mates.enumerated() {
        #expect(mate >= 0 && Int(mate) != vertex && Int(matching.mates[Int(mate)]) == vertex, context)
        if mate > vertex { cost += costs[vertex, Int(mate)] }
    }
    var allowance = [Int64](repeating: 0, count: costs.count * costs.count)
    for blossom in matching.proof.blossoms {
        #expect(blossom.dual >= 0 && !blossom.members.count.isMultiple(of: 2), context)
        #expect(Set(blossom.members).count == blossom.members.count, context)
        for first in blossom.members {
            for second in blossom.members {
                allowance[Int(first) * costs.count + Int(second)] += blossom.dual
            }
        }
    }
    var violations = 0
    for first in 0..<costs.count {
        for second in 0..<first {
            let value = matching.proof.duals[first] + matching.proof.duals[second]
            if value - allowance[first * costs.count + second] > 4 * costs[first, second] { violations += 1 }
        }
    }
    #expect(violations == 0, context)
    #expect(matching.proof.bound == 4 * cost, context)
    return cost
}
