/// The placements of arrivals while they are decided.
struct ArrivalPlan<ID: Hashable & Sendable> {
    private let roomSize: RoomSize
    private let trios: Bool
    private let preferences: Preferences<ID>
    /// The open rooms, then the new ones.
    private var rooms: [PlannedRoom<ID>]

    init(rooms: [OpenRoom<ID>], preferences: Preferences<ID>, roomSize: RoomSize, trios: Bool) {
        self.rooms = rooms.filter { !$0.members.isEmpty }.map { PlannedRoom($0) }
        self.preferences = preferences
        self.roomSize = roomSize
        self.trios = trios
    }

    var placements: [Placement<ID>] { rooms.compactMap(\.placement) }

    /// Puts people with invites (guests and inviters) into the rooms of their mates, or into a room together.
    /// Those without such a room stay in `rest`.
    mutating func uniteInvited(_ rest: inout [ID]) {
        if !preferences.hasCertain { return }
        var roomOf: [ID: Int] = [:]
        for index in rooms.indices { for member in rooms[index].present { roomOf[member] = index } }
        // The person who joins may be the guest of the next.
        while !rest.isEmpty {
            let before = rest.count
            rest.removeAll { arrival in
                guard let mate = preferences.certain(of: arrival).first(where: { roomOf[$0] != nil }),
                    let room = roomOf[mate], let place = join(arrival, mate, in: room)
                else { return false }
                (roomOf[mate], roomOf[arrival]) = (place, place)
                return true
            }
            if rest.count == before && !openForPair(&rest, &roomOf) { break }
        }
    }

    /// Lets an arrival join the room of a person it is certain to meet, or takes that person out of a room
    /// that cannot be joined. Returns the room in which both are.
    private mutating func join(_ arrival: ID, _ mate: ID, in room: Int) -> Int? {
        if rooms[room].company <= largestToJoin, rooms[room].admits(arrival, preferences) {
            rooms[room].joining.append(arrival)
            return room
        }
        guard rooms[room].company > 2, rooms[room].free.contains(mate), !isTied(mate, in: room) else {
            return nil
        }
        rooms.append(rooms[room].split(mate, arrival))
        return rooms.count - 1
    }

    /// Puts two arrivals who are certain to meet into the room of a person who is alone, or into a new one.
    /// Returns whether there were two.
    private mutating func openForPair(_ rest: inout [ID], _ roomOf: inout [ID: Int]) -> Bool {
        let arrivals = Set(rest)
        var placed: Set<ID> = []
        for arrival in rest where !placed.contains(arrival) {
            let mates = preferences.certain(of: arrival)
            guard let mate = mates.first(where: { arrivals.contains($0) && !placed.contains($0) }) else {
                continue
            }
            let pair = [arrival, mate]
            let lonely = rooms.indices.first { [preferences] index in
                largestToJoin > 1 && rooms[index].company == 1
                    && pair.allSatisfy { rooms[index].admits($0, preferences) }
            }
            if let lonely { rooms[lonely].joining += pair } else { rooms.append(PlannedRoom(pair)) }
            for person in pair { roomOf[person] = lonely ?? rooms.count - 1 }
            placed.formUnion(pair)
        }
        rest.removeAll { placed.contains($0) }
        return !placed.isEmpty
    }

    /// Whether the room has another member that the person is certain to meet.
    private func isTied(_ person: ID, in room: Int) -> Bool {
        if !preferences.hasCertain { return false }
        let present = rooms[room].present
        return preferences.certain(of: person).contains { present.contains($0) }
    }

    /// Adds to each room of a lone member the arrival that costs least there.
    mutating func keepCompany(_ rest: inout [ID]) {
        for index in rooms.indices where rooms[index].company == 1 {
            let fitting = rest.indices.lazy.filter { [rooms, preferences, rest] in
                rooms[index].admits(rest[$0], preferences)
            }
            let best = Preferences<ID>.cheapest(of: fitting) { cost(of: rest[$0], in: index) }
            if let best { rooms[index].joining.append(rest.remove(at: best)) }
        }
    }

    /// Opens rooms for arrivals. People who may meet none of the others, and those that the sizes leave over,
    /// stay in `rest`.
    mutating func openRooms(_ rest: inout [ID], using generator: inout some RandomNumberGenerator) {
        let match = Matcher.match(
            preferences.graph(of: rest), roomSize: roomSize, trios: trios,
            optimalSize: Matcher.optimalSizeInHaste, using: &generator)
        rooms += match.rooms.filter { $0.count > 1 }.map { room in PlannedRoom(room.map { rest[Int($0)] }) }
        rest = match.alone.map { rest[Int($0)] }
    }

    /// Places arrivals one by one. A placement may make room for another arrival, so those without company
    /// are asked again, but only a few times: of many who may not meet anybody, each would be asked for each
    /// other.
    mutating func placeSingles(_ arrivals: [ID], using generator: inout some RandomNumberGenerator) {
        var waiting = arrivals
        for _ in 0..<Self.rounds where !waiting.isEmpty {
            let rest = waiting.filter { !findCompany(for: $0, using: &generator) }
            if rest.count == waiting.count { break }
            waiting = rest
        }
        for arrival in waiting where !findCompany(for: arrival, using: &generator) {
            let deserted = rooms.firstIndex { $0.company == 0 && $0.admits(arrival, preferences) }
            if let deserted {
                rooms[deserted].joining.append(arrival)
            } else {
                rooms.append(PlannedRoom([arrival]))
            }
        }
    }

    private static var rounds: Int { 10 }

    private mutating func findCompany(
        for arrival: ID, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        let bySize = roomsBySize(using: &generator)
        if let index = cheapestPlace(for: arrival, bySize) {
            rooms[index].joining.append(arrival)
            return true
        }
        return split(bySize, arrival, using: &generator)
    }

    private var largestToJoin: Int { roomSize == .pair && !trios ? 1 : roomSize.people }

    /// Returns the rooms by the number of people present; each list begins at a random room.
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
            let fitting = list.lazy.filter { rooms[$0].admits(arrival, preferences) }
            let best = Preferences<ID>.cheapest(of: fitting) { cost(of: arrival, in: $0) }
            if let best { return best }
        }
        return nil
    }

    private mutating func split(
        _ bySize: [[Int]], _ arrival: ID, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        let largestFirst = bySize.dropFirst(roomSize.people + 1).reversed().joined()
        for index in largestFirst {
            let free = rooms[index].free.filter {
                preferences.mayMeet(arrival, $0) && !isTied($0, in: index)
            }
            guard let leaving = free.randomElement(using: &generator) else { continue }
            rooms.append(rooms[index].split(leaving, arrival))
            return true
        }
        return false
    }

    private func cost(of arrival: ID, in index: Int) -> Int64 {
        preferences.cost(of: arrival, joining: rooms[index].present)
    }
}
