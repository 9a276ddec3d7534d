import Cluster
package import Contract
package import Database
package import Reactor
package import Rooms
import Scheduling

/// The server at which a room is entered.
package enum RoomPlace: Equatable, Sendable {
    /// This server owns the room, and has it in memory.
    case here
    case elsewhere(owner: Identifier, term: Int32)
    /// The socket is refused, here and by the other servers: the room does not exist or has closed, or this
    /// server is shutting down.
    case unknown
}

/// The rooms of a server: those in memory, on the loops of their hosts, and their rows.
package protocol OwnedRooms: Sendable {
    /// This process, as the owner of rooms.
    var incarnation: Identifier { get }
    /// The layout of the rooms' logs.
    var layout: RoomLogLayout { get }
    /// The identity of this server's record of its rooms, stored in `members.log`.
    var log: Identifier { get }
    var rows: any RoomRows { get }
    /// The rooms that others have taken, until they have been read and given up.
    var unreadLost: Lock<Set<Identifier>> { get }
    /// The rooms that came from other servers with their logs, until the database knows that these are here.
    var unmovedLogs: Lock<Set<Identifier>> { get }
    /// The number of hosts, each with a loop of its own.
    var hostCount: Int { get }

    /// Returns the index of the host that has a room.
    func index(of room: Identifier) -> Int
    /// Runs the body with a host, on its loop, and returns the result.
    func submit<Value: Sendable>(
        to index: Int, _ body: @escaping @Sendable (RoomHost) -> Value
    ) async -> Value
    /// As `RoomHost.apply`.
    func apply(_ memberships: [Membership], at index: Int) async
    /// Freezes a room as soon as it is open, until each `freeze` was followed by a `thaw`.
    func freeze(_ room: Identifier) async
    /// Ends one freeze of a room after that time.
    func thaw(_ room: Identifier, after pause: Duration) async
    /// Returns those of the rooms that are open, each as of one instant.
    func memberships(of ids: [Identifier]) async throws -> [Membership]
    /// Returns a room that a device wants to enter. Concurrent callers share the answer.
    func membership(of room: Identifier) async throws -> Membership?
    /// Makes a claim, together with others. Returns the new term, if it has succeeded.
    func claim(_ claim: RoomClaim) async throws -> Int32?
    /// Notifies the other servers that a room has changed.
    func tellOthers(of room: Identifier)
    /// Stores the counts of ales until now: the next owner goes on from them. They are stored later if that
    /// fails.
    func storeCounts() async
    /// The clock of the database.
    func now() -> Timestamp
}

/// Rooms are claimed, opened once this server has read that it owns them, and given up.
extension OwnedRooms {
    /// The number of times that a room is read for one entry, since other servers may claim it meanwhile.
    private static var readings: Int { 4 }

    /// Finds the server at which a room is entered, by the database. A room that has no owner is claimed.
    package func locate(_ room: Identifier) async throws -> RoomPlace {
        var left = Self.readings
        while true {
            left -= 1
            guard let membership = try await readAndOpen(room) else { return .unknown }
            // An operator has closed it: no server needs to have it, and one that does has to hear of it.
            if membership.isClosed {
                if membership.owner != incarnation { tellOthers(of: room) }
                return .unknown
            }
            // It has ended, although its slot is not closed yet.
            if membership.closesAt <= now() { return .unknown }
            if membership.owner == incarnation {
                // The room is open all the same; the next reading tries again.
                try? await moveLogs(of: [room])
                return .here
            }
            if let owner = membership.owner { return .elsewhere(owner: owner, term: membership.term) }
            if left == 0 { return .elsewhere(owner: ChangeEvent.noProcess, term: membership.term) }
            _ = try await claim(room, from: nil, term: membership.term)
        }
    }

    /// Reads a room that a device wants to enter, and opens it if it is this server's. Until then the room
    /// counts as known, so that it is read again if another server reports a change since. Returns nil if
    /// there is none, or if this server stops: it has left its rooms, with their logs, to the next process.
    private func readAndOpen(_ room: Identifier) async throws -> Membership? {
        let index = index(of: room)
        await submit(to: index) { $0.beginReading(room) }
        do {
            let membership = try await membership(of: room)
            if let membership, await !submit(to: index, { $0.isDraining }) { await apply([membership]) }
            return await submit(to: index) { host in
                host.endReading(room)
                return host.isDraining ? nil : membership
            }
        } catch {
            await submit(to: index) { $0.endReading(room) }
            throw error
        }
    }

