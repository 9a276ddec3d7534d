/// The moves of members who are alone, while they are decided.
struct Rematch<ID: Hashable & Sendable> {
    private let preferences: Preferences<ID>
    private let roomSize: RoomSize
    private let trios: Bool
    private let open: [OpenRoom<ID>]
    private var rooms: [PlannedRoom<ID>]
    /// The rooms that lose a member.
    private var left: Set<Int> = []
    private(set) var moves: [Move<ID>] = []

    init(_ rooms: [OpenRoom<ID>], preferences: Preferences<ID>, roomSize: RoomSize, trios: Bool) {
        open = rooms
        self.rooms = rooms.map { PlannedRoom($0) }
        self.preferences = preferences
        self.roomSize = roomSize
        self.trios = trios
    }

    mutating func bringTogether(using generator: inout some RandomNumberGenerator) {
        let lonely = lonelyRooms
        if lonely.count < 2 { return }
        let graph = preferences.graph(of: lonely.map { rooms[$0].present[0] }, apart: enemies(lonely))
        let match = Matcher.match(
            graph, roomSize: roomSize, trios: trios, optimalSize: Matcher.optimalSizeInHaste,
            using: &generator)
        for group in match.rooms where group.count > 1 { gather(group.map { lonely[Int($0)] }.sorted()) }
    }

    mutating func joinOthers() {
        let largest = roomSize == .pair && !trios ? 1 : roomSize.people
        for index in lonelyRooms where rooms[index].joining.isEmpty {
            let member = rooms[index].present[0]
            let fitting = rooms.indices.filter { other in
                other != index && !left.contains(other) && (1...largest).contains(rooms[other].company)
                    && rooms[other].admits(member, preferences)
            }
            let smallest = fitting.map { rooms[$0].company }.min()
            let equal = fitting.filter { rooms[$0].company == smallest }
            let best = Preferences<ID>.cheapest(of: equal) { cost(of: member, in: $0) }
            if let best { move(from: index, to: best) }
        }
    }

    private var lonelyRooms: [Int] {
        rooms.indices.filter { rooms[$0].company == 1 && rooms[$0].joining.isEmpty && !left.contains($0) }
    }

    /// Returns the pairs of rooms whose members may not go to each other in either direction, by their index
    /// in `lonely`.
    private func enemies(_ lonely: [Int]) -> [(Int, Int)] {
        var places: [ID: Int] = [:]
        for place in lonely.indices {
            for member in rooms[lonely[place]].members { places[member.id] = place }
        }
        var pairs: [(Int, Int)] = []
        for place in lonely.indices {
            for other in rooms[lonely[place]].members.flatMap({ preferences.blocked(by: $0.id) }) {
                guard let otherPlace = places[other], otherPlace > place else { continue }
                let (room, otherRoom) = (lonely[place], lonely[otherPlace])
                if !mayGo(room, otherRoom), !mayGo(otherRoom, room) { pairs.append((place, otherPlace)) }
            }
        }
        return pairs
    }

    private func mayGo(_ from: Int, _ to: Int) -> Bool {
        rooms[to].admits(rooms[from].present[0], preferences)
    }

    /// Moves the other rooms' members into one of the rooms, as far as they may go there.
    private mutating func gather(_ group: [Int]) {
        func takes(_ host: Int) -> Int { group.count { $0 != host && mayGo($0, host) } }
        let host = group.max {
            (takes($0), rooms[$0].members.count, -$0) < (takes($1), rooms[$1].members.count, -$1)
        }
        guard let host else { return }
        for guest in group where guest != host && mayGo(guest, host) { move(from: guest, to: host) }
    }

    private mutating func move(from: Int, to: Int) {
        let member = rooms[from].present[0]
        moves.append(Move(member, from: open[from].id, to: open[to].id))
        rooms[to].joining.append(member)
        left.insert(from)
    }

    private func cost(of member: ID, in index: Int) -> Int64 {
        preferences.cost(of: member, joining: rooms[index].present)
    }
}
