import Glibc
import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("A request to another server")
struct PeerLinkTests {
    private static func get(_ target: String = "/") -> PeerRequest {
        PeerRequest(method: .get, target: target, host: "other")
    }

    private static func send(
        _ request: PeerRequest, to port: UInt16, timeout: Duration = .seconds(60)
    ) async throws -> PeerResponse {
        let address = try #require(SocketAddress(numeric: "127.0.0.1", port: port))
        return try await PeerLink.send(request, to: address, on: TestLoops.next(), timeout: timeout)
    }

    /// Returns the error of a request to a server that answers so.
    private static func failure(
        of answer: @escaping @Sendable ([UInt8], Reactor.Stream) -> Void, timeout: Duration = .seconds(60)
    ) async throws -> PeerLinkError? {
        let server = try await AnsweringServer(answer)
        return await #expect(throws: PeerLinkError.self) {
            try await send(get(), to: server.port, timeout: timeout)
        }
    }

    @Test("has an answer with its status, fields and body, and the connection ends")
    func answer() async throws {
        let fixture = try await Fixture()
        var request = Self.get("/later/hello")
        request.headers = ["X-Any": "1"]
        let answer = try await Self.send(request, to: fixture.server.address.port)
        #expect(answer.status == 200)
        #expect(answer.body == Array("hello".utf8))
        #expect(answer.headers.first("connection") == "close")
        #expect(answer.link == nil)
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("brings its body, also an empty one", arguments: [0, 1, 60_000])
    func body(count: Int) async throws {
        let fixture = try await Fixture()
        let body = [UInt8](repeating: 0x62, count: count)
        let request = PeerRequest(method: .post, target: "/later-echo", host: "other", body: body)
        let answer = try await Self.send(request, to: fixture.server.address.port)
        #expect(answer.status == 200)
        #expect(answer.body == body)
    }

    @Test("is written as a request of HTTP/1.1, with Host first")
    func written() async throws {
        let seen = Signal<String>()
        let server = try await AnsweringServer { received, stream in
            seen.send(String(decoding: received, as: UTF8.self))
            stream.write(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
        }
        var request = Self.get("/cluster/probe?x=1")
        request.headers = ["Letsswitch-Peer": "a.b", "Connection": "Upgrade", "Upgrade": "websocket"]
        #expect(try await Self.send(request, to: server.port).status == 204)
        let expected =
            "GET /cluster/probe?x=1 HTTP/1.1\r\nHost: other\r\nLetsswitch-Peer: a.b\r\n"
            + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        #expect(await seen.value() == expected)
    }

    @Test("is refused where nothing listens, which is told apart from every other failure")
    func refused() async throws {
        let port = try ReservedPort()
        await #expect(throws: PeerLinkError.refused) { try await Self.send(Self.get(), to: port.number) }
    }

    @Test("fails otherwise where there is no way to the address")
    func unreachable() async throws {
        // The kernel refuses to connect to a broadcast address.
        let address = try #require(SocketAddress(numeric: "255.255.255.255", port: 9))
        let error = await #expect(throws: PeerLinkError.self) {
            try await PeerLink.send(Self.get(), to: address, on: TestLoops.next(), timeout: .seconds(60))
        }
        guard case .unreachable? = error else { return #expect(error == .closed, "it is another error") }
    }

    @Test("says that this process has no descriptor for a connection, and blames no other server")
    func noDescriptor() async throws {
        let server = try await AnsweringServer { _, _ in Issue.record("it was sent") }
        let group = try EventLoopGroup(count: 1, name: "starved")
        defer { group.shutdown() }
        let address = try #require(SocketAddress(numeric: "127.0.0.1", port: server.port))
        for code in [EMFILE, ENFILE] {
            let loop = try #require(group.loops.first)
            #expect(await loop.submit { SocketFailure.begin(with: code) })
            await #expect(throws: PeerLinkError.outOfDescriptors) {
                try await PeerLink.send(Self.get(), to: address, on: loop, timeout: .seconds(60))
            }
        }
    }

    @Test(
        "times out without a whole answer",
        arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"])
    func timedOut(answer: String) async throws {
        let error = try await Self.failure(
            of: { _, stream in stream.write(Array(answer.utf8)) }, timeout: .milliseconds(200))
        #expect(error == .timedOut)
    }

    @Test(
        "fails when the connection ends before the answer does",
        arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"])
    func closed(answer: String) async throws {
        let error = try await Self.failure(of: { _, stream in
            stream.write(Array(answer.utf8))
            stream.finishWriting()
        })
        #expect(error == .closed)
        let closedAtOnce = try await Self.failure(of: { _, stream in stream.close() })
        #expect(closedAtOnce == .closed)
    }

    @Test("has an answer that ends with its connection")
    func untilClose() async throws {
        let server = try await AnsweringServer { _, stream in
            stream.write(Array("HTTP/1.1 200 OK\r\n\r\nabc".utf8))
            stream.finishWriting()
        }
        #expect(try await Self.send(Self.get(), to: server.port).body == Array("abc".utf8))
    }

    @Test(
        "refuses an answer that is none, or beyond a limit",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "\n\n\n\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: 16 * 1024),
            "HTTP/1.1 200 " + String(repeating: "a", count: 16 * 1024),
            "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 65_537),
        ])
    func malformed(answer: String) async throws {
        let error = try await Self.failure(of: { _, stream in stream.write(Array(answer.utf8)) })
        guard case .malformed? = error else { return #expect(error == .closed, "it is another error") }
    }

    @Test("takes a body of exactly the limit")
    func largest() async throws {
        let server = try await AnsweringServer { _, stream in
            stream.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 65536\r\n\r\n".utf8))
            stream.write([UInt8](repeating: 0x61, count: 65_536))
        }
        #expect(try await Self.send(Self.get(), to: server.port).body.count == 65_536)
    }

    @Test("whose task is cancelled ends, with its connection")
    func cancelled() async throws {
        let (begun, release) = (Signal<Void>(), Signal<Void>())
        let fixture = try await Fixture { router, _ in
            router.task(.get, "/slow") { _ in
                begun.send()
                await release.value()
                return HTTPResponse(status: 200)
            }
        }
        let task = Task { try await Self.send(Self.get("/slow"), to: fixture.server.address.port) }
        await begun.value()
        task.cancel()
        await #expect(throws: PeerLinkError.cancelled) { try await task.value }
        release.send()
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("whose task is cancelled already is not sent")
    func cancelledBefore() async throws {
        let server = try await AnsweringServer { _, _ in Issue.record("it was sent") }
        let (cancelled, port) = (Signal<Void>(), server.port)
        let task = Task {
            await cancelled.value()
            return try await Self.send(Self.get(), to: port)
        }
        task.cancel()
        cancelled.send()
        await #expect(throws: PeerLinkError.cancelled) { try await task.value }
    }

    @Test("that switches protocols leaves the connection, paused, with the bytes behind the head")
    func switches() async throws {
        let server = try await AnsweringServer { received, stream in
            let text = String(decoding: received, as: UTF8.self)
            if text.hasSuffix("\r\n\r\n") {
                stream.write(Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nearly".utf8))
            } else if text.hasSuffix("bye") {
                stream.finishWriting()
            }
        }
        let loop = TestLoops.next()
        let address = try #require(SocketAddress(numeric: "127.0.0.1", port: server.port))
        let answer = try await PeerLink.send(Self.get(), to: address, on: loop, timeout: .seconds(60))
        #expect(answer.status == 101)
        #expect(answer.headers.first("upgrade") == "x")
        let link = try #require(answer.link)
        let ended = Signal<Void>()
        let early = await loop.submit { () -> [UInt8] in
            guard let (stream, early, _) = link.take() else { return [] }
            stream.delegate = Ending(stream, ended)
            stream.write(Array("bye".utf8))
            stream.setPaused(false)
            return early
        }
        #expect(early == Array("early".utf8))
        let isFree = await loop.submit { link.take() != nil }
        #expect(!isFree, "it has one owner")
        await ended.value()
    }

    private final class Ending: StreamDelegate {
        private let stream: Reactor.Stream
        private let hasEnded: Signal<Void>

        init(_ stream: Reactor.Stream, _ hasEnded: Signal<Void>) {
            self.stream = stream
            self.hasEnded = hasEnded
        }

        func received(_ bytes: inout MutableRawSpan) {}
        func ended() {
            stream.close()
            hasEnded.send()
        }
        func failed(_ error: SystemError) {}
        func drained() {}
    }

    @Test("closes a connection that is not taken")
    func dropped() async throws {
        let fixture = try await Fixture { router, loops in
            ScriptedSocket.add(to: &router, loops, ScriptedSocket.Observations())
        }
        var request = Self.get("/socket/this")
        request.headers = ["Connection": "Upgrade", "Upgrade": "websocket"]
        do {
            let answer = try await Self.send(request, to: fixture.server.address.port)
            #expect(answer.link != nil)
            #expect(fixture.server.connectionCount == 1)
            withExtendedLifetime(answer) {}
        }
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("probes an idle connection, so that a server that is gone is noticed")
    func probes() async throws {
        let port = Signal<UInt16>()
        let server = try await AnsweringServer { _, stream in
            port.send(stream.peer?.port ?? 0)
            stream.write(Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n".utf8))
        }
        let answer = try await Self.send(Self.get(), to: server.port)
        let local = await port.value()
        let timer = try #require(Self.timer(from: local, to: server.port))
        #expect(timer.hasPrefix("02:"), "it is the timer of keep-alive")
        let hundredths = try #require(timer.split(separator: ":").last.flatMap { Int($0, radix: 16) })
        #expect(hundredths <= 200)
        withExtendedLifetime(answer) {}
    }

    /// Returns the kind and the rest of a connection's timer, as the kernel prints it.
    private static func timer(from local: UInt16, to remote: UInt16) -> String? {
        func hex(_ port: UInt16) -> String {
            let text = String(port, radix: 16, uppercase: true)
            return ":" + String(repeating: "0", count: 4 - text.count) + text
        }
        let file = open("/proc/net/tcp", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var table: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = read(file, &buffer, buffer.count), count > 0 { table += buffer[..<count] }
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n") {
            let columns = line.split(separator: " ")
            if columns.count > 5, columns[1].hasSuffix(hex(local)), columns[2].hasSuffix(hex(remote)) {
                return String(columns[5])
            }
        }
        return nil
    }
}
