import API
import Cluster
import Codecs
import Contract
import Database
import HTTPServer
import Logging
import Postgres
import Reactor
import Rooms
import Scheduling
import Settings

/// The rooms of this server and the entries that are stored of them.
struct RoomsPart: Part {
    let rooms: RoomDirectory
    let leaving: Leaving
    private let file: RoomsFile?
    private let writer: PresenceWriter
    private let sockets: SocketEndpoint
    private let cluster: ClusterParts
    private let context: PartContext

    /// Takes the rooms of this server, and those without an owner. With a file, rooms outlive the process.
    init(_ context: PartContext, _ cluster: ClusterParts, _ file: RoomsFile?, loops: [EventLoop]) async throws
    {
        let (application, pool) = (context.application, context.pool)
        self.context = context
        self.cluster = cluster
        self.file = file
        try await OpenedDatabase.patiently {
            guard let file else { return }
            // Before they are restored.
            let saved = file.saved.map { (id: $0.id, term: $0.term) }
            file.claimed(try await RoomOwners.claimSaved(saved, by: ChangeEvent.origin, in: pool))
        }
        let log = file?.identity ?? ChangeEvent.origin
        writer = PresenceWriter(
            pool: pool, serverName: "\(ChangeEvent.origin)", log: log, now: context.now,
            presenceChanged: { application.changed(.presence) })
        let rooms = await RoomDirectory(
            application, pool: pool, writer: writer, log: log, loops: loops, file: file,
            mayAnswer: { cluster.service.clock.mayAnswer })
        self.rooms = rooms
        // Only now the rooms file has the terms of the saved rooms, so that a death in here loses no log.
        await Self.takeFree(at: application.now(), file: file, pool)
        cluster.serve(rooms)
        let signIn = SignIn(
            application: application, cookie: SessionCookie(publicURL: application.tickets.publicURL),
            refreshRooms: { await rooms.refresh($0) })
        leaving = Leaving(signIn, rooms)
        sockets = SocketEndpoint(
            application: application, rooms: rooms, signIn: signIn, tunnels: cluster.tunnels)
    }

    /// Takes the rooms without an owner, so that the first person who enters one does not wait for that. If
    /// it fails, the server starts all the same: a room is claimed when a device knocks.
    ///
    /// The rooms of an earlier process that was killed lose their owner first, as in an orderly stop. It had
    /// the lock of the rooms file, and so has ended.
    private static func takeFree(at now: Timestamp, file: RoomsFile?, _ pool: PostgresPool) async {
        if let earlier = file?.earlier {
            for attempt in 1...3 {
                do throws(PostgresError) {
                    try await RoomOwners.free(of: earlier, in: pool)
                    break
                } catch {
                    Log.warning(
                        "rooms of the process before may wait for their first ale",
                        ["attempt": attempt, "error": "\(error)"])
                }
            }
        }
        file?.begin(ChangeEvent.origin)
        do throws(PostgresError) {
            _ = try await RoomOwners.takeFree(
                by: ChangeEvent.origin, at: now, limit: RoomDirectory.maximumInAdvance, in: pool)
        } catch {
            Log.warning("rooms without an owner are claimed one by one", ["error": "\(error)"])
        }
    }

    func routes(_ rest: REST, into routers: inout Routers) {
        routers.open.add(
            RoomEndpoints(rest) { await rooms.snapshot(of: $0) }, ExplanationEndpoints(rest),
            NowEndpoints(rest, context.pool))
        sockets.add(to: &routers.open)
        cluster.add(sockets, to: &routers.inside)
        if context.configuration.internalPort == nil { cluster.add(sockets, to: &routers.open) }
    }

    var tasks: [@Sendable () async -> Void] { [writer.run] }

    func changed(_ changes: PendingChanges) async throws {
        if changes.concernRooms { try await rooms.refresh(changes) }
        if changes.all.contains(.users) {
            try await rooms.refreshAll()
        } else {
            try await rooms.refresh(of: Array(changes.users))
        }
        for id in changes.announcements.sorted() { try await rooms.show(id) }
    }

    func compare() async throws {
        file?.warnIfTruncated()
        try await rooms.refreshOccupied()
    }

    func figures() async -> [Figure] { await rooms.statistics().figures + sockets.refusals.figures }
}

extension PendingChanges {
    /// Whether rooms may have changed.
    var concernRooms: Bool { all.contains(.rooms) || !rooms.isEmpty || !opened.isEmpty }
}
