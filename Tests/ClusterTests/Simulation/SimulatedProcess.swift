import Contract
import Database
import Postgres
import Reactor
import Rooms
import TestKit

@testable import API
@testable import Cluster

/// The code under test of one process: the cluster's service, the rooms and their hand-over.
final class SimulatedProcess: Sendable {
    let world: ClusterWorld
    let handle: ProcessHandle
    let background: SimulatedLoop
    let roomLoop: SimulatedLoop
    let time: ClusterTime
    let calls: ModelPeerCalls
    let rows: ModelRows
    let service: ClusterService
    let known: KnownTerms
    /// The rooms, once those of an earlier process are claimed; until then no request is answered.
    private let opened = Lock<SimulatedRooms?>(nil)
    private let hasDisk: Bool

    var rooms: SimulatedRooms? { opened.withLock { $0 } }
    var incarnation: Identifier { handle.incarnation }

    init(_ handle: ProcessHandle, in world: ClusterWorld, on server: SimulatedServer, hasDisk: Bool) {
        self.handle = handle
        self.world = world
        self.hasDisk = hasDisk
        background = server.background
        roomLoop = server.roomLoop
        let time = ClusterTime(handle, in: world, on: server.background)
        self.time = time
        let calls = ModelPeerCalls(world: world, handle: handle)
        self.calls = calls
        let rows = ModelRows(world: world, handle: handle)
        self.rows = rows
        let opened = opened
        let own = ServerDirectory.Own(
            incarnation: handle.incarnation, address: handle.address, version: "1")
        let bug = world.bug
        let duties = RoomDuties(
            open: { await opened.withLock { $0 }?.openTerms() ?? [:] },
            giveUpLost: {
                if bug == .overlooksLosses { return }
                try await opened.withLock { $0 }?.giveUpLost(in: rows)
            },
            giveUp: { room, term in
                if bug == .ignoresPeers { return }
                await opened.withLock { $0 }?.relinquish(room, ifTermBelow: term)
            },
            goOn: {
                guard let rooms = opened.withLock({ $0 }) else { return }
                Task(executorPreference: server.background) { await rooms.resume() }
            },
            releaseLapsed: { try await rows.releaseLapsed() })
        service = ClusterService(
            own, directory: rows, talk: calls, lead: .seconds(60), duties: duties, in: time)
        known = KnownTerms(
            stored: { rooms in
                let begun = world.inPlace { $0.elapsed }
                let terms = try? await RoomOwners.terms(of: rooms, in: rows).mapValues(\.term)
                world.inPlace { $0.hasAsked(handle, since: begun, isAnswered: terms != nil) }
                guard let terms else { throw PostgresError.unavailable("no answer") }
                return terms
            },
            open: { await opened.withLock { $0 }?.terms(of: $0) ?? [:] },
            monotonic: time.monotonic, sleep: time.sleep)
    }

    /// Runs the process until its task is cancelled: it joins, claims what an earlier process has left on
    /// the disk, reads its rooms, and renews.
    func run(_ saved: [UInt64]) async {
        await patiently { try await self.service.join() }
        let host = SimulatedHost(
            self, disk: hasDisk ? SavedRooms(words: saved, at: world.inPlace { $0.now }) : nil)
        await patiently {
            let left = await host.left
            let terms = try await RoomOwners.claimSaved(left, by: self.incarnation, in: self.rows)
            await host.claimed(terms)
        }
        await host.open()
        if Task.isCancelled { return }
        let rooms = SimulatedRooms(self, host)
        opened.withLock { $0 = rooms }
        world.inPlace { $0.note("server \(self.handle) is ready") }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.service.run() }
            group.addTask {
                await self.patiently { try await rooms.read(try await self.rows.openRooms()) }
            }
        }
    }

    private func patiently(_ body: () async throws -> Void) async {
        while !Task.isCancelled {
            do { return try await body() } catch { try? await time.sleep(.milliseconds(200)) }
        }
    }

    /// Hands one room to another server, while this one goes on.
    func move(_ room: Identifier, to index: Int) async {
        let others = service.peers.serving
        guard let rooms, let other = others.first(where: { ProcessHandle($0.incarnation).index == index })
        else { return }
        await RoomHandOver(rooms: rooms, talk: calls, in: time).move(room, to: other)
    }

    /// Hands the rooms to the others and leaves, as a server that is told to end.
    func drain() async {
        guard let rooms else { return }
        if (try? await service.drain()) != nil, !service.peers.serving.isEmpty {
            await RoomHandOver(rooms: rooms, talk: calls, in: time).run(to: service.peers.serving)
        }
        try? await service.drain()
        await rooms.startDraining()
        await rooms.host.closeAll()
        try? await service.leave()
    }
}

extension ClusterTime {
    /// The time of one process of a simulation.
    init(_ handle: ProcessHandle, in world: ClusterWorld, on loop: SimulatedLoop) {
        let alarm: Alarm = { pause, body in
            let number = world.inPlace { $0.setAlarm(of: handle, after: pause, body) }
            return { world.inPlace { $0.cancelAlarm(number, of: handle) } }
        }
        self.init(
            executor: loop, sinceBoot: { world.inPlace { $0.sinceBoot(of: handle) } },
            monotonic: { world.inPlace { UInt64($0.elapsed) * 1_000 } }, alarm: alarm,
            sleep: { pause in
                await WakeSignal().wait(alarm: { alarm(pause, $0) })
                try Task.checkCancellation()
            })
    }
}

extension ClusterWorld {
    func isAlive(_ handle: ProcessHandle) -> Bool {
        servers[handle.index].state == .running && servers[handle.index].generation == handle.generation
    }

    /// Returns the running process of a server that takes requests.
    func ready(_ index: Int) -> SimulatedProcess? {
        guard servers[index].state == .running, let process = servers[index].process, process.rooms != nil
        else { return nil }
        return process
    }

    func sinceBoot(of handle: ProcessHandle) -> Int64 {
        bug == .overlooksPauses ? elapsed - servers[handle.index].pausedFor : elapsed
    }

    func setAlarm(
        of handle: ProcessHandle, after pause: Duration, _ body: @escaping @Sendable () -> Void
    ) -> Int {
        let loop = servers[handle.index].background
        let number = number()
        guard isAlive(handle) else {
            after(pause.wholeMicroseconds) { _ in loop.execute(body) }
            return number
        }
        servers[handle.index].alarms[number] = body
        after(pause.wholeMicroseconds + draw(0...2_000)) { world in
            guard world.servers[handle.index].alarms[number] != nil else { return }
            loop.execute {
                let body = world.inPlace { $0.servers[handle.index].alarms.removeValue(forKey: number) }
                body?()
            }
        }
        return number
    }

    func cancelAlarm(_ number: Int, of handle: ProcessHandle) {
        servers[handle.index].alarms[number] = nil
    }
}

extension Duration {
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
