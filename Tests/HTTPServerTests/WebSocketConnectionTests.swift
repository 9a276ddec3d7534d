import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing
import WebSocket

@Suite("WebSockets of a server")
struct WebSocketConnectionTests {
    private static let upgrade = request("GET /socket/other", "Connection: Upgrade", "Upgrade: websocket")

    private struct Room {
        let fixture: Fixture
        let details: ScriptedSocket.Observations
    }

    private func room(
        _ opening: ScriptedSocket.Opening = .atOnce,
        _ configuration: HTTPServerConfiguration = HTTPServerConfiguration.patient
    ) async throws -> Room {
        let details = ScriptedSocket.Observations()
        let fixture = try await Fixture(configuration) { router, loops in
            ScriptedSocket.add(to: &router, loops, details, opening)
        }
        return Room(fixture: fixture, details: details)
    }

    private func isEmpty(_ room: Room) async -> Bool {
        await room.fixture.server.waitUntilEmpty(timeout: .seconds(60))
    }

    /// Sends the frames behind the handshake, in one piece, then a close; returns the frames that were
    /// received.
    private func talk(_ room: Room, upgrade: String = upgrade, _ frames: [UInt8]...) async throws -> [String]
    {
        let peer = try await room.fixture.connect()
        await peer.send(Array(upgrade.utf8) + frames.joined())
        let (status, heard) = try Frames.read(try await peer.readToEnd())
        #expect(status == 101)
        return heard
    }

    @Test(
        "frames behind the handshake follow it to another loop, in order",
        arguments: ["this", "other", "0", "1"])
    func pipelined(loop: String) async throws {
        let room = try await room()
        let upgrade = Self.upgrade.replacing("/other", with: "/\(loop)")
        let heard = try await talk(
            room, upgrade: upgrade, Frames.text("a"), Frames.masked(.ping, Array("p".utf8)), Frames.text("b"),
            Frames.close(.normal))
        #expect(heard == ["hello", "a", "pong p", "b", "close 1000"])
        await room.details.closed.value()
        #expect(await isEmpty(room))
    }

    @Test("so do the answers to requests before it")
    func behindRequests() async throws {
        let room = try await room()
        let peer = try await room.fixture.connect()
        let text = request("GET /now/first") + request("GET /later/second") + Self.upgrade
        await peer.send(Array(text.utf8) + Frames.text("a") + Frames.close(nil))
        let bytes = try await peer.readToEnd()
        let switching = try #require(bytes.firstRange(of: Array("HTTP/1.1 101".utf8)))
        #expect(try Response.read(Array(bytes[..<switching])).map(\.text) == ["first", "second"])
        #expect(try Frames.read(Array(bytes[switching...])).frames == ["hello", "a", "close 0"])
    }

    @Test("frames that come before a late 101 are read after it, in order")
    func acceptedLate() async throws {
        let accepted = Signal<Void>()
        let room = try await room(.after(accepted))
        let peer = try await room.fixture.connect()
        await peer.send(Array(Self.upgrade.utf8) + Frames.text("a"))
        for number in 0..<50 { await peer.send(Frames.text("\(number)")) }
        await peer.send(Frames.close(.normal))
        accepted.send()
        let heard = try Frames.read(try await peer.readToEnd()).frames
        #expect(heard == ["hello", "a"] + (0..<50).map(String.init) + ["close 1000"])
    }

    @Test("who leaves before the 101 is not let in")
    func gone() async throws {
        let accepted = Signal<Void>()
        let room = try await room(.after(accepted))
        let peer = try await room.fixture.connect()
        await peer.send(Self.upgrade)
        await room.details.asked.value()
        await peer.close()
        #expect(await isEmpty(room))
        accepted.send()
        #expect(await room.details.accepted.value() == false)
    }

    @Test("a refusal is an answer of HTTP, whatever the client has sent already")
    func refused() async throws {
        let room = try await room(.refused)
        let peer = try await room.fixture.connect()
        await peer.send(Array(Self.upgrade.utf8) + Frames.text("a"))
        let responses = try Response.read(try await peer.readToEnd())
        #expect(responses.map(\.status) == [410])
        #expect(responses.first?.text == "id 36")
        #expect(responses.first?.head.headers.first("connection") == "close")
    }

    @Test("closed before it is accepted, a connection ends without a frame")
    func closedUnaccepted() async throws {
        let room = try await room(.closed)
        let peer = try await room.fixture.connect()
        await peer.send(Self.upgrade)
        #expect(try await peer.readToEnd() == [])
        #expect(await isEmpty(room))
    }

    @Test("the server's goodbye waits for the client's, and the handler hears nothing more")
    func serverCloses() async throws {
        let room = try await room()
        let peer = try await room.fixture.connect()
        await peer.send(Array(Self.upgrade.utf8) + Frames.text("bye 4200") + Frames.text("too late"))
        try await peer.take(until: "told to")
        await peer.send(Frames.close(CloseCode(rawValue: 4200)))
        #expect(try await peer.readToEnd() == [])
        #expect(await isEmpty(room))
    }

