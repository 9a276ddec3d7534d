/// Rooms in which everybody takes the first place that is allowed.
struct FirstFit {
    private let society: Society
    private let roomSize: RoomSize
    private let trios: Bool

    init(_ society: Society, roomSize: RoomSize, trios: Bool) {
        self.society = society
        self.roomSize = roomSize
        self.trios = trios
    }

    func rooms(_ people: [Int32]) -> RoomList {
        var rooms: [[Int32]] = []
        for person in people {
            let open = rooms.firstIndex { $0.count < roomSize.people && fits(person, $0) }
            if let open { rooms[open].append(person) } else { rooms.append([person]) }
        }
        if trios || roomSize.people > 2 { rooms = withoutLoners(rooms) }
        var list = RoomList()
        for room in rooms.sorted(by: { $0.count > $1.count }) { list.append(room) }
        return list
    }

    private func withoutLoners(_ rooms: [[Int32]]) -> [[Int32]] {
        var kept = rooms.filter { $0.count > 1 }
        for loner in rooms.filter({ $0.count == 1 }).flatMap(\.self) {
            let open = kept.firstIndex { $0.count == roomSize.people && fits(loner, $0) }
            if let open { kept[open].append(loner) } else { kept.append([loner]) }
        }
        return kept
    }

    private func fits(_ person: Int32, _ room: [Int32]) -> Bool {
        room.allSatisfy { society.mayMeet(person, $0) }
    }
}
