import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing
import WebSocket

@Suite("WebSockets with wishes of their own")
struct SocketTuningTests {
    private static let upgrade = request("GET /socket/other", "Connection: Upgrade", "Upgrade: websocket")

    private func open(
        _ tuning: SocketTuning, timeless: Bool = false
    ) async throws -> (fixture: Fixture, peer: Peer, details: ScriptedSocket.Observations) {
        let details = ScriptedSocket.Observations()
        var configuration = HTTPServerConfiguration.patient
        configuration.pingInterval = .seconds(60)
        let routes: (inout Router, [EventLoop]) -> Void = { router, loops in
            ScriptedSocket.add(to: &router, loops, details, .tuned(tuning))
        }
        let fixture =
            timeless
            ? try await Fixture.timeless(configuration, routes) : try await Fixture(configuration, routes)
        let peer = try await fixture.connect()
        await peer.send(Self.upgrade)
        try await peer.take(until: "hello")
        return (fixture, peer, details)
    }

    @Test("are pinged at their interval, and given up after two and a half of them")
    func interval() async throws {
        let (fixture, peer, details) = try await open(
            SocketTuning(pingInterval: .seconds(5)), timeless: true)
        await fixture.pass(.seconds(5), after: peer)
        _ = try await peer.read(until: "a ping") { $0.suffix(2) == [0x89, 0] }
        await fixture.pass(.milliseconds(7500))
        let rest = try await peer.readToEnd()
        #expect(rest.firstRange(of: Array("no answer to a ping".utf8)) != nil)
        await details.closed.value()
        #expect(fixture.server.limitCounts == [.silent: 1])
    }

    @Test("are closed soon after an unanswered goodbye, however far the next ping is")
    func goodbye() async throws {
        let (fixture, peer, _) = try await open(
            SocketTuning(pingInterval: .seconds(600)), timeless: true)
        await fixture.pass(.seconds(600), after: peer)
        _ = try await peer.read(until: "a ping") { $0.suffix(2) == [0x89, 0] }
        await peer.send(Frames.text("bye 4200"))
        try await peer.take(until: "told to")
        await fixture.pass(.seconds(2))
        _ = try await peer.readToEnd()
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("tell their handler once a reader that was behind has caught up")
    func drained() async throws {
        let (fixture, peer, details) = try await open(SocketTuning(unsentBytes: 16 * 1024))
        await peer.pause()
        await peer.send(Frames.text("fill"))
        await details.filled.value()
        await peer.resume()
        #expect(await details.drained.value() == false, "it is not behind any more")
        await peer.send(Frames.text("later") + Frames.close(.normal))
        let rest = try await peer.readToEnd()
        #expect(rest.firstRange(of: Array("later".utf8)) != nil)
        await details.closed.value()
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }
}
