package import Contract
package import Matching
import Reactor

/// Who is to meet whom in a slot, and from what it follows: the same people, ties, rules and seed give the
/// same match.
package struct SlotPlan: Sendable {
    /// What is over in a moment is done on the spot.
    private static let sizeOnLoop = 64

    /// By their registrations.
    package let people: [SlotPerson]
    package let ties: [SlotTie]
    package let society: Society
    package let seed: UInt64
    /// When the ties were read.
    package let asOf: Timestamp
    package let match: SlotMatch

    /// `shouldStop` is asked on another thread; then the plan is the best that was found until there.
    package static func make(
        _ people: [SlotPerson], _ ties: [SlotTie], _ rules: ScheduleRules, seed: UInt64, asOf: Timestamp,
        optimalSize: Int = Matcher.optimalSize, shouldStop: @escaping @Sendable () -> Bool = { false }
    ) async -> SlotPlan {
        await compute(people.count) {
            SlotPlan(people, ties, rules, seed, asOf, optimalSize, shouldStop)
        }
    }

    /// Runs what takes the longer the more people there are: where they are many, beside the loop of the
    /// caller.
    static func compute<Value: Sendable>(
        _ people: Int, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        if people <= sizeOnLoop { return body() }
        return await BlockingThread.run { body() }
    }

    private init(
        _ people: [SlotPerson], _ ties: [SlotTie], _ rules: ScheduleRules, _ seed: UInt64, _ asOf: Timestamp,
        _ optimalSize: Int, _ shouldStop: () -> Bool
    ) {
        self.people = people
        self.ties = ties
        self.seed = seed
        self.asOf = asOf
        society = Society(people, ties)
        var random = SplitMix64(seed: seed)
        match = Matcher.match(
            society, roomSize: rules.roomSize, trios: rules.trios, optimalSize: optimalSize, using: &random,
            shouldStop: shouldStop)
    }

    package var record: MatchRecord {
        MatchRecord(
            seed: seed, method: match.method, cost: match.cost, bound: match.bound, asOf: asOf)
    }

    /// Who is alone while others have company.
    package var leftAlone: [SlotPerson] {
        let alone = match.alone
        return alone.count == match.rooms.count ? [] : alone.map { people[Int($0)] }
    }

    /// Whether it is still a plan for these people, of whom nobody has blocked anybody else since.
    func holds(for people: [SlotPerson], blocks: [SlotTie]) -> Bool {
        people == self.people && Set(blocks) == Set(ties.filter { $0.kind == .block })
    }
}

extension Society {
    /// Ties of people who are not there any more are passed over.
    init(_ people: [SlotPerson], _ ties: [SlotTie]) {
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
                Person(tag: tag, aloneAt: person.aloneAt?.seconds, wasAloneLast: person.wasAloneLast))
        }
        self.init(persons, ties.isEmpty ? [] : Self.acquaintances(people, ties))
    }

    private static func acquaintances(_ people: [SlotPerson], _ ties: [SlotTie]) -> [Acquaintance] {
        struct Pair: Hashable, Comparable {
            var first: Int32
            var second: Int32

            static func < (left: Pair, right: Pair) -> Bool {
                (left.first, left.second) < (right.first, right.second)
            }
        }
        var indexes: [UUID: Int32] = [:]
        indexes.reserveCapacity(people.count)
        for (index, person) in people.enumerated() { indexes[person.registration] = Int32(index) }
        var acquaintances: [Acquaintance] = []
        acquaintances.reserveCapacity(ties.count)
        var favourites: [Pair: Set<Int32>] = [:]
        for tie in ties {
            guard let first = indexes[tie.first], let second = indexes[tie.second], first != second else {
                continue
            }
            switch tie.kind {
            case .block: acquaintances.append(Acquaintance(first, second, isBlocked: true))
            case .favourite:
                favourites[Pair(first: min(first, second), second: max(first, second)), default: []]
                    .insert(first)
            case .meetings(let cost): acquaintances.append(Acquaintance(first, second, meetings: cost))
            }
        }
        // A dictionary has another order in each process.
        for (pair, marks) in favourites.sorted(by: { $0.key < $1.key }) {
            acquaintances.append(Acquaintance(pair.first, pair.second, favourites: UInt8(marks.count)))
        }
        return acquaintances
    }
}
