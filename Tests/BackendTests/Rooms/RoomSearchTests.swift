import API
import Cluster
import Contract
import HTTPServer
import Postgres
import Reactor
import Rooms
import Scheduling
import Testing

@testable import BackendTesting
@testable import Database

@Suite("The search for the server of a room")
struct RoomSearchTests {
    /// A peer whose room is elsewhere by the time at which it enters, so many times.
    private struct FakePeer: RoomEntrant {
        let room: Identifier
        let away: Int
        /// The outcome of a tunnel to the owner of the room.
        var tunnel = TunnelOutcome<Never>.notOwner
        let attempts = Lock(0)
        let isTold = Lock(false)

        var isFromServer: Bool { false }
        var asksAll: Bool { false }
        var isCertain: Bool { true }
        var isWithoutDatabase: Bool { false }

        func untilCertain() async {}
        func join() -> Bool { false }
        func joinIfHere() -> Bool {
            attempts.withLock { attempts in
                attempts += 1
                return attempts > away
            }
        }
        func joinOrFail() async { isTold.withLock { $0 = true } }
        func sendBack() {}
        func open(at owner: Identifier, term: Int32) async -> TunnelOutcome<Never> { tunnel }
        func openAnywhere() async -> TunnelOutcome<Never>? { nil }
        func relay(to link: Never) -> Bool {}
        func answer(_ response: HTTPResponse) async {}
        func count(_ step: TakeOverStep) {}
    }

    /// A room that the owner has, or no server yet, and the rooms of this one.
    private static func with(
        ownedBy owner: Identifier? = nil,
        _ body: @Sendable (RoomDirectory, Identifier) async throws -> Void
    ) async throws {
        try await RESTWorld.with { world in
            let registration = try await world.register(try await world.signUp(), "2027-03-01T13:00:00Z")
            let room = try await world.open([registration], at: "2027-03-01T13:00:00Z")
            if let owner {
                _ = try await RoomOwners.claim(room, from: nil, term: 0, by: owner, in: world.pool)
            }
            let log = Identifier(value: 1)
            let writer = PresenceWriter(
                pool: world.pool, serverName: "test", log: log, now: world.application.now)
            let rooms = await RoomDirectory(
                world.application, pool: world.pool, writer: writer, log: log, loops: [world.pool.loop],
                file: nil)
            try await body(rooms, room)
        }
    }

    @Test("goes on where another server has taken the room since its row was read: it has not closed")
    func taken() async throws {
        try await Self.with { rooms, room in
            let peer = FakePeer(room: room, away: 1)
            try await rooms.admit(peer)
            #expect(peer.attempts.withLock { $0 } == 2 && !peer.isTold.withLock { $0 })
        }
    }

    @Test("without a descriptor for a tunnel to the owner the peer is asked to come again")
    func full() async throws {
        try await Self.with(ownedBy: Identifier(value: 7)) { rooms, room in
            let peer = FakePeer(room: room, away: 0, tunnel: .full)
            let error = await #expect(throws: APIError.self) { try await rooms.admit(peer) }
            #expect(error?.problem.status == 503 && error?.headers["Retry-After"] == "5")
            #expect(peer.attempts.withLock { $0 } == 0 && !peer.isTold.withLock { $0 })
        }
    }

    @Test("asks to come again after some attempts")
    func elsewhere() async throws {
        try await Self.with { rooms, room in
            let peer = FakePeer(room: room, away: 100)
            let error = await #expect(throws: APIError.self) { try await rooms.admit(peer) }
            #expect(error?.problem.status == 503 && !peer.isTold.withLock { $0 })
        }
    }

    @Test("says of a room that is not there what there is to say")
    func unknown() async throws {
        try await Self.with { rooms, _ in
            let peer = FakePeer(room: Identifier(value: 9), away: 0)
            try await rooms.admit(peer)
            #expect(peer.attempts.withLock { $0 } == 0 && peer.isTold.withLock { $0 })
        }
    }
}
