import Codecs

/// Rooms for more than two while they are filled and improved.
struct Seating {
    private let graph: PreferenceGraph
    private let roomSize: RoomSize
    private let sizes: [Int]
    private(set) var rooms: [[Int32]]
    private var costs: [Int64] = []
    /// The room of each person; -1 for none yet.
    private var roomOf: [Int32]
    /// The people who stay where they are, since they belong to a party.
    private var bound: Set<Int32> = []
    private var tags: TagLists

    /// The number of people in the line that are searched for one the others have not met lately.
    private static let reach = 32

    private static let rounds = 10
    /// The number of rooms among which one is looked for that has places for a party.
    private static let roomsForParty = 64

    init(_ graph: PreferenceGraph, roomSize: RoomSize, order: [Int32]) {
        self.graph = graph
        self.roomSize = roomSize
        sizes = Partition.roomSizes(people: order.count, roomSize: roomSize)
        rooms = Array(repeating: [], count: sizes.count)
        roomOf = Array(repeating: -1, count: order.count)
        tags = TagLists(order, in: graph)
    }

    var standing: [Int32] { roomOf.indices.lazy.filter { roomOf[$0] < 0 }.map { Int32($0) } }

    /// Whether all rooms have the size that they should have.
    var isRegular: Bool { rooms.map(\.count) == sizes }

    var cost: Int64 { costs.reduce(0, +) }

    /// The rooms, largest first.
    var list: RoomList {
        var list = RoomList()
        list.reserve(people: roomOf.count, rooms: rooms.count)
        for room in rooms.filter({ !$0.isEmpty }).sorted(by: { $0.count > $1.count }) { list.append(room) }
        return list
    }

    /// Seats each party in one room, the largest first: where the fewest places stay free, else where one
    /// more than the room's size is too many by the least, else in a new room.
    mutating func seat(_ parties: [[Int32]]) {
        var first = 0
        for party in parties.sorted(by: { ($1.count, $0[0]) < ($0.count, $1[0]) }) {
            while first < sizes.count, rooms[first].count >= sizes[first] { first += 1 }
            let near = (first..<min(first + Self.roomsForParty, sizes.count)).filter { room in
                party.allSatisfy { fits($0, room) }
            }
            func left(_ room: Int) -> Int { sizes[room] - rooms[room].count - party.count }
            let exact = near.filter { left($0) >= 0 }.min { left($0) < left($1) }
            let larger = near.filter { rooms[$0].count + party.count <= roomSize.people + 1 }
            if exact == nil, larger.isEmpty { rooms.append([]) }
            let room = exact ?? larger.max { left($0) < left($1) } ?? rooms.count - 1
            for person in party { seat(person, in: room) }
            bound.formUnion(party)
        }
    }

    /// Fills one room after the other, favourites and people with the same tag together.
    mutating func seatInTurn() {
        var line = tags.tags.flatMap { tags[$0] } + tags.untagged
        line.reverse()
        for room in sizes.indices {
            while rooms[room].count < sizes[room] {
                guard let person = favourite(of: room) ?? next(for: room, &line) else { break }
                seat(person, in: room)
            }
        }
    }

    /// Seats all people who are standing: in a room with a place, else in one that takes one more, else in a
    /// new one.
    mutating func seatStanding() {
        for person in standing {
            if let open = sizes.indices.first(where: { rooms[$0].count < sizes[$0] && fits(person, $0) }) {
                seat(person, in: open)
            } else if let full = rooms.indices.first(where: { isFull($0) && fits(person, $0) }) {
                seat(person, in: full)
            } else {
                rooms.append([])
                seat(person, in: rooms.count - 1)
            }
        }
    }

    /// Lets people who are alone join another room, or gives them a member that a larger room can spare. That
    /// may make room for others who are alone, so they are tried again, but only a few times: many people
    /// without a possible partner would cost a quadratic number of tries.
    mutating func seatLoners() {
        for _ in 0..<Self.rounds {
            let loners = rooms.indices.filter { rooms[$0].count == 1 }
            for room in loners where rooms[room].count == 1 { accompany(room) }
            if loners.allSatisfy({ rooms[$0].count == 1 }) { break }
        }
        costs = rooms.map { graph.cost(ofRoom: $0) }
    }

