import Codecs

/// Matches a slot in pairs.
struct PairMatcher {
    private let graph: PreferenceGraph
    private let trios: Bool
    private let order: [Int32]
    private let tags: TagLists
    private let bound: PairBound
    private let aloneOrder: AloneOrder?
    /// The person who is left alone if it is just one.
    private let loner: Int32?
    private var random: SplitMix64

    init(_ graph: PreferenceGraph, trios: Bool, using random: SplitMix64) {
        self.graph = graph
        self.trios = trios
        self.random = random
        let shuffled = graph.people.indices.map { Int32($0) }.shuffled(using: &self.random)
        aloneOrder = trios ? nil : AloneOrder(shuffled, in: graph)
        let loner = shuffled.count.isMultiple(of: 2) ? nil : aloneOrder?.people.first
        self.loner = loner
        order = loner == nil ? shuffled : shuffled.filter { $0 != loner }
        tags = TagLists(order, in: graph)
        bound = PairBound(graph)
    }

    mutating func match(optimalSize: Int, shouldStop: () -> Bool) -> SlotMatch {
        let repaired = repairedMatch()
        if repaired.method == .bound || graph.people.count > min(optimalSize, Matcher.optimalSize) {
            return repaired
        }
        let optimum = OptimalPairs(graph, order: aloneOrder).pairs(bound, shouldStop: shouldStop)
        guard let optimum else { return repaired }
        let optimal = finished(optimum, method: .optimal)
        return isBetter(repaired, optimal) ? repaired : optimal
    }

    /// Returns whether the repaired match is better: a third who is chosen together with the pairs may cost
    /// less than one who is left over by the best pairs.
    private func isBetter(_ repaired: SlotMatch, _ optimal: SlotMatch) -> Bool {
        if !trios { return false }
        if repaired.alone.count != optimal.alone.count { return repaired.alone.count < optimal.alone.count }
        return repaired.rooms.count == optimal.rooms.count && repaired.cost < optimal.cost
    }

    private mutating func repairedMatch() -> SlotMatch {
        var pairing = Pairing(graph, bound)
        pairing.pairByChance(order, tags)
        let attempts = 20_000 + graph.people.count / 2
        let free = pairing.free
        if free.count > graph.people.count % 2 {
            pairing.rescueFree(free.filter { $0 != loner }, attempts: attempts, using: &random)
            pairing.rescueFree(free, attempts: attempts, using: &random)
        }
        pairing.repair(to: goal(leaving: pairing.free), tags, attempts: attempts, using: &random)
        return finished(pairing, method: .repaired)
    }

    private mutating func finished(_ pairing: Pairing, method: SlotMatch.Method) -> SlotMatch {
        let left = pairing.free
        var thirds = Thirds(pairing, tags)
        if trios { thirds.join(left, using: &random) }
        let goal = goal(leaving: left)
        let isProven = method == .optimal && (!trios || left.isEmpty)
        return SlotMatch(
            rooms: thirds.rooms, cost: thirds.cost, bound: isProven ? thirds.cost : min(goal, thirds.cost),
            method: isAsOrdered(left) && thirds.cost == goal ? .bound : method)
    }

    /// Returns a lower bound for the cost of the rooms if these people are in no pair.
    private func goal(leaving left: [Int32]) -> Int64 {
        bound.bound(
            graph, exceptions: left.count, without: isAsOrdered(left) ? loner : nil, areThirds: trios)
    }

    /// Returns whether the people left are as few as possible, and the right ones.
    private func isAsOrdered(_ left: [Int32]) -> Bool {
        left.count == graph.people.count % 2 && (loner == nil || left.first == loner)
    }
}
