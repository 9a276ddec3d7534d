/// The order in which people are left alone if one of them has to be: first those who never were, then those
/// who were least recently; people who were alone the last time come last. Among equals the given order
/// decides.
struct AloneOrder: Sendable {
    /// The people, the first to be left alone first.
    let people: [Int32]
    /// The number of people, from the end, who were alone the last time.
    let spared: Int

    init(_ order: [Int32], in graph: PreferenceGraph) {
        let rank = { (person: Int32) -> (Int, Int64) in
            let person = graph.people[Int(person)]
            return (person.wasAloneLast ? 1 : 0, person.aloneAt ?? .min)
        }
        people = order.enumerated()
            .map { (rank: rank($1), position: $0, person: $1) }
            .sorted { ($0.rank.0, $0.rank.1, $0.position) < ($1.rank.0, $1.rank.1, $1.position) }
            .map(\.person)
        spared = order.count { graph.people[Int($0)].wasAloneLast }
    }
}
