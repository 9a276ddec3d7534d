import HTTP1
import HTTPServer
import SocketTesting
import TestKit
import Testing
import WebSocket

/// Tests of events between the request and the 101.
@Suite("A connection that is on its way to become a WebSocket")
struct UpgradeStateTests {
    private let begun = Signal<Void>()
    private let release = Signal<Void>()
    private let details = ScriptedSocket.Observations()

    /// Starts a server: `/late` upgrades once it is released, on the loop of the request; `/soon` at once.
    /// `/426` refuses.
    private func fixture() async throws -> Fixture {
        var configuration = HTTPServerConfiguration.patient
        configuration.pingInterval = .seconds(3600)
        let (begun, release, details) = (begun, release, details)
        return try await Fixture(configuration) { router, _ in
            router.immediate(.get, "/soon", body: 16) { Self.upgrade($0, details) }
            router.immediate(.post, "/soon", body: 16) { Self.upgrade($0, details) }
            router.task(.get, "/late") { request in
                begun.send()
                await release.value()
                return Self.upgrade(request, details)
            }
            router.immediate(.get, "/426") { _ in
                HTTPResponse(status: 426, headers: ["Upgrade": "websocket", "Connection": "upgrade"])
            }
        }
    }

    private static func upgrade(_ request: HTTPRequest, _ details: ScriptedSocket.Observations)
        -> HTTPResponse
    {
        HTTPResponse(
            upgrade: Upgrade(
                to: request.loop, headers: ["Upgrade": "websocket", "Connection": "Upgrade"]
            ) { connection in
                connection.accept(ScriptedSocket(connection, on: request.loop, details))
                return nil
            })
    }

    private func upgrade(_ line: String, connection: String = "Upgrade", _ fields: String...) -> [UInt8] {
        let all = ["Host: test", "Connection: \(connection)", "Upgrade: websocket"] + fields
        return Array("\(line) HTTP/1.1\r\n\(all.map { "\($0)\r\n" }.joined())\r\n".utf8)
    }

    /// Returns when both loops have made further turns.
    private func turn(_ fixture: Fixture) async throws {
        for _ in 0..<8 { _ = try await fixture.exchange(request("GET /now/x", "Connection: close")) }
    }

    @Test("that was closed by its client meanwhile ends, and its handler hears of it")
    func endsMeanwhile() async throws {
        let fixture = try await fixture()
        let peer = try await fixture.connect()
        await peer.send(upgrade("GET /late"))
        await begun.value()
        await peer.finish()
        try await turn(fixture)
        release.send()
        await details.closed.value()
        #expect(try Frames.read(try await peer.readToEnd()).status == 101)
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("hears what its client said before it closed its half")
    func saidBeforeTheEnd() async throws {
        let fixture = try await fixture()
        let peer = try await fixture.connect()
        await peer.send(upgrade("GET /late") + Frames.text("a"))
        await peer.finish()
        await begun.value()
        try await turn(fixture)
        release.send()
        await details.closed.value()
        #expect(try Frames.read(try await peer.readToEnd()).frames == ["a"])
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test(
        "loses no frame, whatever else the Connection field says",
        arguments: ["Upgrade", "upgrade, close", "close, Upgrade", "keep-alive, Upgrade"])
    func connectionOptions(connection: String) async throws {
        let fixture = try await fixture()
        let peer = try await fixture.connect()
        await peer.send(upgrade("GET /late", connection: connection))
        await begun.value()
        await peer.send(Frames.text("a") + Frames.close(.normal))
        try await turn(fixture)
        release.send()
        #expect(try Frames.read(try await peer.readToEnd()).frames == ["a", "close 1000"])
    }

    @Test("takes the body of its request for a body, and what comes behind it for frames")
    func body() async throws {
        let fixture = try await fixture()
        for (field, body) in [
            ("Content-Length: 7", Frames.text("b")), ("Content-Length: 0", []),
            (
                "Transfer-Encoding: chunked",
                Array("7\r\n".utf8) + Frames.text("b") + Array("\r\n0\r\n\r\n".utf8)
            ),
        ] {
            let peer = try await fixture.connect()
            await peer.send(upgrade("GET /soon", field) + body + Frames.text("a") + Frames.close(.normal))
            #expect(try Frames.read(try await peer.readToEnd()).frames == ["a", "close 1000"], "\(field)")
        }
    }

    @Test("is asked for the body first where it waits to be asked (RFC 9110 §7.8)")
    func continueFirst() async throws {
        let fixture = try await fixture()
        let peer = try await fixture.connect()
        await peer.send(upgrade("POST /soon", "Content-Length: 4", "Expect: 100-continue"))
        try await peer.take(until: "HTTP/1.1 100 Continue\r\n\r\n")
        await peer.send(Array("body".utf8) + Frames.text("a") + Frames.close(nil))
        let heard = try Frames.read(try await peer.readToEnd())
        #expect(heard.status == 101)
        #expect(heard.frames == ["a", "close 0"])
    }

    @Test("is told what to ask for, also where the connection ends with that (RFC 9110 §7.8)")
    func upgradeRequired() async throws {
        let fixture = try await fixture()
        let responses = try await fixture.exchange(
            request("GET /426") + request("GET /426", "Connection: close"))
        #expect(responses.map(\.status) == [426, 426])
        let options = responses.map { $0.head.headers.tokens("connection") }
        #expect(options == [["upgrade"], ["upgrade", "close"]])
    }
}
