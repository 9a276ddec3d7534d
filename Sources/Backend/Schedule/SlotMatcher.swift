import Contract
import Matching

/// Decides who meets whom in a slot, in one transaction: rooms, members and notifications exist together or not at all.
///
/// The first match of a slot and what comes late take the same path; a repetition finds nobody left and does nothing.
struct SlotMatcher: Sendable {
    /// What a match has done.
    struct Outcome: Sendable {
        /// Everybody's first: it opened the slot.
        var isFirst = false
        var people = 0
        /// Rooms that are new, or in which somebody came or went.
        var rooms: [UUID] = []
    }

    let rules: ScheduleRules
    let clock: any ScheduleClock
    let store: any ScheduleStore
    let makeRoomID: @Sendable () -> UUID

    /// Matches everybody of the slot who has no room. Nothing happens before the slot opens or after it ends.
    func match(_ startsAt: Timestamp, seed: UInt64) async throws -> Outcome {
        try await store.transaction(on: startsAt) { transaction in
            let now = clock.now()
            guard let slot = try await transaction.slot(), !slot.isClosed, now < slot.endsAt,
                now >= rules.opensAt(startsAt)
            else { return Outcome() }
            let arrivals = try await transaction.arrivals()
            if slot.isOpened && arrivals.isEmpty { return Outcome() }
            let members = slot.isOpened ? try await transaction.members() : []
            let changes = plan(arrivals, members, isFirst: !slot.isOpened, seed: seed)
            try await transaction.write(changes, at: now)
            return Outcome(isFirst: !slot.isOpened, people: changes.arrivalCount, rooms: changes.touchedRooms)
        }
    }

    private func plan(
        _ arrivals: [SlotArrival], _ members: [SlotMember], isFirst: Bool, seed: UInt64
    ) -> MatchChanges {
        var random = SplitMix64(seed: seed)
        let rooms = Self.rooms(of: members)
        var users: [UUID: UUID] = [:]
        for arrival in arrivals { users[arrival.registration] = arrival.user }
        for member in members { users[member.registration] = member.user }
        let placements = MatchPlanner.place(
            arrivals: arrivals.map(\.registration), in: rooms, roomSize: rules.roomSize, using: &random)
        var changes = MatchChanges(isFirst: isFirst, users: users, rooms: rooms, makeRoomID: makeRoomID)
        for placement in placements { changes.add(placement) }
        return changes
    }

    /// Members that come room after room.
    private static func rooms(of members: [SlotMember]) -> [OpenRoom<UUID>] {
        var rooms: [OpenRoom<UUID>] = []
        var rest = members[...]
        while let room = rest.first?.room {
            let together = rest.prefix { $0.room == room }
            rest = rest.dropFirst(together.count)
            rooms.append(
                OpenRoom(
                    id: room,
                    members: together.map {
                        OpenRoom.Member(id: $0.registration, hasEntered: $0.hasEntered)
                    }))
        }
        return rooms
    }
}
