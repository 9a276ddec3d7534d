/// The best pairs: as many as possible; of these pairings those that leave the right people alone; of these
/// the cheapest.
///
/// They are a perfect matching of least cost, in which two people who may not meet cost as much as leaving
/// both alone, and an odd person stays alone. The costs of being alone outweigh each other and all pairs as
/// the order demands.
struct OptimalPairs: Sendable {
    let costs: PairCosts
    private let graph: PreferenceGraph

    /// A cost above that of all pairs of a slot together.
    private static let step: Int64 = 1 << 23
    /// A cost above that of any choice between people who are left alone, below 2⁵⁸ ÷ 4.
    private static let alone: Int64 = 1 << 54

    /// Creates the costs. Without an order it does not matter who is left alone.
    init(_ graph: PreferenceGraph, order: AloneOrder?) {
        let people = graph.people.count
        precondition(people <= Matcher.optimalSize)
        self.graph = graph
        var alone = [Int64](repeating: Self.alone, count: people)
        if let order {
            for (position, person) in order.people.enumerated() {
                let isSpared = position >= people - order.spared
                alone[Int(person)] += Int64(position + (isSpared ? people * people : 0)) * Self.step
            }
        }
        costs = PairCosts(count: people + people % 2) { first, second in
            if first == people { return alone[second] }
            let price = graph.price(Int32(first), Int32(second))
            return price < PreferenceGraph.never ? Int64(price) : alone[first] + alone[second]
        }
    }

    /// Returns the pairs; nil if the search was stopped.
    func pairs(_ bound: PairBound, shouldStop: () -> Bool) -> Pairing? {
        guard let matching = PerfectMatching(costs, shouldStop: shouldStop) else { return nil }
        var pairing = Pairing(graph, bound)
        for person in graph.people.indices {
            let mate = matching.mates[person]
            if mate <= person || Int(mate) == graph.people.count { continue }
            let price = graph.price(Int32(person), mate)
            if price < PreferenceGraph.never { pairing.pair(Int32(person), mate, for: price) }
        }
        return pairing
    }
}
