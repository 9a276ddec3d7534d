import Contract
import Postgres

@testable import Scheduling

/// The schedule of the model, reached by one process of a server.
struct ModelStore: ScheduleStore {
    /// The number of people of one slot who are told of its end in one transaction.
    static let endsAtOnce = 3

    let world: SimulatedWorld
    let server: ServerHandle?

    func agenda() async throws -> [AgendaEntry] {
        try await world.ask(server) { $0.agenda() }
    }

    func people(
        of startsAt: Timestamp, within limit: Duration
    ) async throws -> (people: [SlotPerson], edges: [SlotEdge]) {
        let read = try await world.ask(server) { world in
            PeopleRead(
                people: world.tables.people(of: startsAt),
                edges: world.tables.edges(in: startsAt, of: nil).filter {
                    world.bug != .forgetsBlocks || $0.kind != .block
                })
        }
        return (read.people, read.edges)
    }

    private struct PeopleRead: Sendable {
        var people: [SlotPerson]
        var edges: [SlotEdge]
    }

    func serve(_ startsAt: Timestamp, at now: Timestamp) async throws {
        try await world.ask(server) { $0.serve(startsAt, at: now) }
    }

    func noteAlive(
        at now: Timestamp, upSince: Timestamp, silence: Duration, releasing: Bool
    ) async throws -> AliveNote {
        try await world.ask(server) { world in
            world.noteOutage(before: world.bug == .forgetsAlive ? now : upSince, silence: silence)
            return world.noteAlive(server?.index ?? 0, at: now, silence: silence, releasing: releasing)
        }
    }

    func transaction<Value: Sendable>(
        on startsAt: Timestamp, _ body: (any SlotTransaction) async throws -> Value
    ) async throws -> Value {
        try await transaction { slot in
            try await world.takeLock(of: startsAt, in: slot.transaction, server)
            return try await body(slot.on(startsAt))
        }
    }

    /// Runs a transaction as the pool does: three times at most when it fails to serialize.
    func transaction<Value: Sendable>(_ body: (ModelSlot) async throws -> Value) async throws -> Value {
        var attempts = 3
        while true {
            attempts -= 1
            // BEGIN is sent together with the first statement.
            let transaction = world.inPlace { [server] in $0.begin(server) }
            do {
                let slot = ModelSlot(
                    world: world, server: server, transaction: transaction, startsAt: Timestamp(seconds: 0))
                let value = try await body(slot)
                try await world.commit(transaction, server)
                if world.bug == .tellsAfterwards { try await tellAfterwards(slot) }
                return value
            } catch {
                world.inPlace { world in
                    world.note("\(world.name(server)) breaks off: \(error)")
                    world.breakOff(transaction)
                }
                guard attempts > 0, let error = error as? PostgresError, error.isRetryable else {
                    throw error
                }
            }
        }
    }

    private func tellAfterwards(_ slot: ModelSlot) async throws {
        let transaction = try await world.ask(server) { [server] in $0.begin(server) }
        world.inPlace { world in
            world.transactions[transaction]?.effects = world.untold
            world.untold = []
        }
        try await world.commit(transaction, server)
    }
}

extension SimulatedWorld {
    fileprivate func agenda() -> [AgendaEntry] {
        let open = tables.slots.values.filter { slot in
            slot.closedAt == nil && !(bug == .forgetsOpenSlots && slot.openedAt != nil)
                && !(bug == .forgetsCatchUp && slot.endsAt <= now)
        }
        return open.sorted { $0.startsAt < $1.startsAt }.map { slot in
            let isLate = tables.registrations(of: slot.startsAt).contains {
                $0.isLive && tables.member(of: $0.id) == nil
            }
            return AgendaEntry(
                startsAt: slot.startsAt, endsAt: slot.endsAt, isOpened: slot.openedAt != nil,
                isServed: slot.servedAt != nil,
                hasLateArrivals: slot.openedAt != nil && isLate)
        }
    }

    fileprivate func noteAlive(
        _ server: Int, at now: Timestamp, silence: Duration, releasing: Bool
    ) -> AliveNote {
        let isRecent = tables.aliveAt.map { now < $0.adding(silence) } ?? false
        if bug != .forgetsAlive || !isRecent { tables.aliveAt = max(tables.aliveAt ?? now, now) }
        let isNew = tables.servers[server] == nil
        // The database's clock is right.
        tables.servers[server] = self.now
        if !releasing || bug == .keepsTheDead { return AliveNote(isNew: isNew, released: 0) }
        let gone = tables.servers.filter { $0.value.adding(silence) < self.now || bug == .releasesEverybody }
        var released = 0
        for index in tables.members.indices {
            guard let place = tables.members[index].presentOn, let aliveAt = gone[place] else { continue }
            tables.members[index].presentOn = nil
            tables.members[index].awaySince = aliveAt
            released += 1
        }
        for server in gone.keys { tables.servers[server] = nil }
        return AliveNote(isNew: isNew, released: released)
    }

    fileprivate func noteOutage(before now: Timestamp, silence: Duration) {
        guard let aliveAt = tables.aliveAt, aliveAt.adding(silence) < now else { return }
        let ran = tables.slots.values.filter { slot in
            slot.startsAt < now && slot.endsAt > aliveAt.adding(silence)
                && tables.registrations(of: slot.startsAt).contains { $0.createdAt.adding(silence) < now }
        }
        guard let first = ran.map(\.startsAt).min(), max(first, aliveAt) < now else { return }
        let began = max(first, aliveAt)
        if tables.outages.contains(where: { $0.lowerBound == began }) { return }
        tables.outages.append(began...now)
        checkOutage(began...now)
    }

    fileprivate func serve(_ startsAt: Timestamp, at now: Timestamp) {
        if tables.slots[startsAt]?.servedAt == nil && bug != .forgetsServing {
            tables.slots[startsAt]?.servedAt = now
        }
    }
}
