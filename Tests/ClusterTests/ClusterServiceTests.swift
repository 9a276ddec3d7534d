import Contract
import Database
import Postgres
import PostgresTesting
import Reactor
import Synchronization
import TestKit
import Testing

@testable import Cluster

@Suite("The cluster's service")
struct ClusterServiceTests {
    private static let (one, other, third) = (
        Identifier(value: 1), Identifier(value: 2), Identifier(value: 3)
    )

    private struct World: Sendable {
        let pool: PostgresPool
        let loop: EventLoop

        var directory: ServerDirectory { ServerDirectory(pool: pool) }

        func own(_ incarnation: Identifier, at address: String?) -> ServerDirectory.Own {
            ServerDirectory.Own(incarnation: incarnation, address: address, version: "1")
        }

        func service(_ server: PeerServer, duties: RoomDuties = RoomDuties()) -> ClusterService {
            ClusterService(
                own(server.talk.me, at: server.address), directory: directory, talk: server.talk,
                lead: .seconds(60), duties: duties, in: ClusterTime(on: loop))
        }

        /// Writes the row of another server, whose lease ends in an hour.
        func add(_ incarnation: Identifier, at address: String) async throws {
            _ = try await directory.renew(own(incarnation, at: address))
            try await moveLease(of: incarnation, hours: 1)
        }

        func endLease(of incarnation: Identifier) async throws {
            try await moveLease(of: incarnation, hours: -2)
        }

        private func moveLease(of incarnation: Identifier, hours: Int) async throws {
            try await pool.query(
                "UPDATE servers SET alive_until = alive_until + make_interval(hours => $2) WHERE name = $1",
                ["\(incarnation)", Int32(hours)])
        }

