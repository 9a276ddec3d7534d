import Contract
import Database
import Logging
import Postgres
import Rooms
import TestKit

@testable import API
@testable import Logging

/// The database as one process reaches it, over the network of the simulation.
struct ModelRows: RoomRows, ServerRows {
    let world: ClusterWorld
    let handle: ProcessHandle

    /// The time-outs of a statement of the lease, and of others, in microseconds.
    private static let short: Int64 = 1_000_000
    private static let long: Int64 = 3_000_000

    private func query<Value: Sendable>(
        within timeout: Int64 = long, retrying: Bool = false,
        _ body: @escaping @Sendable (isolated ClusterWorld) -> Value
    ) async throws(PostgresError) -> Value {
        let result = await ask(within: timeout, isSure: false, body)
        // A statement that may be repeated is sent again over another connection.
        if retrying, case .failure(.connectionLost) = result {
            return try await ask(within: timeout, isSure: true, body).get()
        }
        return try result.get()
    }

    private func ask<Value: Sendable>(
        within timeout: Int64, isSure: Bool, _ body: @escaping @Sendable (isolated ClusterWorld) -> Value
    ) async -> Result<Value, PostgresError> {
        await withCheckedContinuation { continuation in
            world.inPlace {
                $0.ask(handle, within: timeout, isSure: isSure, body) { continuation.resume(returning: $0) }
            }
        }
    }

    // Servers.

    func renew(_ own: ServerDirectory.Own) async throws(PostgresError) -> ServerDirectory.Renewal {
        try await query(within: Self.short, retrying: true) { world in
            return world.database.renew(own, at: world.elapsed, world.now)
        }
    }

    func read(
        _ incarnation: Identifier, boot: Identifier?
    ) async throws(PostgresError) -> ServerDirectory.Finding? {
        try await query(within: Self.short, retrying: true) { world in
            var finding = world.database.find(incarnation, at: world.elapsed)
            if world.bug == .trustsRefusals { finding?.isLockFree = true }
            return finding
        }
    }

    func leave(_ incarnation: Identifier) async throws(PostgresError) {
        try await query(within: Self.short, retrying: true) { $0.database.leave(incarnation, at: $0.elapsed) }
    }

    func releaseLapsed() async throws(PostgresError) {
        try await query { $0.database.releaseLapsed(at: $0.elapsed) }
    }

    // Rooms.

    func memberships(of ids: [Identifier], log: Identifier) async throws -> [Membership] {
        let memberships = try await query { [me = handle.incarnation] world in
            ids.compactMap { id -> Membership? in
                guard let room = world.database.rooms[id] else { return nil }
                let end = ClusterWorld.begin.adding(.seconds(3600))
                return Membership(
                    room: id, revision: 1, opensAt: ClusterWorld.begin, startsAt: ClusterWorld.begin,
                    closesAt: end, ales: 0, members: room.owner == me ? room.members : [], moved: [:],
                    wasElsewhere: room.logs.values.contains { $0 != log }, owner: room.owner, term: room.term)
            }
        }
        world.inPlace { $0.haveRead(memberships, at: handle) }
        return memberships
    }

    func openRooms() async throws(PostgresError) -> [Identifier] {
        try await query { [me = handle.incarnation] world in
            world.database.rooms.filter { $0.value.owner == me }.keys.sorted()
        }
    }

    func take(
        _ rooms: [RoomTerm], from owner: Identifier?, on ground: RoomOwners.Ground, by me: Identifier
    ) async throws(PostgresError) -> [Identifier: Int32] {
        try await query { world in
            var taken: [Identifier: Int32] = [:]
            if world.bug == .neverTakesOver { return taken }
            let isOver =
                world.bug == .trustsRefusals || world.database.holds(ground, for: owner, at: world.elapsed)
            for room in rooms where isOver {
                guard let row = world.database.rooms[room.id], row.owner == owner, row.term == room.term
                else { continue }
                let term = world.database.change(room.id, to: me)
                if let owner, ground == .processHasEnded, !world.database.locks.contains(owner),
                    world.isAlive(ProcessHandle(owner))
                {
                    world.history.takesForEnded(room.id, term)
                }
                if world.bug == .keepsTerms { world.database.rooms[room.id]?.term = room.term }
                taken[room.id] = term
                if let owner { world.database.lost[owner, default: []].insert(room.id) }
                let before = owner.map { ProcessHandle($0).index } ?? -1
                world.note("\(handle) claims room \(room.id.number) of \(before): \(term)")
            }
            return taken
        }
    }