    /// Exchanges people between rooms if that costs less, until three rounds in a row have improved nothing,
    /// or the attempts are used up.
    mutating func repair(attempts: Int, using random: inout SplitMix64) {
        var left = attempts
        var idleRounds = 0
        while left > 0, idleRounds < 3 {
            let lacking = rooms.indices.filter { costs[$0] > 0 }
            if lacking.isEmpty { return }
            let before = cost
            for room in lacking.shuffled(using: &random) {
                left -= 1
                if left <= 0 { return }
                guard let person = rooms[room].randomElement(using: &random) else { continue }
                exchange(person, candidate(for: person, using: &random))
            }
            idleRounds = cost < before ? 0 : idleRounds + 1
        }
    }

    private func isFull(_ room: Int) -> Bool { (1...roomSize.people).contains(rooms[room].count) }

    private func fits(_ person: Int32, _ room: Int) -> Bool {
        rooms[room].allSatisfy { graph.mayMeet(person, $0) }
    }

    private mutating func seat(_ person: Int32, in room: Int) {
        rooms[room].append(person)
        roomOf[Int(person)] = Int32(room)
    }

    private func favourite(of room: Int) -> Int32? {
        guard let person = rooms[room].last, graph.bestFavourites[Int(person)] > 0 else { return nil }
        return graph.edges[person].first {
            $0.attributes.favourites > 0 && roomOf[Int($0.other)] < 0 && fits($0.other, room)
        }?.other
    }

    /// Takes from the end of the line a person whose meetings with the others cost least.
    private func next(for room: Int, _ line: inout [Int32]) -> Int32? {
        while let last = line.last, roomOf[Int(last)] >= 0 { line.removeLast() }
        var best: (cost: Int32, index: Int)?
        for index in line.indices.suffix(Self.reach).reversed() where roomOf[Int(line[index])] < 0 {
            if !fits(line[index], room) { continue }
            let cost = rooms[room].reduce(0) { $0 + graph.edges.attributes(line[index], $1).meetings }
            if cost < best?.cost ?? .max { best = (cost, index) }
            if cost == 0 { break }
        }
        return best.map { line.remove(at: $0.index) }
    }

    private mutating func accompany(_ room: Int) {
        let person = rooms[room][0]
        if let other = rooms.indices.first(where: { $0 != room && isFull($0) && fits(person, $0) }) {
            rooms[room] = []
            return seat(person, in: other)
        }
        for other in rooms.indices where rooms[other].count > 2 {
            guard
                let index = rooms[other].firstIndex(where: {
                    !bound.contains($0) && graph.mayMeet(person, $0)
                })
            else { continue }
            return seat(rooms[other].remove(at: index), in: room)
        }
    }

    private func candidate(for person: Int32, using random: inout SplitMix64) -> Int32 {
        let tag = graph.tags[Int(person)]
        switch random.next() & 3 {
        case 0 where tag >= 0:
            return tags[tag].randomElement(using: &random) ?? person
        case 1 where graph.bestFavourites[Int(person)] > 0:
            return graph.edges[person].randomElement(using: &random)?.other ?? person
        default:
            return Int32.random(in: 0..<Int32(roomOf.count), using: &random)
        }
    }

    /// Exchanges the person with the member of the other person's room that makes the exchange cheapest, if
    /// it costs less than before.
    private mutating func exchange(_ person: Int32, _ other: Int32) {
        let (room, otherRoom) = (Int(roomOf[Int(person)]), Int(roomOf[Int(other)]))
        if room == otherRoom || bound.contains(person) { return }
        var best: (cost: Int64, other: Int32)?
        for other in rooms[otherRoom] where !bound.contains(other) {
            let here = rooms[room].map { $0 == person ? other : $0 }
            let there = rooms[otherRoom].map { $0 == other ? person : $0 }
            if !isAllowed(other, here) || !isAllowed(person, there) { continue }
            let cost = graph.cost(ofRoom: here) + graph.cost(ofRoom: there)
            if cost < best?.cost ?? (costs[room] + costs[otherRoom]) { best = (cost, other) }
        }
        guard let other = best?.other else { return }
        rooms[room] = rooms[room].map { $0 == person ? other : $0 }
        rooms[otherRoom] = rooms[otherRoom].map { $0 == other ? person : $0 }
        roomOf[Int(person)] = Int32(otherRoom)
        roomOf[Int(other)] = Int32(room)
        costs[room] = graph.cost(ofRoom: rooms[room])
        costs[otherRoom] = graph.cost(ofRoom: rooms[otherRoom])
    }

    private func isAllowed(_ person: Int32, _ room: [Int32]) -> Bool {
        room.allSatisfy { $0 == person || graph.mayMeet(person, $0) }
    }
}
