import Contract

/// The rooms that other servers hand to this one, kept aside until it has read that it owns them.
///
/// The term is the fencing token: the state of a room is right only if no other server has owned the room
/// since, so the term in which it is read must be the next one. A server that claims a room by itself
/// discards the state first, since the previous owner may have gone on after it had sent it.
struct RoomArrivals {
    /// The time for which a room is kept aside.
    private static let longest = Duration.seconds(120)
    /// The most blocks of all rooms that are kept aside.
    private static let maximumBlocks = 131_072

    private var rooms: [Identifier: (room: SavedRoom, until: Timestamp)] = [:]
    private var blocks = 0

    /// Keeps a room aside. Returns false if there is no space. Of one term the state with more ales is kept:
    /// the server that sends them may have gone on after one, and sent another, which can come first.
    mutating func keep(_ room: SavedRoom, at now: Timestamp) -> Bool {
        if let kept = rooms[room.id]?.room, (kept.term, kept.last) > (room.term, room.last) { return false }
        forget(room.id)
        guard blocks + room.usedBlocks.count <= Self.maximumBlocks else { return false }
        blocks += room.usedBlocks.count
        rooms[room.id] = (room, now.adding(Self.longest))
        return true
    }

    func contains(_ room: Identifier) -> Bool { rooms[room] != nil }

    /// The rooms that are kept aside.
    var ids: [Identifier] { Array(rooms.keys) }

    /// Returns a room that was given to this server in that term, and forgets it in any case.
    mutating func take(_ id: Identifier, givenIn term: Int32) -> SavedRoom? {
        guard let room = rooms[id]?.room else { return nil }
        forget(id)
        return room.term + 1 == term ? room : nil
    }

    mutating func forget(_ id: Identifier) {
        guard let kept = rooms.removeValue(forKey: id) else { return }
        blocks -= kept.room.usedBlocks.count
    }

    /// Forgets a room that has had another owner since it was sent.
    mutating func forget(_ id: Identifier, ifTermBelow term: Int32) {
        if let kept = rooms[id], kept.room.term < term { forget(id) }
    }

    /// Forgets the rooms whose time is over.
    mutating func forget(endedBy now: Timestamp) {
        for (id, kept) in rooms where kept.until <= now || kept.room.closesAt <= now { forget(id) }
    }
}
