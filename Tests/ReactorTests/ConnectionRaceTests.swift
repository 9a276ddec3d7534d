import CLinux
import Glibc
import SocketTesting
import Testing

@testable import Reactor

@Suite("A race of connections")
struct ConnectionRaceTests {
    /// The attempts have more time than a test may take.
    private static let patience = Duration.seconds(3600)

    private enum End: Equatable {
        case connected(String)
        case failed(String, CInt)
    }

    private static func race(_ addresses: [SocketAddress], _ loop: EventLoop) async -> End {
        await withCheckedContinuation { continuation in
            loop.execute {
                ConnectionRace(addresses, on: loop, timeout: patience) { outcome in
                    switch outcome {
                    case .success(let (address, stream)):
                        stream.close()
                        continuation.resume(returning: .connected(address.host))
                    case .failure(let failure):
                        continuation.resume(returning: .failed(failure.address.host, failure.error.code))
                    }
                }
            }
        }
    }

    private static func address(_ host: String, _ port: UInt16) throws -> SocketAddress {
        try #require(SocketAddress(numeric: host, port: port))
    }

    /// Listens at an address, and returns the descriptor and the port.
    private static func listen(_ host: String) throws -> (descriptor: CInt, port: UInt16) {
        let address = try address(host, 0)
        let descriptor = socket(address.family, CInt(SOCK_STREAM.rawValue), 0)
        try system("bind") { address.withSockaddr { bind(descriptor, $0, $1) } }
        try system("listen") { Glibc.listen(descriptor, 8) }
        return (descriptor, try #require(SocketAddress.local(of: descriptor)).port)
    }

    @Test("the families take turns, and otherwise the order stays")
    func alternating() throws {
        let hosts = ["::1", "::2", "::3", "127.0.0.1", "127.0.0.2"]
        let sorted = ConnectionRace.alternating(try hosts.map { try Self.address($0, 1) })
        #expect(sorted.map(\.host) == ["::1", "127.0.0.1", "::2", "127.0.0.2", "::3"])
        #expect(ConnectionRace.alternating([]).isEmpty)
    }

    @Test("the next address is tried at once if one fails, and the last failure is that of all")
    func refused() async throws {
        let group = try EventLoopGroup(count: 1, name: "race")
        defer { group.shutdown() }
        let open = try Self.listen("127.0.0.1")
        defer { close(open.descriptor) }
        let gone = try Self.listen("127.0.0.1")
        close(gone.descriptor)
        let refusing = try ["127.0.0.1", "127.0.0.2"].map { try Self.address($0, gone.port) }
        let all = refusing + [try Self.address("127.0.0.1", open.port)]
        #expect(await Self.race(all, group.loops[0]) == .connected("127.0.0.1"))
        #expect(await Self.race(refusing, group.loops[0]) == .failed("127.0.0.2", ECONNREFUSED))
    }

    @Test(
        "an address whose packets vanish holds up no other", .enabled(if: VanishingNetwork.isPossible),
        .timeLimit(.minutes(5)))
    func vanishing() async throws {
        let group = try EventLoopGroup(count: 1, name: "race")
        defer { group.shutdown() }
        let loop = group.loops[0]
        let isMade = await loop.submit {
            unshare(VanishingNetwork.newNetwork) == 0 && VanishingNetwork.make()
        }
        #expect(isMade)
        let port = try await loop.submit { () -> Result<UInt16, any Error> in
            Result { try Self.listen("127.0.0.1").port }
        }.get()
        let addresses = try [VanishingNetwork.hole, "127.0.0.1"].map { try Self.address($0, port) }
        #expect(await Self.race(addresses, loop) == .connected("127.0.0.1"))
        #expect(await Self.race(addresses.reversed(), loop) == .connected("127.0.0.1"))
    }
}
