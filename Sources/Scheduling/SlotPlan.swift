import Codecs
package import Contract
package import Matching
import Reactor

/// A planned match of a slot, with its inputs: the same people, edges, rules and seed give the same match.
package struct SlotPlan: Sendable {
    /// The number of people up to which a match is computed on the loop, since it takes a moment only.
    private static let sizeOnLoop = 64

    /// The people, in the order of their registrations.
    package let people: [SlotPerson]
    package let edges: [SlotEdge]
    package let graph: PreferenceGraph
    package let seed: UInt64
    /// The instant at which the edges were read.
    package let asOf: Timestamp
    package let match: SlotMatch

    /// Makes a plan. `shouldStop` is called on another thread; once it returns true, the plan is the best
    /// found so far.
    package static func make(
        _ people: [SlotPerson], _ edges: [SlotEdge], _ rules: ScheduleRules, seed: UInt64, asOf: Timestamp,
        optimalSize: Int = Matcher.optimalSize, shouldStop: @escaping @Sendable () -> Bool = { false }
    ) async -> SlotPlan {
        await compute(people.count) {
            let graph = PreferenceGraph(people, edges)
            var random = SplitMix64(seed: seed)
            let match = Matcher.match(
                graph, roomSize: rules.roomSize, trios: rules.trios, optimalSize: optimalSize, using: &random,
                shouldStop: shouldStop)
            return SlotPlan(
                people: people, edges: edges, graph: graph, seed: seed, asOf: asOf, match: match)
        }
    }

    /// Runs a computation that takes longer the more people there are: for many, on a thread of its own and
    /// not on the caller's loop.
    static func compute<Value: Sendable>(
        _ people: Int, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        if people <= sizeOnLoop { return body() }
        return await BlockingThread.run { body() }
    }

    package var record: MatchRecord {
        MatchRecord(
            seed: seed, method: match.method, cost: match.cost, bound: match.bound, asOf: asOf)
    }

    /// The people who are alone while others have company, and not because they meet favourites only.
    package var leftAlone: [SlotPerson] {
        let alone = match.alone
        if alone.count == match.rooms.count { return [] }
        return alone.map { people[Int($0)] }.filter { !$0.intent.favouritesOnly }
    }

    /// Returns whether the plan is still valid: it has the same people, and the same blocks.
    func holds(for people: [SlotPerson], blocks: [SlotEdge]) -> Bool {
        people == self.people && Set(blocks) == Set(edges.filter { $0.kind == .block })
    }
}

extension PreferenceGraph {
    /// Creates a graph; edges of people who are not in `people` are ignored.
    init(_ people: [SlotPerson], _ edges: [SlotEdge]) {
        var tags: [String: Int32] = [:]
        var persons: [Person] = []
        persons.reserveCapacity(people.count)
        for person in people {
            let tag = person.tag.map { name in
                let number = tags[name] ?? Int32(tags.count)
                tags[name] = number
                return number
            }
            persons.append(
                Person(
                    tag: tag, aloneAt: person.aloneAt?.seconds, wasAloneLast: person.wasAloneLast,
                    meetsFavouritesOnly: person.intent.favouritesOnly))
        }
        let isPlain = edges.isEmpty && people.allSatisfy { $0.intent.invitedBy == nil }
        self.init(persons, isPlain ? [] : Self.edges(people, edges))
    }

    private static func edges(_ people: [SlotPerson], _ edges: [SlotEdge]) -> [PreferenceEdge] {
        struct Pair: Hashable, Comparable {
            var first: Int32
            var second: Int32

            static func < (left: Pair, right: Pair) -> Bool {
                (left.first, left.second) < (right.first, right.second)
            }
        }
        var indexes: [Identifier: Int32] = [:]
        indexes.reserveCapacity(people.count)
        for (index, person) in people.enumerated() { indexes[person.registration] = Int32(index) }
        var result: [PreferenceEdge] = []
        result.reserveCapacity(edges.count)
        var favourites: [Pair: Set<Int32>] = [:]
        for edge in edges {
            guard let first = indexes[edge.first], let second = indexes[edge.second], first != second else {
                continue
            }
            switch edge.kind {
            case .block: result.append(PreferenceEdge(first, second, isBlocked: true))
            case .favourite:
                favourites[Pair(first: min(first, second), second: max(first, second)), default: []]
                    .insert(first)
            case .meetings(let cost): result.append(PreferenceEdge(first, second, meetings: cost))
            }
        }
        // A dictionary has another order in each process.
        for (pair, marks) in favourites.sorted(by: { $0.key < $1.key }) {
            let isWelcome = [pair.first, pair.second].allSatisfy {
                !people[Int($0)].intent.favouritesOnly || marks.contains($0)
            }
            result.append(
                PreferenceEdge(
                    pair.first, pair.second, favourites: UInt8(marks.count), isWelcome: isWelcome))
        }
        for (index, person) in people.enumerated() {
            guard let inviter = person.intent.invitedBy.flatMap({ indexes[$0] }), inviter != index else {
                continue
            }
            result.append(PreferenceEdge(inviter, Int32(index), isCertain: true))
        }
        return result
    }
}
