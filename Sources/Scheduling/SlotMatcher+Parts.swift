import Contract
import Logging
import Matching

/// A large match commits in parts of whole rooms, so that no transaction takes long. Between two parts users
/// may cancel or block each other; the lease keeps other servers from matching. If this server dies, another
/// one takes over when the lease has ended: members with a room keep it, and the others are matched in the
/// same way.
extension SlotMatcher {
    /// The error that another server has taken the slot over.
    struct LeaseLost: Error {}

    func openInParts(_ startsAt: Timestamp, _ plan: SlotPlan) async throws -> MatchOutcome {
        var opened: [Identifier] = []
        var people = 0
        var first = plan.match.rooms.startIndex
        while first < plan.match.rooms.endIndex {
            let next = min(first + min(rules.roomsInPart, rules.roomsAtOnce), plan.match.rooms.endIndex)
            let rooms = plan.match.rooms[first..<next].map { room in room.map { plan.people[Int($0)] } }
            let part = try await openPart(startsAt, rooms)
            opened += part.map(\.id)
            people += part.reduce(0) { $0 + $1.members.count }
            first = next
        }
        let end = SlotOpening(rooms: [], leftAlone: plan.leftAlone, record: plan.record)
        try await store.transaction(on: startsAt) { transaction in
            let now = try await keepLease(of: startsAt, in: transaction)
            try await transaction.open(end, at: now)
        }
        return .opened(rooms: opened, people: people, hasLeftovers: true)
    }

    /// Writes one part and returns its rooms. A part that is overtaken by a block is made again, without that
    /// room.
    private func openPart(
        _ startsAt: Timestamp, _ rooms: [[SlotPerson]]
    ) async throws -> [SlotOpening.Room] {
        for _ in 1..<Self.attempts {
            do {
                return try await openPartOnce(startsAt, rooms)
            } catch is Parted {
                Log.debug("matching a part again", ["slot": "\(SlotKey(startsAt))"])
            }
        }
        return try await openPartOnce(startsAt, rooms)
    }

    private func openPartOnce(
        _ startsAt: Timestamp, _ rooms: [[SlotPerson]]
    ) async throws -> [SlotOpening.Room] {
        try await store.transaction(on: startsAt) { transaction in
            let now = try await keepLease(of: startsAt, in: transaction)
            let here = try await transaction.unplaced(rooms.joined().map(\.registration))
            var opening = SlotOpening(
                rooms: rooms.compactMap { members in
                    let staying = members.filter { here.contains($0.registration) }
                    // A member who has lost all partners waits for the end, and is placed with the late
                    // members.
                    if staying.isEmpty || staying.count == 1 && members.count > 1 { return nil }
                    return SlotOpening.Room(id: makeRoomID(), members: staying)
                })
            // Members of a room in which two have parted since the plan was made wait likewise.
            let parted = try await transaction.parted(opening.gatherings)
            opening.rooms = opening.rooms.enumerated().filter { !parted.contains($0.offset) }.map(\.element)
            try await transaction.open(opening, at: now)
            try await transaction.tell(opening, at: now)
            try await Self.check(opening.gatherings, in: transaction)
            return opening.rooms
        }
    }

    private func keepLease(
        of startsAt: Timestamp, in transaction: any SlotTransaction
    ) async throws -> Timestamp {
        guard let slot = try await transaction.slot(), !slot.isClosed, !slot.isOpened,
            slot.lease?.holder == holder
        else { throw LeaseLost() }
        // The match has begun: if the clock was set back since, notifications keep the opening's time.
        let now = max(clock.now(), rules.opensAt(startsAt))
        // After the end there are no people left to match.
        guard now < slot.endsAt else { throw LeaseLost() }
        try await transaction.lease(SlotLease(holder: holder, until: now.adding(rules.leaseTime)))
        return now
    }
}
