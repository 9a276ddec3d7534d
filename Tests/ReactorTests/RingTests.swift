import CLinux
import Glibc
import SocketTesting
import TestKit
import Testing

@testable import Reactor

@Suite("A ring", .enabled(if: EventLoop.Mechanism.here.contains(.uring)))
struct RingTests {
    @Test("that the kernel refuses makes way for epoll, unless nothing else was allowed")
    func refused() throws {
        let refuse = { () throws(SystemError) -> Ring in throw .failed(call: "io_uring_setup", errno: EPERM) }
        #expect(try EventLoop.Mechanism.automatic.ring(refuse) == nil)
        #expect(throws: SystemError.failed(call: "io_uring_setup", errno: EPERM)) {
            try EventLoop.Mechanism.uring.ring(refuse)
        }
        #expect(try EventLoop(name: "tried", .automatic).usesRing)
        #expect(try !EventLoop(name: "tried", .epoll).usesRing)
    }

    @Test("that is full loses nothing: neither requests nor completions nor bytes without a buffer")
    func full() async throws {
        let ring = try Ring(requests: 4, completions: 8, buffers: 4)
        let group = try EventLoopGroup([try EventLoop(name: "small", ring: ring)])
        defer { group.shutdown() }
        let echo = try await EchoServer(on: group.loops[0])
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<40 {
                tasks.addTask {
                    let peer = try await Peer(to: echo.address)
                    let sent = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* (number + 3)) }
                    await peer.send(sent)
                    let heard = try await peer.read(until: "all of it") { $0.count >= sent.count }
                    #expect(heard == sent)
                    await peer.close()
                }
            }
            try await tasks.waitForAll()
        }
        await echo.stop()
    }

    @Test("drops what has completed for a stream that is closed, and lends its buffer again")
    func closedMeanwhile() async throws {
        let ring = try Ring(requests: 16, completions: 32, buffers: 4)
        let group = try EventLoopGroup([try EventLoop(name: "small", ring: ring)])
        defer { group.shutdown() }
        let loop = group.loops[0]
        for _ in 0..<100 {
            // Both are read in one turn. Whichever is told first closes the other, and itself.
            let told = Lock(0)
            let far = try await loop.submit {
                let (one, two) = (try Self.pair(on: loop), try Self.pair(on: loop))
                one.stream.delegate = Closer(one.stream, two.stream, told)
                two.stream.delegate = Closer(two.stream, one.stream, told)
                return [one.far, two.far]
            }
            while told.withLock(\.self) == 0 { await loop.submit {} }
            await loop.submit {}
            #expect(told.withLock(\.self) == 1)
            for descriptor in far { _ = Glibc.close(descriptor) }
        }
    }

    @Test("sends what is written in the last turn of a loop")
    func lastTurn() async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", .uring)
        let far = try await group.loops[0].submit { [loop = group.loops[0]] in
            let pair = try Self.pair(on: loop)
            pair.stream.write(Array("last".utf8))
            loop.stop()
            return pair.far
        }
        group.shutdown()
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(read(far, &bytes, 16) == 4)
        #expect(read(far, &bytes, 16) == 0)
        _ = Glibc.close(far)
    }

    @Test("sends what is written while a loop ends once, behind what its last turn has sent")
    func whileEnding() async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", .uring)
        let far = try await group.loops[0].submit { [loop = group.loops[0]] in
            let pair = try Self.pair(on: loop)
            pair.stream.write(Array("one".utf8))
            loop.stop()
            let stream = LoopBound(pair.stream, to: loop)
            // A turn does no more than sixteen rounds of such work.
            Self.later(20, on: loop) { stream.value.write(Array("two".utf8)) }
            return pair.far
        }
        group.shutdown()
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(far, &bytes, 16)
        #expect(bytes.prefix(max(0, count)).elementsEqual("onetwo".utf8))
        _ = Glibc.close(far)
    }

    /// Has the loop run the body in that many rounds of its work.
    private static func later(_ rounds: Int, on loop: EventLoop, _ body: @escaping @Sendable () -> Void) {
        loop.execute { if rounds == 1 { body() } else { later(rounds - 1, on: loop, body) } }
    }

    /// Returns a stream to which a byte has come, and the far end. Loop only.
    private static func pair(on loop: EventLoop) throws -> (stream: Reactor.Stream, far: CInt) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        try system("socketpair") { socketpair(AF_UNIX, kind, 0, &ends) }
        try system("write") { CInt(write(ends[1], "x", 1)) }
        return (try Reactor.Stream(adopting: OwnedDescriptor(adopting: ends[0]), on: loop), ends[1])
    }

    /// A delegate that closes two streams when bytes come.
    private final class Closer: StreamDelegate {
        private let streams: [Reactor.Stream]
        private let told: Lock<Int>

        init(_ one: Reactor.Stream, _ two: Reactor.Stream, _ told: Lock<Int>) {
            streams = [one, two]
            self.told = told
        }

        func received(_ bytes: inout MutableRawSpan) {
            told.withLock { $0 += 1 }
            for stream in streams { stream.close() }
        }
        func ended() {}
        func failed(_ error: SystemError) {}
        func drained() {}
    }
}
