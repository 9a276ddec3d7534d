/// Where arrivals go, while it is decided.
struct ArrivalPlan<ID: Hashable & Sendable> {
    private let roomSize: RoomSize
    private let trios: Bool
    private let relations: Relations<ID>
    private var rooms: [PlannedRoom<ID>]
    private var opened: [[ID]] = []
    private var splits: [Placement<ID>] = []

    init(rooms: [OpenRoom<ID>], relations: Relations<ID>, roomSize: RoomSize, trios: Bool) {
        self.rooms = rooms.filter { !$0.members.isEmpty }.map { PlannedRoom($0) }
        self.relations = relations
        self.roomSize = roomSize
        self.trios = trios
    }

    var placements: [Placement<ID>] {
        rooms.filter { !$0.joining.isEmpty }.map { .join(room: $0.id, $0.joining) }
            + opened.map { .open($0) } + splits
    }

    /// Each room where somebody is alone takes the arrival that costs least there.
    mutating func keepCompany(_ rest: inout [ID]) {
        for index in rooms.indices where rooms[index].company == 1 {
            let fitting = rest.indices.lazy.filter { [rooms, relations, rest] in
                rooms[index].admits(rest[$0], relations)
            }
            let best = Relations<ID>.cheapest(of: fitting) { cost(of: rest[$0], in: index) }
            if let best { rooms[index].joining.append(rest.remove(at: best)) }
        }
    }

    /// Leaves those who may meet none of the others, or whom the sizes leave over.
    mutating func openRooms(_ rest: inout [ID], using generator: inout some RandomNumberGenerator) {
        let match = Matcher.match(
            relations.society(of: rest), roomSize: roomSize, trios: trios, using: &generator)
        opened += match.rooms.filter { $0.count > 1 }.map { room in room.map { rest[Int($0)] } }
        rest = match.alone.map { rest[Int($0)] }
    }

    mutating func placeSingle(_ arrival: ID, using generator: inout some RandomNumberGenerator) {
        let bySize = roomsBySize(using: &generator)
        if let index = cheapestPlace(for: arrival, bySize) {
            rooms[index].joining.append(arrival)
        } else if !joinOpened(arrival), !split(bySize, arrival, using: &generator) {
            let deserted = bySize[0].first { rooms[$0].admits(arrival, relations) }
            if let deserted { rooms[deserted].joining.append(arrival) } else { opened.append([arrival]) }
        }
    }

    private var largestToJoin: Int { roomSize == .pair && !trios ? 1 : roomSize.people }

    /// The rooms with so much company, at its index; each list from a random start.
    private func roomsBySize(using generator: inout some RandomNumberGenerator) -> [[Int]] {
        var bySize: [[Int]] = Array(repeating: [], count: 1 + (rooms.map(\.company).max() ?? 0))
        for index in rooms.indices { bySize[rooms[index].company].append(index) }
        return bySize.map { list in
            guard list.count > 1 else { return list }
            let start = Int.random(in: list.indices, using: &generator)
            return Array(list[start...] + list[..<start])
        }
    }

    private func cheapestPlace(for arrival: ID, _ bySize: [[Int]]) -> Int? {
        for list in bySize.dropFirst().prefix(largestToJoin) {
            let fitting = list.lazy.filter { rooms[$0].admits(arrival, relations) }
            let best = Relations<ID>.cheapest(of: fitting) { cost(of: arrival, in: $0) }
            if let best { return best }
        }
        return nil
    }

    private mutating func joinOpened(_ arrival: ID) -> Bool {
        let fitting = opened.indices.lazy.filter { [opened, relations, largestToJoin] in
            opened[$0].count <= largestToJoin && relations.mayMeet(arrival, all: opened[$0])
        }
        let best = Relations<ID>.cheapest(of: fitting) { relations.cost(of: arrival, joining: opened[$0]) }
        if let best { opened[best].append(arrival) }
        return best != nil
    }

    private mutating func split(
        _ bySize: [[Int]], _ arrival: ID, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        let largestFirst = bySize.dropFirst(roomSize.people + 1).reversed().joined()
        for index in largestFirst where rooms[index].joining.isEmpty {
            let free = rooms[index].members.filter {
                !$0.hasEntered && !$0.isAbsent && relations.mayMeet(arrival, $0.id)
            }
            guard let leaving = free.randomElement(using: &generator) else { continue }
            splits.append(.split(room: rooms[index].id, leaving: leaving.id, arrival: arrival))
            rooms.remove(at: index)
            return true
        }
        return false
    }

    private func cost(of arrival: ID, in index: Int) -> Int64 {
        relations.cost(of: arrival, joining: rooms[index].present)
    }
}