    func takeSaved(_ rooms: [RoomTerm], by me: Identifier) async throws(PostgresError) {
        try await query { world in
            for room in rooms {
                let row = world.database.rooms[room.id]
                guard row?.term == room.term || world.bug == .restoresLostRooms else { continue }
                if world.bug == .restoresLostRooms, let term = row?.term, term != room.term {
                    world.database.rooms[room.id]?.term = room.term
                }
                world.history.restores(room.id, room.term, at: handle, world.database)
                _ = world.database.change(room.id, to: me)
                world.note("room \(room.id.number) is claimed from the disk of \(handle)")
            }
        }
    }

    func give(
        _ rooms: [RoomTerm], of me: Identifier, to other: Identifier
    ) async throws(PostgresError) {
        do throws(PostgresError) {
            try await query { world in
                for room in rooms {
                    guard let row = world.database.rooms[room.id], row.owner == me, row.term == room.term
                    else { continue }
                    _ = world.database.change(room.id, to: other)
                    world.statistics.handedOver += 1
                    world.history.gives(room.id, room.term, to: ProcessHandle(other))
                    world.note("room \(room.id.number) goes from \(handle) to \(ProcessHandle(other))")
                }
            }
        } catch {
            throw world.bug == .forgetsDoubt ? .unavailable("no answer") : error
        }
    }

    func moveLog(
        of rooms: [Identifier], to log: Identifier, by me: Identifier
    ) async throws(PostgresError) {
        try await query(retrying: true) { world in
            for room in rooms where world.database.rooms[room]?.owner == me {
                world.history.movesLog(of: room, to: log)
                if world.bug == .skipsLogs { continue }
                guard let logs = world.database.rooms[room]?.logs else { continue }
                world.database.rooms[room]?.logs = logs.mapValues { _ in log }
            }
        }
    }

    func owners(
        of rooms: [Identifier]
    ) async throws(PostgresError) -> [Identifier: (owner: Identifier?, term: Int32)] {
        try await query(retrying: true) { world in
            var owners: [Identifier: (owner: Identifier?, term: Int32)] = [:]
            for room in rooms {
                if let row = world.database.rooms[room] { owners[room] = (row.owner, row.term) }
            }
            return owners
        }
    }

    func lost(of me: Identifier) async throws(PostgresError) -> [Identifier] {
        try await query(within: Self.short, retrying: true) { $0.database.lost[me]?.sorted() ?? [] }
    }

    func forget(lost rooms: [Identifier], of me: Identifier) async throws(PostgresError) {
        try await query(within: Self.short, retrying: true) { $0.database.lost[me]?.subtract(rooms) }
    }
}

/// A statement whose connection waits for the network.
struct StalledStatement {
    let server: Int
    let until: Int64
    let execute: @Sendable (isolated ClusterWorld) -> Void
}

/// A question of a process that has no answer yet.
struct PendingCall {
    let handle: ProcessHandle
    let fail: @Sendable (isolated ClusterWorld) -> Void
}

extension ClusterWorld {
    /// The time for which the network carries on with what was sent before it was cut.
    private static let retransmission: Int64 = 4_000_000

