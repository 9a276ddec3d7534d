import Codecs

/// Matches a slot in which some have invited others, or meet favourites only.
///
/// Parties, people who are certain to meet, come first. Next, each favourites-only person gets a room with a
/// favourite, if one is available, or with several if rooms are larger; those rooms are complete. The others
/// are matched as if these were not there, and people who are still alone join a room that is not too large.
struct IntentMatcher {
    private let graph: PreferenceGraph
    private let roomSize: RoomSize
    private let trios: Bool
    private var random: SplitMix64
    private var rooms: [[Int32]] = []
    /// The room of each person; -1 for none yet.
    private var roomOf: [Int32]

    init(_ graph: PreferenceGraph, roomSize: RoomSize, trios: Bool, using random: SplitMix64) {
        self.graph = graph
        self.roomSize = roomSize
        self.trios = trios
        self.random = random
        roomOf = Array(repeating: -1, count: graph.people.count)
    }

    mutating func match(optimalSize: Int, shouldStop: () -> Bool) -> SlotMatch {
        var parties = Party.parties(of: graph, largest: roomSize.people)
        if roomSize == .pair {
            for party in parties { open(party) }
            parties = []
        } else {
            for party in parties where party.contains(where: isSelective) { open(party) }
            parties.removeAll { $0.contains(where: isSelective) }
        }
        let bound = Set(parties.joined())
        if graph.hasSelective { accompanySelective(sparing: bound) }
        let rest = graph.people.indices.map { Int32($0) }.filter { roomOf[Int($0)] < 0 && !isSelective($0) }
        let others = matchOthers(rest, parties, optimalSize: optimalSize, shouldStop: shouldStop)
        for room in others.rooms { open(room.map { rest[Int($0)] }) }
        for person in graph.people.indices.map({ Int32($0) }) where roomOf[Int(person)] < 0 { open([person]) }
        joinRooms()
        let list = self.list
        let cost = list.reduce(0) { $0 + graph.cost(ofRoom: $1) }
        return SlotMatch(rooms: list, cost: cost, bound: min(others.bound, cost), method: others.method)
    }

    private func isSelective(_ person: Int32) -> Bool { graph.people[Int(person)].meetsFavouritesOnly }

    private mutating func open(_ people: [Int32]) {
        for person in people { roomOf[Int(person)] = Int32(rooms.count) }
        rooms.append(people)
    }

    private mutating func move(_ person: Int32, to room: Int) {
        if roomOf[Int(person)] >= 0 { rooms[Int(roomOf[Int(person)])].removeAll { $0 == person } }
        rooms[room].append(person)
        roomOf[Int(person)] = Int32(room)
    }

    private func matchOthers(
        _ rest: [Int32], _ parties: [[Int32]], optimalSize: Int, shouldStop: () -> Bool
    ) -> SlotMatch {
        if rest.isEmpty { return SlotMatch(rooms: RoomList(), cost: 0, bound: 0, method: .bound) }
        var positions: [Int32: Int32] = [:]
        for (position, person) in rest.enumerated() { positions[person] = Int32(position) }
        return Matcher.match(
            graph.restricted(to: rest), parties: parties.map { party in party.compactMap { positions[$0] } },
            roomSize, trios, optimalSize: optimalSize, using: random, shouldStop: shouldStop)
    }

    // People who meet favourites only.

