import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing
import WebSocket

@Suite("A relay to another server")
struct RelayTests {
    private static let largest = 48 * 1024 * 1024

    private static func back() async throws -> (fixture: Fixture, details: ScriptedSocket.Observations) {
        let details = ScriptedSocket.Observations()
        let fixture = try await Fixture { ScriptedSocket.add(to: &$0, $1, details) }
        return (fixture, details)
    }

    @Test("carries messages, pings and the goodbye of both sides", arguments: [0, 1])
    func whole(loop: Int) async throws {
        let (back, details) = try await Self.back()
        let budget = DescriptorBudget()
        let relay = try await RelayFixture(
            to: back.server.address, descriptors: DescriptorBudget.Share(of: budget, for: .tunnels))
        let peer = try await relay.front.connect()
        let long = String(repeating: "l", count: 4096)
        // The first frames are there before the other server has answered.
        await peer.send(
            RelayFixture.upgrade(loop: loop) + Frames.text("a") + Frames.masked(.ping, Array("p".utf8)))
        _ = try await peer.read(until: "the pong") { $0.suffix(3) == [0x8A, 0x01, 0x70] }
        #expect(relay.front.server.relayCount == 1)
        #expect(relay.front.server.connectionCount == 1)
        #expect(budget.held[.tunnels] == 1)
        #expect(back.server.relayCount == 0)
        await peer.send(Frames.text(long) + Frames.text("b") + Frames.close(.normal))
        let bytes = try await peer.readToEnd()
        let heard = try Frames.read(bytes)
        #expect(heard.status == 101)
        #expect(heard.frames == ["hello", "a", "pong p", long, "b", "close 1000"])
        let head = String(decoding: bytes.prefix(300), as: UTF8.self)
        #expect(head.contains("X-From: front") && head.contains("X-Request-Id"))
        await details.closed.value()
        await peer.close()
        #expect(await relay.isEmpty())
        while budget.held[.tunnels] != 0 { await Task.yield() }
        #expect(await back.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("carries much in both directions at once")
    func large() async throws {
        let pair = try await RelayedPair()
        let (up, down) = (RelayedPair.bytes(9_000_001), RelayedPair.bytes(8_000_003))
        await pair.client.send(up)
        await pair.server.send(down)
        let upward = try await pair.server.read(until: "all of it") { $0.count >= up.count }
        let downward = try await pair.client.read(until: "all of it") { $0.count >= down.count }
        #expect(upward == up)
        #expect(downward == down)
    }

    @Test("pushes back on a sender whose reader is slow, in each direction", arguments: [true, false])
    func slowReader(isUpward: Bool) async throws {
        let pair = try await RelayedPair()
        let (sender, reader) = isUpward ? (pair.client, pair.server) : (pair.server, pair.client)
        let bytes = RelayedPair.bytes(Self.largest)
        await reader.pause()
        await sender.send(bytes)
        // The kernel has buffers of some megabytes on each of the two connections; the rest stays.
        let unsent = await pair.settle(sender)
        #expect(unsent > Self.largest / 3)
        #expect(unsent < Self.largest)
        // The other direction is not held up.
        await reader.send("still here")
        try await sender.take(until: "still here")
        await reader.resume()
        let heard = try await reader.read(until: "all of it") { $0.count >= Self.largest }
        #expect(heard == bytes)
        // It goes on as before.
        await reader.send("and")
        try await sender.take(until: "and")
        await sender.send("after")
        let all = try await reader.read(until: "more") { $0.count >= Self.largest + 5 }
        #expect(all.suffix(5) == Array("after".utf8))
    }

    @Test("passes the end of one side on, and the other side's answer to it", arguments: [true, false])
    func halfClose(isUpward: Bool) async throws {
        let pair = try await RelayedPair(timeless: true)
        let (first, second) = isUpward ? (pair.client, pair.server) : (pair.server, pair.client)
        let (question, answer) = (RelayedPair.bytes(3_000_000), RelayedPair.bytes(2_000_000))
        await first.send(question)
        await first.finish()
        #expect(try await second.readToEnd() == question)
        #expect(pair.fixture.front.server.relayCount == 1)
        await second.send(answer)
        await second.finish()
        #expect(try await first.readToEnd() == answer)
        #expect(await pair.fixture.isEmpty())
    }

    @Test(
        "loses nothing of a side that ends while the other, which has ended, is slow",
        arguments: [1, 2, 4, 6, 8, 12])
    func slowAnswer(megabytes: Int) async throws {
        let pair = try await RelayedPair()
        let answer = RelayedPair.bytes(megabytes * 1_000_000)
        await pair.client.pause()
        await pair.client.finish()
        _ = try await pair.server.readToEnd()
        await pair.server.send(answer)
        await pair.server.finish()
        _ = await pair.settle(pair.server)
        await pair.client.resume()
        #expect(try await pair.client.readToEnd() == answer)
        #expect(await pair.fixture.isEmpty())
    }

    @Test("ends the other side when one is reset", arguments: [true, false])
    func reset(isClient: Bool) async throws {
        let pair = try await RelayedPair()
        let (broken, other) = isClient ? (pair.client, pair.server) : (pair.server, pair.client)
        await broken.pause()
        await other.send("it is never read")
        await other.waitUntilSent()
        await pair.fixture.front.catchUp()
        await broken.send("last words")
        await broken.waitUntilSent()
        // With unread input the socket is reset.
        await broken.close()
        let heard = try await other.readToEnd()
        #expect(Array("last words".utf8).starts(with: heard))
        await other.close()
        #expect(await pair.fixture.isEmpty())
    }

    @Test(
        "counts from its first bytes in the memory budget, those that came before the other server answered")
    func firstBytes() async throws {
        let listener = try Listener(binding: Loopback.address)
        let relay = try await RelayFixture(to: listener.address)
        let peer = try await relay.front.connect()
        await peer.send(RelayFixture.upgrade() + RelayedPair.bytes(16_000))
        let server = try await Peer(accepting: listener)
        try await server.take(until: "\r\n\r\n")
        await peer.waitUntilSent()
        await relay.front.catchUp()
        await server.send(RelayedPair.answer)
        #expect(await relay.events.held.value() > 1_024)
        _ = try await server.read(until: "all of it") { $0.count >= 16_000 }
        try await eventually(equals: 0) { relay.front.server.memory.held }
        await peer.close()
        await server.close()
    }

    @Test("counts nothing for a side that is gone")
    func goneSide() async throws {
        let pair = try await RelayedPair(timeless: true)
        await pair.server.pause()
        await pair.client.send(RelayedPair.bytes(Self.largest))
        try await eventually(atLeast: 64 * 1024) { pair.fixture.front.server.memory.held }
        // Its unread bytes reset the connection.
        await pair.server.close()
        try await eventually(equals: 0) { pair.fixture.front.server.memory.held }
        #expect(pair.fixture.front.server.relayCount == 1)
        await pair.client.close()
        #expect(await pair.fixture.isEmpty())
    }

    @Test("ends both sides though one does not close", arguments: [true, false])
    func resetUnanswered(isClient: Bool) async throws {
        let pair = try await RelayedPair(timeless: true)
        let (broken, other) = isClient ? (pair.client, pair.server) : (pair.server, pair.client)
        await broken.pause()
        await other.send("it is never read")
        await pair.fixture.front.pass(.zero, after: other)
        await broken.close()
        _ = try await other.readToEnd()
        #expect(pair.fixture.front.server.relayCount == 1)
        await pair.fixture.front.pass(.seconds(2))
        #expect(await pair.fixture.isEmpty())
    }

    @Test("has limited time after the client has ended, and what comes meanwhile does not prolong it")
    func lingering() async throws {
        let pair = try await RelayedPair(timeless: true)
        await pair.client.finish()
        _ = try await pair.server.readToEnd()
        await pair.fixture.front.pass(.seconds(119))
        await pair.server.send("a")
        try await pair.client.take(until: "a")
        await pair.fixture.front.pass(.seconds(1))
        _ = try await pair.client.readToEnd()
        #expect(await pair.fixture.isEmpty())
    }

    @Test("waits only briefly for the end of a client that was sent everything")
    func unansweredEnd() async throws {
        let pair = try await RelayedPair(timeless: true)
        await pair.server.send("a")
        await pair.server.finish()
        #expect(try await pair.client.readToEnd() == Array("a".utf8))
        await pair.client.send("b")
        try await pair.server.take(until: "b")
        #expect(pair.fixture.front.server.relayCount == 1)
        await pair.fixture.front.pass(.seconds(2))
        #expect(await pair.fixture.isEmpty())
    }

    @Test(
        "gives up a client that takes nothing for as long as a silent one may be there",
        arguments: [(nil, 50), (.seconds(6), 15), (.seconds(60), 150)] as [(Duration?, Int)])
    func stalled(ping: Duration?, seconds: Int) async throws {
        let pair = try await RelayedPair(timeless: true, SocketTuning(pingInterval: ping))
        await pair.client.pause()
        await pair.server.send(RelayedPair.bytes(Self.largest))
        #expect(await pair.settle(pair.server) < Self.largest)
        await pair.fixture.front.pass(.seconds(seconds - 1))
        await pair.fixture.front.catchUp()
        #expect(pair.fixture.front.server.relayCount == 1)
        await pair.fixture.front.pass(.seconds(1))
        _ = try await pair.server.readToEnd()
        #expect(await pair.fixture.isEmpty())
        #expect(pair.fixture.front.server.limitCounts == [.slowConsumer: 1])
    }

    @Test("passes on what came before the 101, in both directions, before anything later")
    func early() async throws {
        let release = Signal<Void>()
        let listener = try Listener(binding: Loopback.address)
        let relay = try await RelayFixture(to: listener.address, after: release)
        let client = try await relay.front.connect()
        let early = RelayedPair.bytes(300_000)
        await client.send(RelayFixture.upgrade() + early)
        let server = try await Peer(accepting: listener)
        try await server.take(until: "\r\n\r\n")
        await server.send(RelayedPair.answer + "behind the head")
        await relay.events.linked.value()
        await server.send(" and later")
        release.send()
        #expect(await relay.events.relayed.value())
        await client.finish()
        #expect(try await server.readToEnd() == early)
        await server.finish()
        let heard = String(decoding: try await client.readToEnd(), as: UTF8.self)
        #expect(heard.hasSuffix("\r\n\r\nbehind the head and later"))
        #expect(await relay.isEmpty())
    }

    @Test("is refused when the link has ended meanwhile")
    func linkGone() async throws {
        let listener = try Listener(binding: Loopback.address)
        let relay = try await RelayFixture(to: listener.address, spoilsLink: true)
        let client = try await relay.front.connect()
        await client.send(RelayFixture.upgrade())
        let server = try await Peer(accepting: listener)
        await server.send(RelayedPair.answer)
        #expect(await relay.events.relayed.value() == false)
        #expect(try Response.read(try await client.readToEnd()).map(\.status) == [503])
        _ = try await server.readToEnd()
        #expect(await relay.isEmpty())
    }

    @Test("ends the link when the client has gone meanwhile")
    func clientGone() async throws {
        let release = Signal<Void>()
        let listener = try Listener(binding: Loopback.address)
        let relay = try await RelayFixture(to: listener.address, after: release)
        let client = try await relay.front.connect()
        await client.send(RelayFixture.upgrade())
        let server = try await Peer(accepting: listener)
        await server.send(RelayedPair.answer)
        await relay.events.linked.value()
        await client.close()
        #expect(await relay.isEmpty())
        release.send()
        #expect(await relay.events.relayed.value())
        _ = try await server.readToEnd()
        #expect(relay.front.server.relayCount == 0)
    }

    @Test("ends on both sides when its server drains, behind the last whole frame")
    func drain() async throws {
        let (back, details) = try await Self.back()
        let relay = try await RelayFixture(to: back.server.address)
        let peer = try await relay.front.connect()
        await peer.send(RelayFixture.upgrade() + Frames.text("a"))
        _ = try await peer.read(until: "the echo") { $0.suffix(3) == [0x81, 0x01, 0x61] }
        await relay.front.server.drain()
        await details.closed.value()
        #expect(try Frames.read(try await peer.readToEnd()).frames == ["hello", "a"])
        await peer.close()
        #expect(await relay.isEmpty())
    }

    @Test("ends so, too, when it begins while its server drains")
    func drainingAlready() async throws {
        let release = Signal<Void>()
        let (back, details) = try await Self.back()
        let relay = try await RelayFixture(to: back.server.address, after: release)
        let peer = try await relay.front.connect()
        await peer.send(RelayFixture.upgrade() + Frames.text("a"))
        await relay.events.linked.value()
        await relay.front.server.drain()
        release.send()
        await details.closed.value()
        #expect(try Frames.read(try await peer.readToEnd()).frames == ["hello", "a"])
        await peer.close()
        #expect(await relay.isEmpty())
    }

    @Test("ends so though neither side answers")
    func drainUnanswered() async throws {
        let pair = try await RelayedPair(timeless: true)
        await pair.fixture.front.server.drain()
        _ = try await pair.server.readToEnd()
        await pair.client.send("too late")
        await pair.fixture.front.pass(.seconds(2), after: pair.client)
        _ = try await pair.client.readToEnd()
        #expect(await pair.fixture.isEmpty())
    }
}