        /// Runs the service until the body returns.
        func run(_ service: ClusterService, _ body: () async throws -> Void) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask(executorPreference: loop) { await service.run() }
                try await body()
                group.cancelAll()
            }
        }
    }

    private static func with(_ body: (World) async throws -> Void) async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { _ = try await Migrations.migrator().apply(on: $0) }
            let pool = PostgresPool(database.configuration, on: database.loop)
            try await body(World(pool: pool, loop: database.loop))
            await pool.shutdown()
        }
    }

    /// Notes that a server has answered a probe at an address.
    private static func note(
        _ server: Identifier, at address: String, for service: isolated ClusterService
    ) {
        service.answered[server] = address
    }

    @Test(
        "a refused caller has the lease renewed, and goes on once the lost rooms are given up"
    )
    func wanted() async throws {
        try await Self.with { world in
            let server = try await PeerServer(Self.one)
            let hasGivenUp = Atomic<Bool>(false)
            let wentOn = Signal<Bool>()
            var duties = RoomDuties()
            duties.giveUpLost = { hasGivenUp.store(true, ordering: .relaxed) }
            duties.goOn = { wentOn.send(hasGivenUp.load(ordering: .relaxed)) }
            let service = world.service(server, duties: duties)
            #expect(!service.clock.mayAnswer)
            try await world.run(service) {
                #expect(await wentOn.value())
                try await eventually { service.clock.mayAnswer }
            }
            #expect(!service.clock.mayAnswer)
        }
    }

    @Test("a server that had no address yet at the last renewal, or no row, is looked up")
    func lateAddress() async throws {
        try await Self.with { world in
            let service = world.service(try await PeerServer(Self.one))
            _ = try await world.directory.renew(world.own(Self.other, at: nil))
            // This renews too, and says who is there.
            try await service.drain()
            #expect(service.peers.find(Self.other) != nil)
            #expect(await service.address(of: Self.other) == nil)
            for server in [Self.other, Self.third] {
                #expect(await service.address(of: server) == nil)
                _ = try await world.directory.renew(world.own(server, at: "http://127.0.0.1:9"))
                #expect(await service.address(of: server) == "http://127.0.0.1:9")
            }
        }
    }

    @Test("a server that finds its own row gone waits before it takes others for gone")
    func ownRowGone() async throws {
        try await Self.with { world in
            let service = world.service(try await PeerServer(Self.one))
            try await world.run(service) {
                while await service.steadySince == nil { await Task.yield() }
            }
            try await service.readPeers()
            #expect(await service.steadySince != nil)
            try await world.pool.query("DELETE FROM servers")
            try await service.readPeers()
            #expect(await service.steadySince == nil)
        }
    }

    @Test("an ended lease is never begun again")
    func left() async throws {
        try await Self.with { world in
            let service = world.service(try await PeerServer(Self.one))
            try await service.join()
            let lease = { try await world.directory.read(Self.one)?.entry.leaseLeft ?? .zero }
            #expect(try await lease() > .zero)
            try await service.leave()
            try await service.readPeers()
            try await service.drain()
            #expect(try await lease() <= .zero)
        }
    }

    @Test("a renewal whose lost rooms cannot be read does not count")
    func unread() async throws {
        try await Self.with { world in
            let server = try await PeerServer(Self.one)
            let tries = Atomic<Int>(0)
            var duties = RoomDuties()
            duties.giveUpLost = {
                if tries.wrappingAdd(1, ordering: .relaxed).newValue < 3 {
                    throw PostgresError.unavailable("planted")
                }
            }
            let service = world.service(server, duties: duties)
            try await world.run(service) {
                try await eventually { service.clock.mayAnswer }
                #expect(tries.load(ordering: .relaxed) >= 3)
            }
        }
    }

    @Test("an owner is taken over when its lease is past, and neither this server nor a peer reaches it")
    func takeOver() async throws {
        try await Self.with { world in
            let me = try await PeerServer(Self.one)
            let peer = try await PeerServer(Self.other)
            let service = world.service(me)
            try await world.add(Self.other, at: peer.address)
            try await world.add(Self.third, at: "http://127.0.0.1:1")
            try await world.run(service) {
                try await eventually(equals: 2) { service.peers.all.count }
                // Its lease is not past, and it has never answered at its address.
                guard case .refuse = await service.mayTake(Self.third, refused: true) else {
                    throw TestError("taken over within the lease")
                }
                try await world.endLease(of: Self.third)
                try await eventually {
                    await service.mayTake(Self.third, refused: true) == .claim(.leaseIsPast)
                }
            }
        }
    }

    @Test("an owner that answers is not taken over, though its lease is past")
    func reached() async throws {
        try await Self.with { world in
            let service = world.service(try await PeerServer(Self.one))
            let owner = try await PeerServer(Self.other)
            try await world.add(Self.other, at: owner.address)
            try await world.endLease(of: Self.other)
            #expect(await service.mayTake(Self.other, refused: true) == .refuse(retryAfter: .seconds(1)))
        }
    }

    @Test(
        "an owner that answered where a connection is refused now, and holds no lock, is taken over at once")
    func dead() async throws {
        try await Self.with { world in
            let service = world.service(try await PeerServer(Self.one))
            try await world.add(Self.third, at: "http://127.0.0.1:1")
            await Self.note(Self.third, at: "http://127.0.0.1:1", for: service)
            try await world.pool.withConnection { life in
                try await life.simple(ServerLife.hold(Self.third))
                guard case .refuse = await service.mayTake(Self.third, refused: true) else {
                    throw TestError("taken over while it holds its lock")
                }
                try await life.simple("SELECT pg_advisory_unlock_all()")
            }
            try await eventually {
                await service.mayTake(Self.third, refused: true) == .claim(.processHasEnded)
            }
        }
    }

    @Test("a lack of descriptors for the look-up of an owner's name does not count as the owner's silence")
    func outOfDescriptors() async throws {
        try await Self.with { world in
            let budget = DescriptorBudget.opened(for: 1)
            let me = try await PeerServer(Self.one, descriptors: budget)
            try await world.add(Self.other, at: "http://localhost:2")
            let claim = PeerAssertion.SocketClaim(
                room: Self.third, user: Self.third, tokenVersion: 1, term: 1, version: 2, client: "::1")
            let outcome = await RoomTunnels(world.service(me), talk: me.talk).open(
                RoomTunnels.Request(claim: claim, language: .english, id: "id"), to: Self.other,
                on: TestLoops.next())
            #expect(outcome.kind == .full)
        }
    }

    @Test("an owner without a row is taken over, and all who ask meanwhile are told so")
    func gone() async throws {
        try await Self.with { world in
            let service = world.service(try await PeerServer(Self.one))
            await withTaskGroup(of: TakeOver.Decision.self) { group in
                for _ in 0..<20 { group.addTask { await service.mayTake(Self.other, refused: false) } }
                for await decision in group { #expect(decision == .claim(.leaseIsPast)) }
            }
        }
    }

    @Test("a server that leaves acknowledges nothing any more, and has no lease")
    func leaves() async throws {
        try await Self.with { world in
            let service = world.service(try await PeerServer(Self.one))
            _ = service.clock.mayAnswer
            try await world.run(service) {
                try await eventually { service.clock.mayAnswer }
                try await service.leave()
                #expect(!service.clock.mayAnswer)
            }
            #expect(try await world.directory.read(Self.one)?.entry.state == .draining)
        }
    }
}