    /// Puts each of them together with one who has no room yet: first those who have the least choice. A
    /// person without a favourite left may take the favourite of another person who has a second choice.
    private mutating func accompanySelective(sparing bound: Set<Int32>) {
        let selective = graph.people.indices.map { Int32($0) }.filter {
            isSelective($0) && roomOf[Int($0)] < 0
        }.shuffled(using: &random)
        let order = selective.enumerated().map { (choices($0.element, bound).count, $0.offset, $0.element) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        for person in order where roomOf[Int(person)] < 0 {
            if let other = best(for: person, bound) { open([person, other]) }
        }
        for person in order where roomOf[Int(person)] < 0 { exchange(for: person, bound) }
        if roomSize == .pair { return }
        for person in order where roomOf[Int(person)] >= 0 {
            fill(Int(roomOf[Int(person)]), for: person, bound)
        }
    }

    /// Returns the people that a person may meet and that belong to no party, as far as edges name them. For
    /// a favourites-only person these are all.
    private func choices(_ person: Int32, _ bound: Set<Int32>) -> [Int32] {
        graph.edges[person].filter {
            graph.isAllowed(person, $0.other, $0.attributes) && !bound.contains($0.other)
        }.map(\.other)
    }

    /// Returns the cheapest of those who have no room, and who meet favourites only rather than anybody.
    private func best(for person: Int32, _ bound: Set<Int32>) -> Int32? {
        choices(person, bound).filter { roomOf[Int($0)] < 0 }.min { one, other in
            let (first, second) = (graph.cost(ofRoom: [person, one]), graph.cost(ofRoom: [person, other]))
            return (isSelective(one) ? 0 : 1, first, one) < (isSelective(other) ? 0 : 1, second, other)
        }
    }

    private mutating func exchange(for person: Int32, _ bound: Set<Int32>) {
        for other in choices(person, bound) {
            let room = Int(roomOf[Int(other)])
            guard room >= 0, rooms[room].count == 2, let mate = rooms[room].first(where: { $0 != other }),
                !graph.edges.attributes(mate, other).isCertain
            else { continue }
            guard let third = best(for: mate, bound), third != person else { continue }
            move(third, to: room)
            rooms[room].removeAll { $0 == other }
            roomOf[Int(other)] = -1
            return open([person, other])
        }
    }

    /// Adds favourites of the person that all members of the room may meet, up to the size of a room.
    private mutating func fill(_ room: Int, for person: Int32, _ bound: Set<Int32>) {
        for other in choices(person, bound) where roomOf[Int(other)] < 0 {
            if rooms[room].count >= roomSize.people { return }
            if rooms[room].allSatisfy({ graph.mayMeet($0, other) }) { move(other, to: room) }
        }
    }

    // People who are alone.

    /// Lets people who are alone join others. A person who does may make a room large enough to give a member
    /// up, so the others are tried again, but only a few times.
    private mutating func joinRooms() {
        if roomSize == .pair && !trios { return }
        for _ in 0..<Self.rounds { if !joinOnce() { return } }
    }

    /// Returns whether anybody found company.
    private mutating func joinOnce() -> Bool {
        let complete = rooms.indices.filter { rooms[$0].count > 1 }
        var hasChanged = false
        for loner in rooms.indices where rooms[loner].count == 1 {
            let person = rooms[loner][0]
            let places =
                isSelective(person)
                ? graph.edges[person].map { Int(roomOf[Int($0.other)]) }.filter { $0 != loner } : complete
            let place = places.filter { takes(person, $0) }.prefix(Self.placesLookedAt).min { one, other in
                let costs = (added(person, one), added(person, other))
                return (rooms[one].count, costs.0, one) < (rooms[other].count, costs.1, other)
            }
            if let place { move(person, to: place) }
            let isPlaced = place != nil || takeCompany(for: person, from: places)
            hasChanged = hasChanged || isPlaced
        }
        return hasChanged
    }

    private static let rounds = 10

    /// Takes a member out of a room that is larger than usual, for a person who is alone. Returns false if
    /// there is none.
    private mutating func takeCompany(for person: Int32, from places: [Int]) -> Bool {
        for place in places where rooms[place].count > roomSize.people {
            let room = rooms[place]
            let company = room.first { other in
                graph.mayMeet(person, other)
                    && !room.contains { $0 != other && graph.edges.attributes($0, other).isCertain }
            }
            guard let company else { continue }
            move(company, to: Int(roomOf[Int(person)]))
            return true
        }
        return false
    }

    /// The most places among which a person who is alone chooses.
    private static let placesLookedAt = 300

    private func takes(_ person: Int32, _ room: Int) -> Bool {
        (1...roomSize.people).contains(rooms[room].count)
            && rooms[room].allSatisfy { graph.mayMeet(person, $0) }
    }

    private func added(_ person: Int32, _ room: Int) -> Int64 {
        graph.cost(ofRoom: rooms[room] + [person]) - graph.cost(ofRoom: rooms[room])
    }

    /// The rooms, largest first.
    private var list: RoomList {
        var list = RoomList()
        list.reserve(people: roomOf.count, rooms: rooms.count)
        let order = rooms.indices.filter { !rooms[$0].isEmpty }.sorted {
            (rooms[$1].count, $0) < (rooms[$0].count, $1)
        }
        for room in order { list.append(rooms[room]) }
        return list
    }
}

/// People who are certain to meet.
enum Party {
    /// Returns the parties of two or more, each in the order of the people. Where two in one party may not
    /// meet, or it would be larger than that, a later pair does not count.
    static func parties(of graph: PreferenceGraph, largest: Int) -> [[Int32]] {
        if !graph.hasCertain { return [] }
        var partyOf: [Int32: Int] = [:]
        var parties: [[Int32]] = []
        func party(of person: Int32) -> Int {
            if let known = partyOf[person] { return known }
            partyOf[person] = parties.count
            parties.append([person])
            return parties.count - 1
        }
        for person in graph.people.indices.map({ Int32($0) }) {
            for entry in graph.edges[person] where entry.attributes.isCertain && entry.other > person {
                let (one, other) = (party(of: person), party(of: entry.other))
                if one == other || parties[one].count + parties[other].count > largest { continue }
                let mayMeet = parties[one].allSatisfy { first in
                    parties[other].allSatisfy { graph.mayMeet(first, $0) }
                }
                if !mayMeet { continue }
                for moved in parties[other] { partyOf[moved] = one }
                parties[one] += parties[other]
                parties[other] = []
            }
        }
        return parties.filter { $0.count > 1 }.map { $0.sorted() }
    }
}

extension PreferenceGraph {
    /// Returns the graph of these people only, by their position.
    func restricted(to chosen: [Int32]) -> PreferenceGraph {
        var positions = [Int32](repeating: -1, count: people.count)
        for (position, person) in chosen.enumerated() { positions[Int(person)] = Int32(position) }
        var edges: [PreferenceEdge] = []
        for (position, person) in chosen.enumerated() {
            for entry in self.edges[person] where entry.other > person {
                let other = positions[Int(entry.other)]
                if other >= 0 { edges.append(PreferenceEdge(Int32(position), other, entry.attributes)) }
            }
        }
        var tags: [Int32: Int32] = [:]
        return PreferenceGraph(chosen.map { people[Int($0)].numberingTags(&tags) }, edges)
    }
}