    /// Makes this server the owner of a room, as `RoomOwners.claim` does; the next reading opens the room.
    package func claim(
        _ room: Identifier, from owner: Identifier?, term: Int32, on ground: RoomOwners.Ground = .leaseIsPast
    ) async throws -> Int32? {
        await submit(to: index(of: room)) { $0.refuseArrival(of: room, from: term) }
        let term = try await claim(RoomClaim(room: room, owner: owner, term: term, ground: ground))
        // A previous owner that lives learns of it at once, and not only from its lost rooms.
        if term != nil && owner != nil { tellOthers(of: room) }
        return term
    }

    /// Takes a room over from an owner that is gone, if it still has that term. After the claim ales of the
    /// room wait for the pause of the ground, in which an owner that lives after all learns of it; they wait
    /// too if the claim fails, since an earlier one of this server may have succeeded. Returns whether it has
    /// taken the room.
    package func take(
        _ room: Identifier, from owner: Identifier, term: Int32, on ground: RoomOwners.Ground
    ) async throws -> Bool {
        if ground.pause == .zero { return try await claim(room, from: owner, term: term, on: ground) != nil }
        // The room is frozen from the start, if it is opened before the claim is answered.
        await freeze(room)
        let result = await Result { try await claim(room, from: owner, term: term, on: ground) }
        await thaw(room, after: ground.pause)
        return try result.get() != nil
    }

    /// Gives up the rooms that others have taken from this server, which the pool of its lease knows.
    package func giveUpLost(in leases: some RoomRows) async throws {
        let taken = try await RoomOwners.takeLost(of: incarnation, in: leases)
        // The database names them once. Those that cannot be read are read with the next renewal.
        let lost = unreadLost.withLock { unread in
            unread.formUnion(taken)
            return unread
        }
        if lost.isEmpty { return }
        try await read(lost.sorted())
        unreadLost.withLock { $0.subtract(lost) }
    }

    /// Gives up a room, wherever it is read: as `RoomHost.relinquish`.
    package func relinquish(_ room: Identifier, ifTermBelow term: Int32?) async {
        await submit(to: index(of: room)) { $0.relinquish(room, ifTermBelow: term) }
    }

    /// Returns the terms of those of the rooms that are open here.
    package func terms(of rooms: [Identifier]) async -> [Identifier: Int32] {
        var terms: [Identifier: Int32] = [:]
        for (index, part) in parts(of: rooms) {
            terms.merge(await submit(to: index) { $0.terms(of: part) }) { max($0, $1) }
        }
        return terms
    }

    /// Returns the rooms that are open here, with their terms.
    package func openTerms() async -> [Identifier: Int32] {
        var terms: [Identifier: Int32] = [:]
        for index in 0..<hostCount {
            terms.merge(await submit(to: index) { $0.terms(of: $0.openRooms) }) { max($0, $1) }
        }
        return terms
    }

    /// Has the devices go on that kept back what they read while ales could not be answered.
    package func resume() async {
        for index in 0..<hostCount { await submit(to: index) { $0.resume() } }
    }

    /// Reads rooms again: opens those that this server owns, and gives up those that another does.
    package func read(_ ids: [Identifier]) async throws {
        await apply(try await memberships(of: ids))
        try await moveLogs(of: ids)
    }

    func apply(_ memberships: [Membership]) async {
        let rooms = Dictionary(memberships.map { ($0.room, $0) }) { $1 }
        for (index, part) in parts(of: memberships.map(\.room)) {
            await apply(part.compactMap { rooms[$0] }, at: index)
            let adopted = await submit(to: index) { $0.takeAdopted() }
            if !adopted.isEmpty { unmovedLogs.withLock { $0.formUnion(adopted) } }
        }
    }

    /// Returns those of the rooms that are here.
    package func known(among ids: [Identifier]) async -> [Identifier] {
        var known: [Identifier] = []
        for (index, part) in parts(of: ids) {
            known += await submit(to: index) { host in part.filter { host.knows($0) } }
        }
        return known
    }

    /// The number of devices in the rooms.
    func devices() async -> Int {
        var devices = 0
        for index in 0..<hostCount { devices += await submit(to: index) { $0.currentStatistics.devices } }
        return devices
    }

    /// Refuses all devices, and the rooms of other servers, from now on.
    func startDraining() async {
        for index in 0..<hostCount { await submit(to: index) { $0.startDraining() } }
    }

    /// Returns the rooms of each host.
    func parts(of rooms: [Identifier]) -> [(index: Int, rooms: [Identifier])] {
        Dictionary(grouping: rooms) { index(of: $0) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
