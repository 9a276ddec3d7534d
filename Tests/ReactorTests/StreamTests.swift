import CLinux
import Glibc
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("A stream")
struct StreamTests {
    /// A stream of the test's own on one end, and a peer on the other. Loop only, but for the signals.
    private final class Recorder: StreamDelegate, Sendable {
        let hasEnded = Signal<Void>()
        let hasFailed = Signal<Int32>()
        let hasDrained = Signal<Void>()
        let bytes = Lock<[UInt8]>([])

        func received(_ bytes: inout MutableRawSpan) {
            let copy = bytes.withUnsafeBytes { Array($0) }
            self.bytes.withLock { $0 += copy }
        }
        func ended() { hasEnded.send() }
        func failed(_ error: SystemError) { hasFailed.send(error.code) }
        func drained() { hasDrained.send() }
    }

    private struct Pair {
        let stream: LoopBound<Reactor.Stream>
        let recorder: Recorder
        let peer: Peer
    }

    private func pair(on loop: EventLoop) async throws -> Pair {
        let recorder = Recorder()
        let accepted = Signal<LoopBound<Reactor.Stream>>()
        let listener = try Listener(binding: Loopback.address)
        let acceptor = try await loop.submit {
            LoopBound(
                try Acceptor(listener, on: loop) { descriptor in
                    guard let stream = try? Reactor.Stream(adopting: descriptor, on: loop) else { return }
                    stream.delegate = recorder
                    accepted.send(LoopBound(stream, to: loop))
                }, to: loop)
        }
        let peer = try await Peer(to: listener.address)
        let stream = await accepted.value()
        await loop.submit { acceptor.value.stop() }
        return Pair(stream: stream, recorder: recorder, peer: peer)
    }

    private func detach(_ pair: Pair, on loop: EventLoop) async -> Reactor.Stream.Detached? {
        let detached = Signal<Reactor.Stream.Detached?>()
        await loop.submit { pair.stream.value.detach { detached.send($0) } }
        return await detached.value()
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    @Test(
        "brings back every byte, in order, however slowly they are read", arguments: EventLoop.Mechanism.here)
    func echo(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let echo = try await EchoServer(on: group.loops[0])
        let peer = try await Peer(to: echo.address)
        let sent = Self.bytes(3_000_000)
        await peer.pause()
        await peer.send(sent)
        await peer.resume()
        let heard = try await peer.read(until: "all of it") { $0.count >= sent.count }
        #expect(heard == sent)
        await echo.stop()
    }

    /// A delegate that keeps the number of bytes.
    private final class Counter: StreamDelegate, Sendable {
        let count = Lock(0)
        let changes = Lock(0)
        let hasEnded = Signal<Bool>()

        func received(_ bytes: inout MutableRawSpan) {
            let more = bytes.byteCount
            count.withLock { $0 += more }
        }
        func ended() { hasEnded.send(true) }
        func failed(_ error: SystemError) { hasEnded.send(false) }
        func drained() {}
        func heldBytesChanged() { changes.withLock { $0 += 1 } }
    }

    @Test(
        "what came during a pause is read after it, also when both sides have ended by then",
        arguments: EventLoop.Mechanism.here)
    func pausedEnd(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let pair = try await pair(on: loop)
        let counter = Counter()
        await loop.submit {
            pair.stream.value.delegate = counter
            pair.stream.value.setPaused(true)
            pair.stream.value.finishWriting()
        }
        _ = try await pair.peer.readToEnd()
        await pair.peer.send(Self.bytes(40_000))
        await pair.peer.waitUntilSent()
        await pair.peer.close()
        // The kernel reports the hang-up, and the loop does not turn in circles because of it.
        let waited = Signal<UInt64>()
        await loop.submit {
            let turn = loop.turn
            loop.schedule(after: .milliseconds(100)) { waited.send(loop.turn - turn) }
        }
        #expect(await waited.value() < 20)
        let isOpen = await loop.submit { pair.stream.value.isOpen }
        #expect(isOpen)
        await loop.submit { pair.stream.value.setPaused(false) }
        #expect(await counter.hasEnded.value())
        #expect(counter.count.withLock(\.self) == 40_000)
        await loop.submit { pair.stream.value.close() }
    }

    @Test("what arrives after a ring's stream was paused counts, until it is delivered")
    func heldInput() async throws {
        guard EventLoop.Mechanism.here.contains(.uring) else { return }
        let group = try EventLoopGroup(count: 1, name: "tested", .uring)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let pair = try await pair(on: loop)
        let counter = Counter()
        await loop.submit {
            pair.stream.value.delegate = counter
            pair.stream.value.setPaused(true)
        }
        await pair.peer.send(Self.bytes(600))
        try await eventually(equals: 600) { await loop.submit { pair.stream.value.heldBytes } }
        #expect(counter.changes.withLock(\.self) > 0)
        await loop.submit { pair.stream.value.setPaused(false) }
        try await eventually(equals: 600) { counter.count.withLock(\.self) }
        #expect(await loop.submit { pair.stream.value.heldBytes } == 0)
        await loop.submit { pair.stream.value.close() }
        await pair.peer.close()
    }

    @Test("a half that was closed can still be answered", arguments: EventLoop.Mechanism.here)
    func halfClose(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let echo = try await EchoServer(on: group.loops[0])
        let peer = try await Peer(to: echo.address)
        await peer.send("question ")
        await peer.finish()
        #expect(try await peer.readToEnd() == Array("question goodbye".utf8))
    }

    @Test("what was written leaves before the end that follows it", arguments: EventLoop.Mechanism.here)
    func finishWriting(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let pair = try await pair(on: loop)
        let sent = Self.bytes(16_000_000)
        await pair.peer.pause()
        let left = await loop.submit {
            pair.stream.value.write(sent)
            pair.stream.value.finishWriting()
            return pair.stream.value.pendingBytes
        }
        #expect(left > 0, "more than the kernel takes at once, or the test says nothing")
        await pair.peer.resume()
        #expect(try await pair.peer.readToEnd() == sent)
        await pair.recorder.hasDrained.value()
    }

    @Test("a reset is told once, and closes", arguments: EventLoop.Mechanism.here)
    func reset(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let pair = try await pair(on: loop)
        await pair.peer.pause()
        await loop.submit { pair.stream.value.write(Self.bytes(100_000)) }
        await pair.recorder.hasDrained.value()
        await pair.peer.close()
        let code = await pair.recorder.hasFailed.value()
        #expect(code == ECONNRESET || code == EPIPE)
        let isOpen = await loop.submit {
            pair.stream.value.write([1, 2, 3])  // Nothing happens.
            return pair.stream.value.isOpen
        }
        #expect(!isOpen)
    }

    @Test("a reset is noticed while nothing is read", arguments: EventLoop.Mechanism.here)
    func resetWhilePaused(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let pair = try await pair(on: loop)
        await pair.peer.pause()
        await loop.submit {
            pair.stream.value.setPaused(true)
            pair.stream.value.write([1])
        }
        await pair.recorder.hasDrained.value()
        await pair.peer.close()
        _ = await pair.recorder.hasFailed.value()
    }

    @Test("moves to another loop with what has not been read", arguments: EventLoop.Mechanism.here)
    func moves(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 2, name: "tested", mechanism)
        defer { group.shutdown() }
        let (first, second) = (group.loops[0], group.loops[1])
        let pair = try await pair(on: first)
        await first.submit { pair.stream.value.setPaused(true) }
        await pair.peer.send("late")
        await pair.peer.finish()
        let detached = try #require(await detach(pair, on: first))
        let recorder = Recorder()
        let moved = try await second.submit {
            let descriptor = OwnedDescriptor(adopting: detached.descriptor)
            let stream = try Reactor.Stream(adopting: descriptor, on: second)
            stream.delegate = recorder
            return LoopBound(stream, to: second)
        }
        await recorder.hasEnded.value()
        #expect(detached.bytes + recorder.bytes.withLock(\.self) == Array("late".utf8))
        await second.submit {
            moved.value.write(Array("moved".utf8))
            moved.value.finishWriting()
        }
        #expect(try await pair.peer.readToEnd() == Array("moved".utf8))
        await second.submit { moved.value.close() }
    }

