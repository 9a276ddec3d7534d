import Contract
import Matching
import Postgres
import TestKit

@testable import Scheduling

/// The rooms of one process, as far as the scheduler needs them: the entries.
struct SimulatedRooms: ScheduledRooms {
    let world: SimulatedWorld
    let server: ServerHandle

    func storeEntries() async throws {
        while world.inPlace({ !$0.servers[server.index].entries.isEmpty }) {
            try await world.ask(server) { $0.flushEntries(of: server.index) }
        }
    }

    func storeEverything() async throws { try await storeEntries() }

    func storePresence() async throws {
        world.inPlace { $0.reportPresence(of: server.index) }
        try await storeEntries()
    }

    func refresh(_ rooms: [Identifier]) async {}
}

extension SimulatedWorld {
    /// Has a member enter its current room.
    func enter(_ registration: Identifier) {
        guard let server = anyServer(), let current = tables.member(of: registration),
            let slot = tables.registrations[registration].flatMap({ tables.slots[$0.startsAt] }),
            slot.closedAt == nil, clock(of: server) < slot.endsAt
        else { return }
        note("r\(registration.number) enters room \(current.room.number) at server \(server)")
        for index in servers.indices { servers[index].present[registration] = nil }
        servers[server].present[registration] = current.room
        report(
            SimulatedEntry(
                room: current.room, registration: registration, at: clock(of: server), isPresent: true),
            by: server)
        guard chance(0.3) else { return }
        after(draw(0...plan.rules.grid.slotSeconds * 1_000_000)) { $0.leave(registration) }
    }

    /// Closes the member's last socket; perhaps the member comes back.
    private func leave(_ registration: Identifier) {
        guard let server = servers.indices.first(where: { servers[$0].present[registration] != nil }),
            let room = servers[server].present.removeValue(forKey: registration)
        else { return }
        note("r\(registration.number) is not in room \(room.number) any more")
        report(
            SimulatedEntry(
                room: room, registration: registration, at: clock(of: server), isPresent: false),
            by: server)
        if chance(0.5) {
            after(draw(0...plan.rules.grid.slotSeconds * 1_000_000)) { $0.enter(registration) }
        }
    }

    fileprivate func reportPresence(of server: Int) {
        for (registration, room) in servers[server].present.sorted(by: { $0.key < $1.key }) {
            servers[server].entries.append(
                SimulatedEntry(
                    room: room, registration: registration, at: clock(of: server), isPresent: true))
        }
    }

    private func report(_ entry: SimulatedEntry, by server: Int) {
        servers[server].entries.append(entry)
        after(draw(300...5_000)) { $0.flushLater(server) }
    }

    /// Stores entries as soon as possible.
    private func flushLater(_ server: Int) {
        if elapsed < databaseAwayUntil || (!isCalm && chance(plan.faults.lostConnection)) {
            return after(300_000) { $0.flushLater(server) }
        }
        flushEntries(of: server)
        if !servers[server].entries.isEmpty { after(2_000) { $0.flushLater(server) } }
    }

    /// Stores entries, except those whose rows a transaction has locked.
    fileprivate func flushEntries(of server: Int) {
        let held = transactions.values.reduce(into: Set<Identifier>()) { $0.formUnion($1.rows) }
        let entries = servers[server].entries
        if entries.isEmpty { return }
        servers[server].entries = entries.filter { held.contains($0.registration) }
        for entry in entries where !held.contains(entry.registration) { store(entry, server) }
        commits += 1
        // The other servers get no change event of it.
        tellPresence(server)
    }

    /// Tells all servers of a change of a room's members, by the database.
    func sendRoomEvents(from origin: Int?) {
        for index in servers.indices {
            if index != origin && !isCalm && chance(plan.faults.lostChangeEvent) {
                servers[index].wellSince = max(servers[index].wellSince, elapsed)
                continue
            }
            after(draw(200...10_000)) { $0.tellPresence(index) }
        }
    }

    private func tellPresence(_ server: Int) {
        guard let scheduler = servers[server].scheduler, bug != .overlooksPresence else { return }
        servers[server].loop.execute { scheduler.assumeIsolated { $0.presenceChanged() } }
    }

    func store(_ entry: SimulatedEntry, _ server: Int) {
        for index in tables.members.indices
        where tables.members[index].room == entry.room
            && tables.members[index].registration == entry.registration
            && tables.members[index].leftRevision == nil
        {
            let place = tables.members[index].presentOn
            // A member who is present at another server by now does not become away by this one.
            if !entry.isPresent, let place, place != server { continue }
            changed(tables.registrations[entry.registration]?.startsAt)
            if entry.isPresent && tables.members[index].enteredAt == nil {
                tables.members[index].enteredAt = entry.at
            }
            tables.members[index].presentOn = entry.isPresent ? server : nil
            tables.members[index].awaySince = entry.isPresent ? nil : entry.at
        }
    }

    /// Marks the members who were present on the server as away: a server that starts has no members in its
    /// rooms.
    func forgetPresence(on server: Int) {
        for index in tables.members.indices where tables.members[index].presentOn == server {
            tables.members[index].presentOn = nil
            tables.members[index].awaySince = now
        }
    }

    /// Notes that the presence or the members of the slot have changed.
    func changed(_ startsAt: Timestamp?) {
        guard let startsAt else { return }
        changedAt[startsAt] = elapsed
        after(Self.promptness + 2 * plan.clockError + 20_000) { $0.checkRematches(startsAt) }
    }
}