    @Test("a client that closes in the same moment is sent the server's goodbye all the same")
    func bothClose() async throws {
        let room = try await room()
        let heard = try await talk(room, Frames.text("a"), Frames.text("bye 4200"), Frames.close(.normal))
        #expect(heard.prefix(2) == ["hello", "a"])
        #expect(heard.last?.hasPrefix("close 4200") == true, "\(heard)")
        #expect(await isEmpty(room))
    }

    @Test("one that comes to an idle loop while the server drains has its time-outs, too")
    func comesWhileDraining() async throws {
        let (asked, opened) = (Signal<EventLoop>(), Signal<Void>())
        let release = Signal<Void>()
        let fixture = try await Fixture.timeless { router, loops in
            router.task(.get, "/slow") { request in
                let other = loops.first { $0 !== request.loop } ?? request.loop
                asked.send(other)
                await release.value()
                return HTTPResponse(
                    upgrade: Upgrade(to: other, headers: HTTPHeaders()) { _ in
                        opened.send()
                        return nil
                    })
            }
        }
        let peer = try await fixture.connect()
        await peer.send(request("GET /slow", "Connection: Upgrade", "Upgrade: websocket"))
        let other = await asked.value()
        await fixture.server.drain()
        // The check of time-outs that is due next comes before this.
        await withCheckedContinuation { due in
            other.execute { other.schedule(after: .milliseconds(251)) { due.resume() } }
        }
        release.send()
        await opened.value()
        await fixture.pass(.seconds(3600), after: peer)
        #expect(try await peer.readToEnd() == [])
    }

    @Test(
        "what breaks the protocol is answered with its code, and ends",
        arguments: [
            ([0x81, 0x01, 0x61] as [UInt8], 1002), (Frames.masked(.continuation), 1002),
            (Frames.masked(.text, [0xff]), 1007),
            (Frames.masked(.text, [UInt8](repeating: 0x61, count: 4097)), 1009),
        ])
    func broken(frame: [UInt8], code: Int) async throws {
        let room = try await room()
        let heard = try await talk(room, Frames.text("a"), frame, Frames.text("never read"))
        #expect(heard.prefix(2) == ["hello", "a"])
        #expect(heard.count == 3)
        #expect(heard.last?.hasPrefix("close \(code)") == true)
        await room.details.closed.value()
    }

    @Test("a peer that is killed is told to the handler once")
    func reset() async throws {
        let room = try await room()
        let peer = try await room.fixture.connect()
        await peer.send(Self.upgrade)
        try await peer.take(until: "hello")
        await peer.pause()
        await peer.send(Frames.text("an answer that nobody reads"))
        await peer.close()
        await room.details.closed.value()
        #expect(await isEmpty(room))
    }

    @Test("a silent peer is pinged, and given up after two and a half pings")
    func heartbeat() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.pingInterval = .milliseconds(200)
        let room = try await room(.atOnce, configuration)
        let peer = try await room.fixture.connect()
        await peer.send(Self.upgrade)
        let heard = try Frames.read(try await peer.readToEnd()).frames
        #expect(heard.first == "hello")
        #expect(heard.contains("ping"))
        #expect(heard.last == "close 1008 no answer to a ping")
        await room.details.closed.value()
        #expect(await isEmpty(room))
    }

    @Test("so is one who is gone while the kernel is full of what it never took")
    func heartbeatUnread() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.pingInterval = .milliseconds(400)
        let room = try await room(.atOnce, configuration)
        let peer = try await room.fixture.connect()
        await peer.send(Self.upgrade)
        try await peer.take(until: "hello")
        await peer.pause()
        await peer.send(Frames.text("fill"))
        await room.details.filled.value()
        await room.details.closed.value()
        #expect(await isEmpty(room))
        #expect(room.fixture.server.limitCounts == [.silent: 1])
    }

    @Test("what waits for a slow reader is bounded, and it is told so")
    func overflow() async throws {
        let room = try await room()
        let peer = try await room.fixture.connect()
        await peer.send(Array(Self.upgrade.utf8) + Frames.text("flood 300000"))
        let heard = try Frames.read(try await peer.readToEnd()).frames
        #expect(heard == ["hello", "close 1008 slow consumer"])
        #expect(room.fixture.server.limitCounts == [.slowConsumer: 1])
        await room.details.closed.value()
        #expect(await isEmpty(room))
    }

    @Test("much at once is no overflow for one who reads")
    func burst() async throws {
        let room = try await room()
        let heard = try await talk(room, Frames.text("many 1000"), Frames.close(.normal))
        #expect(heard.count == 1002)
        #expect(heard.last == "close 1000")
        #expect(heard.dropLast().last?.hasPrefix("999 m") == true)
    }

    @Test("a reader that never reads ends within the bound and the patience")
    func neverReads() async throws {
        let room = try await room()
        let peer = try await room.fixture.connect()
        await peer.send(Self.upgrade)
        try await peer.take(until: "hello")
        await peer.pause()
        for _ in 0..<200 { await peer.send(Frames.text("flood 100000")) }
        await room.details.closed.value()
        #expect(await isEmpty(room))
    }
}
