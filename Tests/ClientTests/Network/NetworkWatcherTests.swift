import CLinux
import Glibc
import Reactor
import Testing

@testable import Client

@Suite("A watch on the network")
struct NetworkWatcherTests {
    /// The flag CLONE_NEWNET.
    private static let newNetwork: CInt = 0x4000_0000

    /// Whether a thread may have a network namespace of its own, which only root may in most places.
    private static let canHaveOne: Bool = {
        guard let group = try? EventLoopGroup(count: 1, name: "network") else { return false }
        defer { group.shutdown() }
        return group.loops[0].runAndWait { unshare(newNetwork) == 0 }
    }()

    /// Gives the loopback interface of the thread's network namespace an address, which also brings it up.
    private static func addAddress(_ address: [UInt8]) -> Bool {
        // struct ifreq: a name, and a struct sockaddr_in.
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<2, with: "lo".utf8)
        request[16] = UInt8(AF_INET)
        request.replaceSubrange(20..<24, with: address)
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        let setAddress: UInt = 0x8916  // SIOCSIFADDR
        return ioctl(descriptor, setAddress, &request) == 0
    }

    @Test("begins wherever the kernel lets it")
    func begins() async throws {
        let group = try EventLoopGroup(count: 1, name: "network")
        let loop = group.loops[0]
        try await loop.submit { () throws(SystemError) in
            let watcher = try NetworkWatcher(on: loop) {}
            watcher.stop()
        }
        group.shutdown()
    }

    @Test(
        "hears of a new address, once for all the messages that makes",
        .enabled(if: canHaveOne, "this needs root, for a network of its own"), .timeLimit(.minutes(5)))
    func hears() async throws {
        let group = try EventLoopGroup(count: 1, name: "network")
        let loop = group.loops[0]
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        try await loop.submit { () throws(SystemError) in
            try system("unshare") { unshare(Self.newNetwork) }
            _ = try NetworkWatcher(on: loop) { continuation.yield() }
        }
        var iterator = changes.makeAsyncIterator()
        for last in 1...2 as ClosedRange<UInt8> {
            let isAdded = await loop.submit { Self.addAddress([10, 1, 2, last]) }
            #expect(isAdded)
            await iterator.next()
        }
        group.shutdown()
    }
}
