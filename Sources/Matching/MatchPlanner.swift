/// Decides who meets whom.
package enum MatchPlanner {
    /// Places everybody who arrives, each exactly once. With no rooms this is the match at the opening of a
    /// slot.
    ///
    /// Arrivals are shuffled first; then, in this order: each joins somebody who is alone, in the order of
    /// `rooms`; of the rest, two or more pair up; a single one joins the smallest room below the size, else
    /// one of exactly the size, else meets somebody whom the largest room gives up and who has not entered
    /// yet, else opens a room alone. Rooms without members are passed over. The same generator gives the same
    /// answer.
    package static func place<ID>(
        arrivals: [ID], in rooms: [OpenRoom<ID>], roomSize: RoomSize,
        using generator: inout some RandomNumberGenerator
    ) -> [Placement<ID>] {
        var plan = Plan(rooms: rooms, roomSize: roomSize)
        var rest = arrivals.shuffled(using: &generator)[...]
        plan.keepCompany(&rest)
        if rest.count > 1 {
            plan.openRooms(Array(rest))
        } else if let last = rest.first {
            plan.placeLast(last, using: &generator)
        }
        return plan.placements
    }
}

/// A plan while it is made.
private struct Plan<ID: Hashable & Sendable> {
    private let roomSize: RoomSize
    private let rooms: [OpenRoom<ID>]
    /// Who joins the room at the same index.
    private var joining: [[ID]]
    private var others: [Placement<ID>] = []

    init(rooms: [OpenRoom<ID>], roomSize: RoomSize) {
        self.rooms = rooms.filter { !$0.members.isEmpty }
        self.roomSize = roomSize
        joining = Array(repeating: [], count: self.rooms.count)
    }

    var placements: [Placement<ID>] {
        rooms.indices.filter { !joining[$0].isEmpty }.map { .join(room: rooms[$0].id, joining[$0]) } + others
    }

    mutating func keepCompany(_ rest: inout ArraySlice<ID>) {
        for index in rooms.indices where count(index) == 1 {
            guard let arrival = rest.popFirst() else { return }
            joining[index].append(arrival)
        }
    }

    mutating func openRooms(_ people: [ID]) {
        var rest = people[...]
        for size in Partition.roomSizes(people: people.count, roomSize: roomSize) {
            others.append(.open(Array(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
    }

    mutating func placeLast(_ arrival: ID, using generator: inout some RandomNumberGenerator) {
        let bySize = rooms.indices.shuffled(using: &generator).sorted { count($0) < count($1) }
        if let smallest = bySize.first, count(smallest) < roomSize.people {
            joining[smallest].append(arrival)
        } else if let exact = bySize.first(where: { count($0) == roomSize.people }) {
            joining[exact].append(arrival)
        } else if let split = split(bySize.reversed(), arrival, using: &generator) {
            others.append(split)
        } else {
            others.append(.open([arrival]))
        }
    }

    private func split(
        _ largestFirst: some Sequence<Int>, _ arrival: ID, using generator: inout some RandomNumberGenerator
    ) -> Placement<ID>? {
        for index in largestFirst where count(index) > roomSize.people {
            let free = rooms[index].members.filter { !$0.hasEntered }
            if let leaving = free.randomElement(using: &generator) {
                return .split(room: rooms[index].id, leaving: leaving.id, arrival: arrival)
            }
        }
        return nil
    }

    /// With those who are joining.
    private func count(_ index: Int) -> Int {
        rooms[index].members.count + joining[index].count
    }
}
