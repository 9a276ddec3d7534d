import Codecs

/// Pairs, some of which become rooms of three.
struct Thirds {
    private let graph: PreferenceGraph
    private let tags: TagLists
    private var pairing: Pairing
    /// The third person of each such room, by the lesser index of the pair.
    private var thirds: [Int32: Int32] = [:]
    private var added: Int64 = 0

    /// The number of pairs that are looked at beside the promising ones.
    private static let samples = 300
    /// The number of people who are tried as the one who is left over.
    private static let exchanges = 40

    init(_ pairing: Pairing, _ tags: TagLists) {
        graph = pairing.graph
        self.tags = tags
        self.pairing = pairing
    }

    var cost: Int64 { pairing.cost + added }

    /// The rooms, largest first.
    var rooms: RoomList {
        var list = RoomList()
        list.reserve(people: pairing.mates.count, rooms: pairing.mates.count / 2 + 1)
        for (host, third) in thirds.sorted(by: { $0.key < $1.key }) {
            list.append([host, pairing.mates[Int(host)], third])
        }
        let joined = Set(thirds.values)
        var alone: [Int32] = []
        for person in pairing.mates.indices.lazy.map({ Int32($0) }) {
            let mate = pairing.mates[Int(person)]
            if mate < 0, !joined.contains(person) { alone.append(person) }
            if mate > person, thirds[person] == nil { list.append(person, mate) }
        }
        for person in alone { list.append(CollectionOfOne(person)) }
        return list
    }

    /// Lets each free person join the pair where that costs least, if there is one that it may join.
    mutating func join(_ people: [Int32], using random: inout SplitMix64) {
        if people.count == 1 { leaveOver(people[0], using: &random) }
        for person in pairing.free {
            guard let place = place(for: person, using: &random) else { continue }
            thirds[place.host] = person
            added += place.added
        }
    }

    /// Leaves another person over if that is better.
    private mutating func leaveOver(_ person: Int32, using random: inout SplitMix64) {
        var best = place(for: person, using: &random)?.added ?? .max
        var over = person
        let lacking = pairing.mates.indices.lazy.map { Int32($0) }.filter { [pairing] in pairing.isLacking($0)
        }
        for other in Array(lacking).shuffled(using: &random).prefix(Self.exchanges)
        where pairing.isLacking(other) {
            let mate = pairing.mates[Int(other)]
            let price = graph.price(over, mate)
            if price >= PreferenceGraph.never || other == over { continue }
            let before = pairing.costs[Int(other)]
            pairing.part(other)
            pairing.pair(over, mate, for: price)
            let place = place(for: other, using: &random)
            if let place, Int64(price - before) + place.added < best {
                best = place.added
                over = other
            } else {
                pairing.part(over)
                pairing.pair(other, mate, for: before)
            }
        }
    }

    private func place(for person: Int32, using random: inout SplitMix64) -> (host: Int32, added: Int64)? {
        var best: (host: Int32, added: Int64)?
        for candidate in candidates(for: person, using: &random) { consider(candidate, person, &best) }
        if best == nil {
            for candidate in pairing.mates.indices where best == nil {
                consider(Int32(candidate), person, &best)
            }
        }
        return best
    }

    private func consider(_ candidate: Int32, _ person: Int32, _ best: inout (host: Int32, added: Int64)?) {
        let mate = pairing.mates[Int(candidate)]
        if mate < 0 || best?.added ?? .max <= 0 { return }
        let host = min(candidate, mate)
        if thirds[host] != nil || !graph.mayMeet(person, host)
            || !graph.mayMeet(person, max(candidate, mate))
        {
            return
        }
        let added =
            graph.cost(ofRoom: [host, max(candidate, mate), person]) - Int64(pairing.costs[Int(host)])
        if added < best?.added ?? .max { best = (host, added) }
    }

    private func candidates(for person: Int32, using random: inout SplitMix64) -> [Int32] {
        let count = Int32(pairing.mates.count)
        if count <= Self.samples { return (0..<count).map(\.self) }
        let favourites = graph.edges[person].lazy.filter { $0.attributes.favourites > 0 }.map(\.other)
        let tag = graph.tags[Int(person)]
        let sharing = tag < 0 ? [] : tags[tag].prefix(Self.samples)
        return favourites.prefix(Self.samples) + sharing
            + (0..<Self.samples).map { _ in Int32.random(in: 0..<count, using: &random) }
    }
}