    @Test("what waits to be sent keeps it from moving", arguments: EventLoop.Mechanism.here)
    func staysWhilePending(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let pair = try await pair(on: loop)
        await loop.submit { pair.stream.value.write([1]) }
        await loop.submit {
            pair.stream.value.write([2])
            pair.stream.value.detach { #expect($0 == nil) }
            pair.stream.value.delegate = pair.recorder
        }
        #expect(try await pair.peer.read(until: "the bytes") { $0.count == 2 } == [1, 2])
    }

    @Test(
        "a hang-up that was reported before it was resumed leaves what the peer has sent",
        arguments: EventLoop.Mechanism.here)
    func lateHangUp(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let pair = try await pair(on: loop)
        await loop.submit {
            pair.stream.value.setPaused(true)
            pair.stream.value.finishWriting()
        }
        await pair.peer.send(Self.bytes(100))
        await pair.peer.waitUntilSent()
        await pair.peer.close()
        await loop.submit {
            pair.stream.value.setPaused(false)
            pair.stream.value.ready(.hangUp)
        }
        await pair.recorder.hasEnded.value()
        #expect(pair.recorder.bytes.withLock { $0 } == Self.bytes(100))
    }

    @Test(
        "makes room at once where it is asked to, in the middle of a turn",
        arguments: EventLoop.Mechanism.here)
    func push(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let pair = try await pair(on: loop)
        let (before, after) = await loop.submit {
            pair.stream.value.write(Self.bytes(10_000))
            let before = pair.stream.value.pendingBytes
            pair.stream.value.push()
            return (before, pair.stream.value.pendingBytes)
        }
        #expect(before == 10_000)
        #expect(after == 0)
        await loop.submit { pair.stream.value.write([7]) }
        let heard = try await pair.peer.read(until: "all") { $0.count == 10_001 }
        #expect(heard == Self.bytes(10_000) + [7])
    }
}
