import Contract
import Rooms

@testable import Database

/// The tables of the database, as far as they are about servers and the owners of rooms.
struct ModelDatabase {
    struct Server {
        var own: ServerDirectory.Own
        var aliveUntil: Int64
        /// Whether a connection of the process holds its lock.
        var holdsLock = true
    }

    struct Room {
        var owner: Identifier?
        var term: Int32
        var members: [Membership.Member]
        /// The records that have what a member did, by registration (`members.log`).
        var logs: [Identifier: Identifier] = [:]
    }

    /// The time for which the row of a process without a lock outlives its lease.
    static let lapse: Int64 = 40_000_000

    var servers: [Identifier: Server] = [:]
    var rooms: [Identifier: Room] = [:]
    var lost: [Identifier: Set<Identifier>] = [:]
    /// The processes that hold their locks, whether they have a row or not.
    var locks: Set<Identifier> = []

    mutating func renew(_ own: ServerDirectory.Own, at now: Int64, _ time: Timestamp)
        -> ServerDirectory.Renewal
    {
        let known = servers[own.incarnation]
        let until = now + 5_000_000
        servers[own.incarnation] = Server(own: own, aliveUntil: max(known?.aliveUntil ?? 0, until))
        let others = servers.values.filter { $0.own.incarnation != own.incarnation }
            .sorted { $0.own.incarnation < $1.own.incarnation }
        return ServerDirectory.Renewal(
            at: time, isNew: known == nil, nextStart: time, others: others.map { Self.entry($0, at: now) })
    }

    func find(_ server: Identifier, at now: Int64) -> ServerDirectory.Finding? {
        servers[server].map {
            ServerDirectory.Finding(
                entry: Self.entry($0, at: now), isLockFree: !locks.contains(server), isOfThisHost: false)
        }
    }

    private static func entry(_ server: Server, at now: Int64) -> ServerEntry {
        ServerEntry(
            name: "\(server.own.incarnation)", address: server.own.address, state: server.own.state,
            leaseLeft: .microseconds(server.aliveUntil - now))
    }

    mutating func leave(_ server: Identifier, at now: Int64) {
        servers[server]?.aliveUntil = now
        servers[server]?.own.state = .draining
    }

    /// Removes the rows of processes that are gone.
    mutating func releaseLapsed(at now: Int64) {
        servers = servers.filter { now - $0.value.aliveUntil < Self.lapse || locks.contains($0.key) }
    }

    /// Whether the ground for taking rooms from that owner holds.
    func holds(_ ground: RoomOwners.Ground, for owner: Identifier?, at now: Int64) -> Bool {
        guard let row = owner.flatMap({ servers[$0] }) else { return true }
        switch ground {
        case .leaseIsPast: return row.aliveUntil <= now
        case .processHasEnded: return !locks.contains(row.own.incarnation)
        }
    }

    mutating func change(_ room: Identifier, to owner: Identifier) -> Int32 {
        rooms[room]?.owner = owner
        rooms[room]?.term += 1
        return rooms[room]?.term ?? 0
    }
}
