/// Pairs while they are made and improved.
struct Pairing {
    let graph: PreferenceGraph
    let bound: PairBound
    /// The partner of each person; -1 for none.
    private(set) var mates: [Int32]
    /// The cost of each person's pair; 0 without one.
    private(set) var costs: [Int32]
    private(set) var cost: Int64 = 0

    init(_ graph: PreferenceGraph, _ bound: PairBound) {
        self.graph = graph
        self.bound = bound
        mates = Array(repeating: -1, count: graph.people.count)
        costs = Array(repeating: 0, count: graph.people.count)
    }

    func isFree(_ person: Int32) -> Bool { mates[Int(person)] < 0 }

    /// The free people, in the order of the people.
    var free: [Int32] { mates.indices.lazy.filter { mates[$0] < 0 }.map { Int32($0) } }

    /// Whether the person's pair costs more than the least that either can hope for.
    func isLacking(_ person: Int32) -> Bool {
        let mate = mates[Int(person)]
        return mate >= 0 && costs[Int(person)] > ideal(person, mate)
    }

    func ideal(_ first: Int32, _ second: Int32) -> Int32 {
        bound.least[Int(first)] + bound.least[Int(second)]
    }

    mutating func pair(_ first: Int32, _ second: Int32, for price: Int32) {
        mates[Int(first)] = second
        mates[Int(second)] = first
        costs[Int(first)] = price
        costs[Int(second)] = price
        cost += Int64(price)
    }

    mutating func part(_ person: Int32) {
        let mate = mates[Int(person)]
        cost -= Int64(costs[Int(person)])
        for one in [person, mate] {
            mates[Int(one)] = -1
            costs[Int(one)] = 0
        }
    }

    /// Exchanges partners between the pairs of two people if that costs less. Returns whether it did.
    mutating func exchange(_ first: Int32, _ second: Int32) -> Bool {
        let (mate, other) = (mates[Int(first)], mates[Int(second)])
        if first == second || mate == second || mate < 0 || other < 0 { return false }
        let before = costs[Int(first)] + costs[Int(second)]
        let straight = (graph.price(first, second), graph.price(mate, other))
        let crossed = (graph.price(first, other), graph.price(mate, second))
        if min(straight.0 + straight.1, crossed.0 + crossed.1) >= before { return false }
        part(first)
        part(second)
        if straight.0 + straight.1 <= crossed.0 + crossed.1 {
            pair(first, second, for: straight.0)
            pair(mate, other, for: straight.1)
        } else {
            pair(first, other, for: crossed.0)
            pair(mate, second, for: crossed.1)
        }
        return true
    }
}
