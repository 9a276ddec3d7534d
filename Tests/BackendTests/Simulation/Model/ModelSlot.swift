import Contract

@testable import Backend

/// A transaction of the model on a slot.
struct ModelSlot: SlotTransaction {
    let world: SimulatedWorld
    let server: ServerHandle?
    let transaction: Int
    var startsAt: Timestamp

    func on(_ startsAt: Timestamp) -> ModelSlot {
        var slot = self
        slot.startsAt = startsAt
        return slot
    }

    func slot() async throws -> SlotRecord? {
        try await read { view in
            view.slots[startsAt].map {
                SlotRecord(
                    endsAt: $0.endsAt, isOpened: $0.openedAt != nil, isClosed: $0.closedAt != nil,
                    lease: $0.lease)
            }
        }
    }

    func arrivals() async throws -> [SlotPerson] {
        let people = try await read { $0.people(of: startsAt) }
        world.inPlace { $0.transactions[transaction]?.arrivals = people.map(\.registration) }
        return people
    }

    func blocks() async throws -> [SlotTie] {
        if isForgetful { return [] }
        return try await read { $0.blocks(in: startsAt) }
    }

    func haveParted(_ rooms: [SlotOpening.Room]) async throws -> Bool {
        if isForgetful || world.bug == .overlooksLastBlocks { return false }
        return try await read { view in
            rooms.contains { room in
                room.members.contains { one in
                    room.members.contains { view.isBlocked(one.user, $0.user) }
                }
            }
        }
    }

    func ties(of some: [UUID]?) async throws -> [SlotTie] {
        if some?.isEmpty == true { return [] }
        let ties = try await read { $0.ties(in: startsAt, of: some) }
        return isForgetful ? ties.filter { $0.kind != .block } : ties
    }

    private var isForgetful: Bool { world.bug == .forgetsBlocks }

    func lease(_ lease: SlotLease) async throws {
        world.inPlace { world in
            world.transactions[transaction]?.isLeased = true
            let known = world.leases[startsAt]
            let since = known?.lease.holder == lease.holder ? known?.since : nil
            world.leases[startsAt] = (lease, since ?? world.elapsed)
            world.note("\(lease.holder) takes a lease until \(lease.until)")
        }
        try await add([.lease(startsAt, lease)])
    }

    func unplaced(_ registrations: [UUID]) async throws -> Set<UUID> {
        try await read { view in
            Set(
                registrations.filter {
                    view.registrations[$0]?.isLive == true && view.seat(of: $0) == nil
                })
        }
    }

    func open(_ opening: SlotOpening, at now: Timestamp) async throws {
        var effects = opening.leftAlone.map {
            ModelEffect.noteAlone(
                ModelTables.Alone(registration: $0.registration, user: $0.user, startsAt: startsAt))
        }
        if opening.record != nil { effects.append(.markOpened(startsAt, at: now)) }
        var notices: [Notice] = []
        for room in opening.rooms {
            effects.append(.addRoom(ModelTables.Room(id: room.id, startsAt: startsAt, openedAt: now)))
            for person in room.members {
                effects.append(
                    .join(
                        MatchChanges.Move(room: room.id, registration: person.registration), awaySince: now))
                notices.append(
                    Notice(
                        user: person.user, type: .roomOpened, registration: person.registration,
                        room: room.id, revision: 1))
            }
        }
        world.inPlace { $0.transactions[transaction]?.matchedAt = (startsAt, now) }
        try await add(effects)
        if !notices.isEmpty { try await tell(notices, at: now) }
    }

    func members(awayAfter _: Timestamp?) async throws -> [SlotMember] {
        let isBlind = world.bug == .movesEntered
        return try await read { view in
            view.rooms(of: startsAt).flatMap { room in
                view.members(of: room.id).compactMap { member -> SlotMember? in
                    guard let user = view.registrations[member.registration]?.user else { return nil }
                    return SlotMember(
                        room: room.id, registration: member.registration, user: user,
                        tag: view.registrations[member.registration]?.tag,
                        hasEntered: member.enteredAt != nil && !isBlind,
                        isPresent: member.presentOn != nil && !isBlind, awaySince: member.awaySince)
                }
            }
        }
    }

    func write(_ changes: MatchChanges, at now: Timestamp) async throws {
        try await world.ask(server, in: transaction) { world in
            let view = try world.view(of: transaction)
            for move in changes.leaves {
                let isAlone = changes.alone.contains(move.registration)
                if !view.mayLeave(move, isAlone: isAlone) { throw MatchOvertaken() }
            }
            world.transactions[transaction]?.rows.formUnion(changes.leaves.map(\.registration))
            world.transactions[transaction]?.matchedAt = (startsAt, now)
            world.transactions[transaction]?.alone = changes.alone.filter { id in
                view.seat(of: id).map { seat in
                    view.members(of: seat.room).allSatisfy {
                        $0.registration == id || world.isAbsent($0, startsAt, at: now)
                    }
                } ?? false
            }
        }
        var effects: [ModelEffect] = changes.newRooms.map {
            .addRoom(ModelTables.Room(id: $0, startsAt: startsAt, openedAt: now))
        }
        effects += changes.changedRooms.map { .bump($0) }
        effects += changes.leaves.map { .leave($0) }
        effects += changes.joins.map { .join($0, awaySince: now) }
        try await add(effects)
        try await tell(changes.notices, at: now)
    }

    private func tell(_ notices: [Notice], at now: Timestamp) async throws {
        let effects = notices.map { ModelEffect.tell($0, at: now) }
        if world.bug == .tellsAfterwards {
            world.inPlace { $0.untold += effects }
        } else {
            try await add(effects)
        }
    }

    func close(at now: Timestamp) async throws {
        try await add([.close(startsAt, at: now)])
        // As if whoever had to be told in parts had been told already.
        let isMany = try await read { view in
            view.registrations(of: startsAt).count { $0.cancelledAt == nil } >= ModelStore.endsAtOnce
        }
        if world.bug == .forgetsTheLast && isMany { return }
        try await add([.tellEnd(startsAt, after: 0, upTo: .max, at: now)])
    }

    /// The last of the next who are told together; nil where they are fewer, or the slot is not over.
    func tellEnd(after first: UInt64, at now: Timestamp) async throws -> UInt64? {
        let last = try await read { view -> UInt64? in
            guard let slot = view.slots[startsAt], slot.closedAt == nil, slot.endsAt <= now else {
                return nil
            }
            let next = view.registrations(of: startsAt).filter {
                $0.cancelledAt == nil && $0.id.number > first
            }
            return next.count < ModelStore.endsAtOnce ? nil : next[ModelStore.endsAtOnce - 1].id.number
        }
        if let last { try await add([.tellEnd(startsAt, after: first, upTo: last, at: now)]) }
        return last
    }

    func add(_ effects: [ModelEffect]) async throws {
        try await world.ask(server, in: transaction) { $0.transactions[transaction]?.effects += effects }
    }

    func read<Value: Sendable>(_ body: @Sendable (ModelTables) throws -> Value) async throws -> Value {
        try await world.ask(server, in: transaction) { try body(try $0.view(of: transaction)) }
    }
}