    /// Sends a statement of a process, and calls `done` with the answer, unless the process stands still.
    func ask<Value: Sendable>(
        _ handle: ProcessHandle, within timeout: Int64, isSure: Bool,
        _ statement: @escaping @Sendable (isolated ClusterWorld) -> Value,
        _ done: @escaping @Sendable (Result<Value, PostgresError>) -> Void
    ) {
        guard isAlive(handle) else { return done(.failure(.cancelled)) }
        let number = number()
        calls[number] = PendingCall(handle: handle) { _ in done(.failure(.cancelled)) }
        let answer: @Sendable (isolated ClusterWorld, Result<Value, PostgresError>) -> Void = {
            world, result in
            if world.calls.removeValue(forKey: number) != nil { done(result) }
        }
        let (server, database) = (handle.index, network.database)
        if isOutage {
            return after(draw(1_000...5_000)) { answer($0, .failure(.unavailable("outage"))) }
        }
        after(timeout) { answer($0, .failure(.timedOut)) }
        if let since = servers[server].withoutDatabaseSince, elapsed - since > Self.retransmission {
            // The connections are gone, and no other can be had.
            return after(timeout - 1) { answer($0, .failure(.unavailable("cut"))) }
        }
        let execute: @Sendable (isolated ClusterWorld) -> Void = { world in
            if world.isOutage { return answer(world, .failure(.connectionLost("outage"))) }
            let value = statement(world)
            if !isSure && !world.isCalm && world.chance(world.plan.lostAnswers) {
                return world.after(world.delay()) { answer($0, .failure(.connectionLost("planned"))) }
            }
            world.after(world.delay()) { world in
                if world.isOutage { return answer(world, .failure(.connectionLost("outage"))) }
                guard world.network.isOpen(from: database, to: server) else {
                    // The answer comes when the network is whole again.
                    let late: @Sendable (isolated ClusterWorld) -> Void = { answer($0, .success(value)) }
                    world.stall(late, for: server)
                    return
                }
                answer(world, .success(value))
            }
        }
        after(delay()) { world in
            if world.network.isOpen(from: server, to: database) { return execute(world) }
            world.stall(execute, for: server)
        }
    }

    private func stall(_ body: @escaping @Sendable (isolated ClusterWorld) -> Void, for server: Int) {
        stalled.append(
            StalledStatement(server: server, until: elapsed + Self.retransmission, execute: body))
    }

    /// Goes on with what waited for the link between a server and the database.
    func retransmit(_ server: Int) {
        guard network.isOpen(between: server, and: network.database) else { return }
        let waiting = stalled.filter { $0.server == server && $0.until > elapsed }
        stalled.removeAll { $0.server == server }
        for statement in waiting { after(draw(1_000...300_000)) { statement.execute($0) } }
    }

    // Change events, presence.

    /// Tells all other servers that a room has changed, as far as they hear of it.
    func tellOthers(of room: Identifier, from handle: ProcessHandle) {
        guard isAlive(handle) else { return }
        after(delay()) { world in
            guard !world.isOutage,
                world.network.isOpen(between: handle.index, and: world.network.database)
            else { return }
            for server in world.servers where server.index != handle.index { world.tell(server.index, room) }
        }
    }

    func tell(_ server: Int, _ room: Identifier) {
        if bug == .overlooksLosses { return }
        after(delay()) { world in
            guard let process = world.ready(server), !world.isOutage,
                world.network.isOpen(between: server, and: world.network.database)
            else { return }
            world.start(on: process.background) {
                guard let rooms = process.rooms else { return }
                try? await rooms.read(await rooms.known(among: [room]))
            }
        }
    }

    /// Notes in the database which record has what a member did, as the presence writer does.
    func storePresence(
        of registration: Identifier, in room: Identifier, _ term: Int32?, by handle: ProcessHandle
    ) {
        after(draw(50_000...300_000)) { world in
            guard world.isAlive(handle) else { return }
            guard world.network.isOpen(between: handle.index, and: world.network.database), !world.isOutage
            else { return world.storePresence(of: registration, in: room, term, by: handle) }
            guard world.database.rooms[room]?.term == term else { return }
            let log = Identifier(value: UInt128(handle.index + 1))
            world.database.rooms[room]?.logs[registration] = log
            world.history.notes(log, of: registration, in: room)
        }
    }

    /// Runs a task of a process.
    func start(on loop: SimulatedLoop, _ body: @escaping @Sendable () async -> Void) {
        runningTasks += 1
        _ = Self.task(of: self, on: loop, body)
    }

    /// Returns a task that runs on a loop, and not on that of the world.
    nonisolated static func task(
        of world: ClusterWorld, on loop: SimulatedLoop, _ body: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: loop) {
            await Log.$isMuted.withValue(true) { await body() }
            world.inPlace { $0.runningTasks -= 1 }
        }
    }
}

extension Identifier {
    /// The number of a room, for readers.
    var number: UInt64 { UInt64(truncatingIfNeeded: value) }
}
