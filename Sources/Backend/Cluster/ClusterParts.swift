import API
import Cluster
import Codecs
import Contract
import Database
import Glibc
import HTTP1
import HTTPServer
import Logging
import Postgres
import Reactor
import Scheduling
import Settings
import Web

/// The parts by which servers that share a database know and reach each other.
struct ClusterParts: Part {
    let service: ClusterService
    let tunnels: RoomTunnels
    let calls: InternalAPI
    /// The pages of other builds, for browsers that an update has brought here.
    let pages: OtherPages
    private let talk: PeerTalk
    private let pool: PostgresPool
    private let rooms: Lock<RoomDirectory?>

    /// Joins the cluster: writes the lease of this server. `bound` is the address at which it listens for
    /// other servers.
    init(
        _ context: PartContext, _ store: PostgresSchedule, boundTo bound: SocketAddress?
    ) async throws {
        let (configuration, background, loop) = (context.configuration, context.pool, context.loop)
        let now = context.now
        let address = try await InternalAddress.find(configuration, boundTo: bound, from: background)
        let pool = PostgresPool(
            ServerDirectory.configuration(context.database).sized(context.plan.lease), on: loop)
        self.pool = pool
        let key = try await OpenedDatabase.patiently {
            try await PeerKey.read(configuration.clusterKey, from: background)
        }
        let rooms = Lock<RoomDirectory?>(nil)
        self.rooms = rooms
        let talk = PeerTalk(me: ChangeEvent.origin, key: key, now: now, on: loop)
        self.talk = talk
        let own = ServerDirectory.Own(
            incarnation: ChangeEvent.origin, address: address, label: configuration.serverName,
            version: Version.build, boot: store.boot)
        let service = ClusterService(
            own, directory: ServerDirectory(pool: pool), talk: talk,
            lead: .seconds(configuration.leadSeconds),
            duties: Self.duties(of: rooms, store, leases: pool, now), in: ClusterTime(on: loop))
        self.service = service
        tunnels = RoomTunnels(service, talk: talk)
        calls = InternalAPI(
            talk: talk, stored: { try await RoomOwners.terms(of: $0, in: background).mapValues(\.term) },
            open: { await rooms.withLock { $0 }?.terms(of: $0) ?? [:] },
            page: configuration.web == .on ? WebPage.archive : nil)
        let others = PeerPages(
            service.peers, talk: talk, in: ClusterTime(on: loop),
            // The pool of the renewals has no time for what browsers ask.
            read: { try await ServerDirectory(pool: background).others(than: ChangeEvent.origin) },
            decode: { OtherPage(archive: $0) })
        pages = OtherPages(
            kept: { others.kept($0) }, find: { try await others.find($0) },
            isRefused: { others.isRefused($0) })
        try await OpenedDatabase.patiently { try await service.join() }
        // The lease of an idle server may be past.
        let running = try await OpenedDatabase.patiently {
            try await ServerDirectory(pool: background).list().servers.filter(\.isRunning).map(\.entry)
        }
        do throws(StartFailure) {
            try InternalAddress.check(address, running.filter { $0.incarnation != ChangeEvent.origin })
        } catch {
            try? await service.leave()
            throw error
        }
        context.peers.withLock { [peers = service.peers] in $0 = peers }
    }

    /// Gives the parts the rooms that they are about.
    func serve(_ directory: RoomDirectory) { rooms.withLock { $0 = directory } }

    /// Adds the calls between servers.
    func add(_ sockets: SocketEndpoint, to router: inout Router) {
        calls.add(to: &router)
        sockets.add(to: &router, admittedBy: calls)
        RoomArrivalsEndpoint(rooms: sockets.rooms).add(to: &router, admittedBy: calls)
    }

    /// Hands the rooms of this server to the others. Does nothing if there is none, or no database.
    func handOver(_ rooms: RoomDirectory) async {
        do {
            // From now on matches give rooms to other servers.
            try await service.drain()
        } catch {
            return Log.warning("rooms are not handed over", ["error": "\(error)"])
        }
        let others = service.peers.serving
        if others.isEmpty { return }
        await RoomHandOver(rooms: rooms, talk: talk, in: ClusterTime(on: pool.loop)).run(to: others)
    }

    /// Hands one room to another server, as an operator has asked. Does nothing if the room is not here.
    private func move(_ room: Identifier, to server: Identifier, from rooms: RoomDirectory) async {
        if server == ChangeEvent.origin { return }
        if await rooms.terms(of: [room]).isEmpty { return }
        do {
            try await service.readPeers()
        } catch {
            return Log.warning("a room is not moved", ["room": room, "error": "\(error)"])
        }
        guard let other = service.peers.serving.first(where: { $0.incarnation == server }) else {
            return Log.warning(
                "a room is not moved: this server knows of no such server that serves",
                ["room": room, "server": server])
        }
        await RoomHandOver(rooms: rooms, talk: talk, in: ClusterTime(on: pool.loop)).move(room, to: other)
    }

    var tasks: [@Sendable () async -> Void] { [service.run] }

    func changed(_ changes: PendingChanges) async {
        for slot in changes.slots { await service.slotChanged(slot) }
        if changes.drains.contains(ChangeEvent.origin) {
            Log.info("an operator lets this server stop")
            // The signal that stops a server, from within.
            kill(getpid(), SIGTERM)
        }
        guard let rooms = rooms.withLock({ $0 }) else { return }
        for (room, server) in changes.moves { await move(room, to: server, from: rooms) }
    }

    func figures() async -> [Figure] {
        tunnels.metrics.current.figures + [
            Figure(
                "lease_age_seconds", "The time since the lease of this server was renewed.",
                await service.leaseAge?.inSeconds)
        ]
    }

    var states: [PartState] {
        get async {
            [
                PartState(
                    name: "lease", isWell: service.isRenewed,
                    ageSeconds: await service.leaseAge?.inSeconds,
                    detail: service.clock.mayAnswer
                        ? "relied on" : "not relied on: not needed, or past")
            ]
        }
    }

    var pools: [DatabasePools.Group] { [.init(name: "lease", pools: [pool])] }

    func finish() async { try? await service.leave() }

    private static func duties(
        of rooms: Lock<RoomDirectory?>, _ store: PostgresSchedule, leases: PostgresPool,
        _ now: @escaping CurrentTime
    ) -> RoomDuties {
        let directory: @Sendable () -> RoomDirectory? = { rooms.withLock { $0 } }
        var duties = RoomDuties.withoutRooms
        duties.open = { await directory()?.openTerms() ?? [:] }
        duties.giveUpLost = { try await directory()?.giveUpLost(in: leases) }
        duties.giveUp = { room, term in await directory()?.relinquish(room, ifTermBelow: term) }
        duties.goOn = {
            guard let rooms = directory() else { return }
            Task { await rooms.resume() }
        }
        duties.releaseLapsed = { _ = try await store.releaseLapsed(at: now()) }
        return duties
    }
}
