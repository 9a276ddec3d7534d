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
            let best = rest.indices
                .filter { rooms[index].admits(rest[$0], relations) }
                .min { cost(of: rest[$0], in: index) < cost(of: rest[$1], in: index) }
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
        let order = rooms.indices.filter { rooms[$0].company > 0 }.shuffled(using: &generator)
            .sorted { rooms[$0].company < rooms[$1].company }
        let fitting = order.filter { rooms[$0].admits(arrival, relations) }
        if let index = cheapest(fitting, for: arrival) {
            rooms[index].joining.append(arrival)
        } else if !joinOpened(arrival), !split(order.reversed(), arrival, using: &generator) {
            let deserted = rooms.indices.first {
                rooms[$0].company == 0 && rooms[$0].admits(arrival, relations)
            }
            if let deserted { rooms[deserted].joining.append(arrival) } else { opened.append([arrival]) }
        }
    }

    private var largestToJoin: Int { roomSize == .pair && !trios ? 1 : roomSize.people }

    private func cheapest(_ fitting: [Int], for arrival: ID) -> Int? {
        guard let smallest = fitting.first.map({ rooms[$0].company }) else { return nil }
        let size = smallest < roomSize.people ? smallest : roomSize.people
        guard size <= largestToJoin else { return nil }
        return fitting.filter { rooms[$0].company == size }
            .min { cost(of: arrival, in: $0) < cost(of: arrival, in: $1) }
    }

    private mutating func joinOpened(_ arrival: ID) -> Bool {
        let fitting = opened.indices.filter {
            opened[$0].count <= largestToJoin && relations.mayMeet(arrival, all: opened[$0])
        }
        let best = fitting.min {
            (opened[$0].count, relations.cost(of: arrival, joining: opened[$0]))
                < (opened[$1].count, relations.cost(of: arrival, joining: opened[$1]))
        }
        if let best { opened[best].append(arrival) }
        return best != nil
    }

    private mutating func split(
        _ largestFirst: some Sequence<Int>, _ arrival: ID, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        for index in largestFirst where rooms[index].company > roomSize.people && rooms[index].joining.isEmpty
        {
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
