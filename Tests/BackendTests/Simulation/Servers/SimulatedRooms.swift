import Contract
import Matching
import Postgres

@testable import Backend

/// The rooms of one process, as far as the scheduler asks for them: who entered.
struct SimulatedRooms: ScheduledRooms {
    let world: SimulatedWorld
    let server: ServerHandle

    func storeEntries() async throws {
        while world.inPlace({ !$0.servers[server.index].entries.isEmpty }) {
            try await world.ask(server) { $0.flushEntries(of: server.index) }
        }
    }

    func storeEverything() async throws { try await storeEntries() }

    func refresh(_ rooms: [UUID]) async {}
}

extension SimulatedWorld {
    /// Somebody comes into the room that is theirs now.
    func enter(_ registration: UUID) {
        guard let server = anyServer(), let seat = tables.seat(of: registration),
            let slot = tables.registrations[registration].flatMap({ tables.slots[$0.startsAt] }),
            slot.closedAt == nil, wallClock(of: server) < slot.endsAt
        else { return }
        note("r\(registration.number) enters room \(seat.room.number) at server \(server)")
        report(
            SimulatedEntry(
                room: seat.room, registration: registration, at: wallClock(of: server), isPresent: true),
            by: server)
        guard chance(0.3) else { return }
        after(draw(0...plan.rules.grid.slotSeconds * 1_000_000)) { $0.leave(registration) }
    }

    /// The last socket closes; perhaps the person comes back.
    private func leave(_ registration: UUID) {
        guard let seat = tables.seat(of: registration), let server = seat.presentOn, servers[server].isUp
        else {
            return
        }
        note("r\(registration.number) is not in room \(seat.room.number) any more")
        report(
            SimulatedEntry(
                room: seat.room, registration: registration, at: wallClock(of: server), isPresent: false),
            by: server)
        if chance(0.5) {
            after(draw(0...plan.rules.grid.slotSeconds * 1_000_000)) { $0.enter(registration) }
        }
    }

    private func report(_ entry: SimulatedEntry, by server: Int) {
        servers[server].entries.append(entry)
        after(draw(300...5_000)) { $0.flushLater(server) }
    }

    /// Stores entries as soon as it can be.
    private func flushLater(_ server: Int) {
        if elapsed < databaseAwayUntil || (!isCalm && chance(plan.faults.lostConnection)) {
            return after(300_000) { $0.flushLater(server) }
        }
        flushEntries(of: server)
        if !servers[server].entries.isEmpty { after(2_000) { $0.flushLater(server) } }
    }

    /// Entries whose rows a transaction holds wait.
    fileprivate func flushEntries(of server: Int) {
        let held = transactions.values.reduce(into: Set<UUID>()) { $0.formUnion($1.rows) }
        let entries = servers[server].entries
        if entries.isEmpty { return }
        servers[server].entries = entries.filter { held.contains($0.registration) }
        for entry in entries where !held.contains(entry.registration) { store(entry, server) }
        commits += 1
        for index in servers.indices {
            if index != server && !isCalm && chance(plan.faults.lostHint) {
                servers[index].wellSince = max(servers[index].wellSince, elapsed)
                continue
            }
            after(index == server ? 0 : draw(200...10_000)) { world in
                guard let scheduler = world.servers[index].scheduler else { return }
                world.servers[index].loop.execute { scheduler.assumeIsolated { $0.presenceChanged() } }
            }
        }
    }

    func store(_ entry: SimulatedEntry, _ server: Int) {
        for index in tables.members.indices
        where tables.members[index].room == entry.room
            && tables.members[index].registration == entry.registration
            && tables.members[index].leftRevision == nil
        {
            if entry.isPresent && tables.members[index].enteredAt == nil {
                tables.members[index].enteredAt = entry.at
            }
            tables.members[index].presentOn = entry.isPresent ? server : nil
            tables.members[index].awaySince = entry.isPresent ? nil : entry.at
        }
    }

    /// A server that starts has nobody in its rooms.
    func forgetPresence(on server: Int) {
        for index in tables.members.indices where tables.members[index].presentOn == server {
            tables.members[index].presentOn = nil
            tables.members[index].awaySince = now
        }
    }
}
