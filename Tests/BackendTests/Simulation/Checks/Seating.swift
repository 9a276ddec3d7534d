import Contract

@testable import Backend

/// Who sits where in one slot, at one moment.
struct Seating {
    var isOpened: Bool
    var isClosed: Bool
    /// By registration.
    var seats: [UUID: ModelTables.Member] = [:]
    /// The members of each room that has any, by their ids.
    var rooms: [UUID: [UUID]] = [:]

    init(_ startsAt: Timestamp, in tables: ModelTables) {
        isOpened = tables.slots[startsAt]?.openedAt != nil
        isClosed = tables.slots[startsAt]?.closedAt != nil
        for member in tables.members where member.leftRevision == nil {
            guard tables.rooms[member.room]?.startsAt == startsAt else { continue }
            seats[member.registration] = member
            rooms[member.room, default: []].append(member.registration)
        }
        for room in rooms.keys { rooms[room]?.sort() }
    }

    func partners(of registration: UUID) -> [UUID] {
        guard let seat = seats[registration] else { return [] }
        return (rooms[seat.room] ?? []).filter { $0 != registration }
    }
}
