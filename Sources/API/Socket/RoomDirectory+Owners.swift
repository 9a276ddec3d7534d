import Cluster
package import Contract
package import Database
package import Postgres
import Reactor
import Rooms
import Scheduling

/// The server at which a room is entered.
package enum RoomPlace: Equatable, Sendable {
    /// This server owns the room, and has it in memory.
    case here
    case elsewhere(owner: Identifier, term: Int32)
    /// There is no such room, or it has closed.
    case unknown
}

extension RoomDirectory {
    /// The number of times that a room is read for one entry, since other servers may claim it meanwhile.
    private static let readings = 4

    /// Finds the server at which a room is entered, by the database. A room that has no owner is claimed.
    package func enter(_ room: Identifier) async throws -> RoomPlace {
        var left = Self.readings
        while true {
            left -= 1
            guard let membership = try await knocks.ask(room) else { return .unknown }
            await apply([membership])
            if membership.owner == incarnation {
                // The room is open all the same; the next reading tries once more.
                try? await moveLogs()
                return .here
            }
            if let owner = membership.owner { return .elsewhere(owner: owner, term: membership.term) }
            if left == 0 { return .elsewhere(owner: ChangeEvent.nobody, term: membership.term) }
            _ = try await claim(room, from: nil, term: membership.term)
        }
    }

    /// Makes this server the owner of a room, as `RoomOwners.claim` does; the next reading opens the room.
    package func claim(
        _ room: Identifier, from owner: Identifier?, term: Int32, on ground: RoomOwners.Ground = .leaseIsPast
    ) async throws -> Int32? {
        // The owner may have gone on after it has sent the room here.
        await loop(of: room).submit { host(of: room).forgetArriving([room]) }
        let term = try await claims.ask(RoomClaim(room: room, owner: owner, term: term, ground: ground))
        // A previous owner that lives learns of it at once, and not only from its lost rooms.
        if term != nil && owner != nil { application.tellOthers(.room(room)) }
        return term
    }

    /// Takes a room over from an owner that is gone, if it still has that term. After the claim ales of the
    /// room wait for the pause of the ground, in which an owner that lives after all learns of it; they wait
    /// too if the claim fails, since an earlier one of this server may have succeeded. Returns whether it has
    /// taken the room.
    package func take(
        _ room: Identifier, from owner: Identifier, term: Int32, on ground: RoomOwners.Ground
    ) async throws -> Bool {
        let (loop, pause) = (loop(of: room), ground.pause)
        if pause == .zero { return try await claim(room, from: owner, term: term, on: ground) != nil }
        // The room is frozen from the start, if it is opened before the claim is answered.
        await loop.submit { host(of: room).freezeAhead(room) }
        let result: Result<Int32?, any Error>
        do {
            result = .success(try await claim(room, from: owner, term: term, on: ground))
        } catch {
            result = .failure(error)
        }
        await loop.submit {
            _ = loop.schedule(after: pause) { host(of: room).thaw(room) }
        }
        return try result.get() != nil
    }

    /// Gives up the rooms that others have taken from this server, which the pool of its lease knows.
    package func giveUpLost(in leases: PostgresPool) async throws {
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
        await loop(of: room).submit { host(of: room).relinquish(room, ifTermBelow: term) }
    }

    /// Returns the terms of those of the rooms that are open here.
    package func terms(of rooms: [Identifier]) async -> [Identifier: Int32] {
        var terms: [Identifier: Int32] = [:]
        for part in Dictionary(grouping: rooms, by: { index(of: $0) }).values {
            guard let first = part.first else { continue }
            let known = await loop(of: first).submit { host(of: first).terms(of: part) }
            terms.merge(known) { max($0, $1) }
        }
        return terms
    }

    /// Returns the rooms that are open here, with their terms.
    package func openTerms() async -> [Identifier: Int32] {
        var terms: [Identifier: Int32] = [:]
        for (index, loop) in loops.enumerated() {
            let open = await loop.submit { [rooms] in
                let host = rooms[index].value.host
                return host.terms(of: host.openRooms)
            }
            terms.merge(open) { max($0, $1) }
        }
        return terms
    }

    /// Has the devices go on that kept back what they read while ales could not be answered.
    package func resume() async {
        for (index, loop) in loops.enumerated() {
            await loop.submit { [rooms] in rooms[index].value.host.resume() }
        }
    }
}
