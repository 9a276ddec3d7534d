import Contract

@testable import Scheduling

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
        let slot = try await read { view in
            view.slots[startsAt].map {
                SlotRecord(
                    endsAt: $0.endsAt, isOpened: $0.openedAt != nil, isClosed: $0.closedAt != nil,
                    lease: $0.lease)
            }
        }
        guard let bug = world.bug else { return slot }
        return bug.read(slot)
    }

    func arrivals() async throws -> [SlotPerson] {
        let people = try await read { view in
            let people = view.people(of: startsAt)
            return world.bug?.read(people, of: startsAt, in: view) ?? people
        }
        world.inPlace { $0.transactions[transaction]?.arrivals = people.map(\.registration) }
        return people
    }

    func blocks() async throws -> [SlotEdge] {
        let blocks = try await read { $0.blocks(in: startsAt) }
        return world.bug?.read(blocks) ?? blocks
    }

    func parted(_ gatherings: [Gathering]) async throws -> Set<Int> {
        if isForgetful || world.bug == .overlooksLastBlocks { return [] }
        return try await read { view in
            var parted: Set<Int> = []
            for (index, gathering) in gatherings.enumerated() {
                gathering.forEachEncounter { one, other in
                    if view.isBlocked(one.user, other.user) { parted.insert(index) }
                }
            }
            return parted
        }
    }

    func edges(of some: [Identifier]?) async throws -> [SlotEdge] {
        if some?.isEmpty == true { return [] }
        let edges = try await read { $0.edges(in: startsAt, of: some) }
        return world.bug?.read(edges) ?? edges
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

    func unplaced(_ registrations: [Identifier]) async throws -> Set<Identifier> {
        try await read { view in
            Set(
                registrations.filter {
                    view.registrations[$0]?.isLive == true && view.member(of: $0) == nil
                })
        }
    }

    func open(_ opening: SlotOpening, at now: Timestamp) async throws {
        var effects = opening.leftAlone.map {
            ModelEffect.noteAlone(
                ModelTables.Alone(registration: $0.registration, user: $0.user, startsAt: startsAt))
        }
        if opening.record != nil { effects.append(.markOpened(startsAt, at: now)) }
        for room in opening.rooms {
            effects.append(.addRoom(ModelTables.Room(id: room.id, startsAt: startsAt, openedAt: now)))
            for person in room.members {
                effects.append(
                    .join(
                        MatchChanges.Move(room: room.id, registration: person.registration), awaySince: now))
            }
        }
        world.inPlace { $0.transactions[transaction]?.matchedAt = (startsAt, now) }
        try await add(effects)
    }

    func tell(_ opening: SlotOpening, at now: Timestamp) async throws {
        let notices = opening.rooms.flatMap { room in
            room.members.map { person in
                Notice(
                    user: person.user, type: .roomOpened, registration: person.registration, room: room.id,
                    revision: 1)
            }
        }
        if !notices.isEmpty { try await tell(notices, at: now) }
    }

    func members(awayAfter _: Timestamp?) async throws -> [SlotMember] {
        let (rows, members) = try await read { view in
            let rows = view.rooms(of: startsAt).flatMap { view.members(of: $0.id) }
            return (rows, rows.compactMap { view.slotMember($0) })
        }
        world.inPlace { world in
            for row in rows { world.transactions[transaction]?.members[row.registration] = row }
        }
        return world.bug?.read(members, of: startsAt) ?? members
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
                view.member(of: id).map { current in
                    view.members(of: current.room).allSatisfy {
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
            if notices.isEmpty { return }
            try await world.takeNotificationLock(in: transaction, server)
            try await add(effects)
        }
    }

    func close(after last: Contract.Identifier, at now: Timestamp) async throws -> Contract.Identifier? {
        try await add([.beginClosing(startsAt, at: now)])
        let next = try await read { view in
            view.registrations(of: startsAt).filter { registration in
                registration.isLive && registration.id.number > last.number
                    && !view.notifications.contains {
                        $0.notice.registration == registration.id && $0.notice.type.isEnd
                    }
            }.prefix(ModelStore.endsAtOnce)
        }
        let end = next.count < ModelStore.endsAtOnce ? nil : next.last?.id
        if end == nil { try await add([.close(startsAt, at: now)]) }
        // The planted bug treats the people of the last part as told already.
        if world.bug == .forgetsTheLast && end == nil && last.number > 0 { return nil }
        if !next.isEmpty { try await world.takeNotificationLock(in: transaction, server) }
        try await add([.tellEnd(startsAt, after: last.number, upTo: end?.number ?? .max, at: now)])
        return end
    }

    func add(_ effects: [ModelEffect]) async throws {
        try await world.ask(server, in: transaction) { $0.transactions[transaction]?.effects += effects }
    }

    func read<Value: Sendable>(_ body: @Sendable (ModelTables) throws -> Value) async throws -> Value {
        try await world.ask(server, in: transaction) { try body(try $0.view(of: transaction)) }
    }
}
