import Contract

/// The rooms and members of one slot, at one moment.
struct RoomAssignment {
    var isOpened: Bool
    var isClosed: Bool
    /// The members by their registrations.
    var memberOf: [Identifier: ModelTables.Member] = [:]
    /// The members of each room that has any, by their ids.
    var rooms: [Identifier: [Identifier]] = [:]

    init(_ startsAt: Timestamp, in tables: ModelTables) {
        isOpened = tables.slots[startsAt]?.openedAt != nil
        isClosed = tables.slots[startsAt]?.closedAt != nil
        for member in tables.members where member.leftRevision == nil {
            guard tables.rooms[member.room]?.startsAt == startsAt else { continue }
            memberOf[member.registration] = member
            rooms[member.room, default: []].append(member.registration)
        }
        for room in rooms.keys { rooms[room]?.sort() }
    }

    func partners(of registration: Identifier) -> [Identifier] {
        guard let current = memberOf[registration] else { return [] }
        return (rooms[current.room] ?? []).filter { $0 != registration }
    }
}
