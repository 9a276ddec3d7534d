import Contract
import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing

@testable import Cluster
@testable import Database

@Suite("The pages of other builds")
struct PeerPagesTests {
    /// A server that asks real ones for their pages. Its list of peers and its time are those of the test.
    private final class World: Sendable {
        private struct State {
            /// The list in the database; nil while that does not answer.
            var listed: [ServerEntry]? = []
            var readings = 0
            var now: UInt64 = 1_000_000_000
        }

        private struct NoDatabase: Error {}

        let peers = PeerList()
        let pages: PeerPages<[UInt8]>
        private let state: Lock<State>

        init() throws {
            let state = Lock(State())
            self.state = state
            let loop = TestLoops.next()
            let time = ClusterTime(
                executor: loop, sinceBoot: { Monotonic.sinceBoot() },
                monotonic: { state.withLock { $0.now } }, alarm: { _, _ in {} },
                sleep: { pause in state.withLock { $0.now += pause.clampedNanoseconds } })
            let talk = PeerTalk(
                me: Identifier(value: 99), key: PeerServer.key, now: { PeerServer.now }, on: loop)
            pages = PeerPages(
                peers, talk: talk, in: time,
                read: {
                    try state.withLock { state in
                        state.readings += 1
                        guard let listed = state.listed else { throw NoDatabase() }
                        return listed
                    }
                }, decode: { $0 })
        }

        /// The number of times that the list was read.
        var readings: Int { state.withLock { $0.readings } }

        func list(_ entries: [ServerEntry]?) { state.withLock { $0.listed = entries } }
        func pass(_ time: Duration) { state.withLock { $0.now += time.clampedNanoseconds } }
    }

    private static func hash(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Makes a server with a page whose only byte is its number.
    private static func peer(_ number: Int) async throws -> PeerServer {
        try await PeerServer(
            Identifier(value: UInt128(number)), page: (hash: hash(number), bytes: [UInt8(number)]))
    }

    private static func entry(
        _ number: Int, at address: String?, _ state: ServerState = .serving, leaseLeft: Duration = .seconds(5)
    ) -> ServerEntry {
        ServerEntry(
            name: "\(Identifier(value: UInt128(number)))", address: address, state: state,
            leaseLeft: leaseLeft)
    }

    @Test("are kept as long as a server that has them is in the list")
    func kept() async throws {
        let (world, peer) = (try World(), try await Self.peer(1))
        let listed = [Self.entry(1, at: peer.address)]
        world.list(listed)
        #expect(world.pages.kept(Self.hash(1)) == nil)
        #expect(try await world.pages.find(Self.hash(1)) == [1])
        #expect(world.pages.kept(Self.hash(1)) == [1])
        #expect(try await world.pages.find(Self.hash(1)) == [1])
        #expect(world.readings == 1)
        world.peers.set([])
        #expect(world.pages.kept(Self.hash(1)) == nil)
    }

    @Test("are asked for again only after three seconds if no server has them")
    func refused() async throws {
        let (world, peer) = (try World(), try await Self.peer(1))
        world.list([Self.entry(1, at: peer.address)])
        #expect(try await world.pages.find(Self.hash(2)) == nil)
        #expect(world.pages.isRefused(Self.hash(2)))
        #expect(try await world.pages.find(Self.hash(2)) == nil)
        #expect(world.readings == 1)
        world.pass(.seconds(3))
        #expect(!world.pages.isRefused(Self.hash(2)))
        let other = try await Self.peer(2)
        world.list([Self.entry(1, at: peer.address), Self.entry(2, at: other.address)])
        #expect(try await world.pages.find(Self.hash(2)) == [2])
        #expect(world.readings == 2)
    }

    @Test("are neither found nor refused while a server that may have them does not answer")
    func unsure() async throws {
        let (world, port) = (try World(), try ReservedPort())
        let nothing = "http://\(port.address)"
        for (state, left) in [(ServerState.serving, Duration.seconds(-69)), (.draining, .seconds(1))] {
            world.list([Self.entry(1, at: nothing, state, leaseLeft: left)])
            await #expect(throws: PeerPages<[UInt8]>.NoAnswer.self) {
                try await world.pages.find(Self.hash(1))
            }
            #expect(!world.pages.isRefused(Self.hash(1)))
        }
        // By their rows these have ended.
        for (number, state, left) in [
            (2, ServerState.serving, Duration.seconds(-71)), (3, .draining, .seconds(-1)),
        ] {
            world.list([Self.entry(number, at: nothing, state, leaseLeft: left)])
            #expect(try await world.pages.find(Self.hash(number)) == nil)
            #expect(world.pages.isRefused(Self.hash(number)))
        }
    }

    @Test("are neither found nor refused while the list of servers cannot be read")
    func noDatabase() async throws {
        let (world, peer) = (try World(), try await Self.peer(1))
        world.list(nil)
        await #expect(throws: PeerPages<[UInt8]>.NoAnswer.self) { try await world.pages.find(Self.hash(1)) }
        #expect(!world.pages.isRefused(Self.hash(1)))
        // The servers of the last renewal of the lease are asked all the same.
        world.peers.set([Self.entry(1, at: peer.address)])
        #expect(try await world.pages.find(Self.hash(1)) == [1])
    }

    @Test("are at most four; another is taken as soon as no server has one of them")
    func bound() async throws {
        let world = try World()
        var servers: [PeerServer] = []
        for number in 1...5 { servers.append(try await Self.peer(number)) }
        let listed = servers.enumerated().map { Self.entry($0 + 1, at: $1.address) }
        world.list(listed)
        for number in 1...4 {
            #expect(try await world.pages.find(Self.hash(number)) == [UInt8(number)])
        }
        #expect(try await world.pages.find(Self.hash(5)) == nil)
        #expect(world.pages.isRefused(Self.hash(5)))
        for number in 1...4 { #expect(world.pages.kept(Self.hash(number)) == [UInt8(number)]) }
        world.peers.set(Array(listed.dropFirst()))
        world.pass(.seconds(3))
        #expect(try await world.pages.find(Self.hash(5)) == [5])
        #expect(world.pages.kept(Self.hash(1)) == nil)
    }

    @Test("may be those of a server of an older release, which knows no such call and is asked once")
    func olderRelease() async throws {
        let world = try World()
        let asked = Lock<[String]>([])
        let group = try EventLoopGroup(count: 1, name: "older")
        defer { group.shutdown() }
        // Release 0.1.0 answers 404 at each path that it does not know.
        let older = try await HTTPServer(
            HTTPService(
                router: Router(),
                refuse: { _, head, _ in
                    asked.withLock { $0.append(head?.path ?? "") }
                    return HTTPResponse(status: 404)
                }), on: group.loops, binding: Loopback.address)
        let entry = Self.entry(1, at: "http://\(older.address)")
        let newer = try await Self.peer(2)
        world.list([entry, Self.entry(2, at: newer.address)])
        for number in [7, 8, 7] {
            await #expect(throws: PeerPages<[UInt8]>.NoAnswer.self) {
                try await world.pages.find(Self.hash(number))
            }
        }
        #expect(asked.withLock { $0 } == [PeerTalk.pagePath])
        #expect(try await world.pages.find(Self.hash(2)) == [2])
        // It has ended.
        world.list([Self.entry(2, at: newer.address)])
        #expect(try await world.pages.find(Self.hash(7)) == nil)
        #expect(world.pages.isRefused(Self.hash(7)))
        #expect(asked.withLock { $0.count } == 1)
    }
}
