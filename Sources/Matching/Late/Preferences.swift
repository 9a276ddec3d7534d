/// The preferences of people, by their ids.
package struct Preferences<ID: Hashable & Sendable>: Sendable {
    private let ids: [ID]
    private let graph: PreferenceGraph
    private let indexes: [ID: Int32]

    /// Creates preferences; `ids` are those of the graph's people, in their order. Anybody else is a stranger
    /// without a tag.
    package init(_ ids: [ID], _ graph: PreferenceGraph) {
        precondition(ids.count == graph.people.count)
        self.ids = ids
        self.graph = graph
        indexes = Dictionary(
            zip(ids, ids.indices.lazy.map { Int32($0) }), uniquingKeysWith: { first, _ in first })
    }

    package static var strangers: Preferences { Preferences([], PreferenceGraph([], [])) }

    package func mayMeet(_ first: ID, _ second: ID) -> Bool {
        if first == second { return false }
        guard let first = indexes[first], let second = indexes[second] else { return true }
        return graph.mayMeet(first, second)
    }

    func mayMeet(_ person: ID, all others: some Sequence<ID>) -> Bool {
        others.allSatisfy { mayMeet(person, $0) }
    }

    /// Whether any two people are certain to meet.
    var hasCertain: Bool { graph.hasCertain }

    /// Returns the people that a person is certain to meet, if both are there.
    func certain(of person: ID) -> [ID] {
        guard graph.hasCertain, let index = indexes[person] else { return [] }
        return graph.edges[index].lazy.filter(\.attributes.isCertain).map { ids[Int($0.other)] }
    }

    /// Returns the people that a person has blocked, or was blocked by.
    func blocked(by person: ID) -> [ID] {
        guard let index = indexes[person] else { return [] }
        return graph.edges[index].lazy.filter { $0.attributes.isBlocked }.map { ids[Int($0.other)] }
    }

    /// Returns the graph of these people only, by their position; the pairs in `apart` may not meet either.
    func graph(of people: [ID], apart: [(Int, Int)] = []) -> PreferenceGraph {
        var positions: [Int32: Int32] = [:]
        for (position, id) in people.enumerated() {
            if let index = indexes[id] { positions[index] = Int32(position) }
        }
        var edges = apart.map { PreferenceEdge(Int32($0), Int32($1), isBlocked: true) }
        // The edges are made in the order of the people: a dictionary has another order in each process.
        for (position, id) in people.enumerated() {
            guard let index = indexes[id] else { continue }
            let position = Int32(position)
            for entry in graph.edges[index] where entry.other > index {
                guard let other = positions[entry.other] else { continue }
                edges.append(PreferenceEdge(position, other, entry.attributes))
            }
        }
        var tags: [Int32: Int32] = [:]
        return PreferenceGraph(
            people.map { id in
                guard let index = indexes[id] else { return Person() }
                return graph.people[Int(index)].numberingTags(&tags)
            }, edges)
    }

    /// Returns the cost of the members' company.
    package func cost(ofRoom members: [ID]) -> Int64 {
        graph.cost(ofRoom: members.compactMap { indexes[$0] })
    }

    /// Returns the place of least cost among the first few: late members must not wait for the best of very
    /// many.
    static func cheapest(of places: some Sequence<Int>, _ cost: (Int) -> Int64) -> Int? {
        places.lazy.prefix(50).map { (place: $0, cost: cost($0)) }.min { $0.cost < $1.cost }?.place
    }

    /// Returns what one more member adds to the cost; it may be negative.
    func cost(of person: ID, joining members: [ID]) -> Int64 {
        cost(ofRoom: members + [person]) - cost(ofRoom: members)
    }
}
