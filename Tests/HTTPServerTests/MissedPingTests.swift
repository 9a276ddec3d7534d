import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing
import WebSocket

@Suite("A socket that misses a ping")
struct MissedPingTests {
    private final class Socket: WebSocketHandler {
        let connection: WebSocketConnection

        init(_ connection: WebSocketConnection) { self.connection = connection }

        func received(_ message: RawSpan, isText: Bool) { connection.send(.text, message) }
        func closed() {}
    }

    @Test("is one without an answer for half an interval, in which nothing else came either")
    func missed() async throws {
        let opened = Signal<LoopBound<Socket>>()
        let fixture = try await Fixture.timeless(.patient { $0.pingInterval = .seconds(20) }) {
            router, loops in
            router.immediate(.get, "/watched") { _ in
                HTTPResponse(
                    upgrade: Upgrade(
                        to: loops[1], headers: ["Upgrade": "websocket", "Connection": "Upgrade"]
                    ) { connection in
                        let socket = Socket(connection)
                        connection.accept(socket)
                        opened.send(LoopBound(socket, to: loops[1]))
                        return nil
                    })
            }
        }
        let loop = fixture.loops[1]
        let peer = try await fixture.connect()
        await peer.send(request("GET /watched", "Connection: Upgrade", "Upgrade: websocket"))
        let socket = await opened.value()
        @Sendable func hasMissed() async -> Bool {
            await loop.submit { socket.value.connection.hasMissedPing }
        }
        try await peer.take(until: "\r\n\r\n")
        await fixture.pass(.seconds(20), after: peer)
        _ = try await peer.read(until: "a ping") { $0.suffix(2) == [0x89, 0] }
        #expect(await !hasMissed())
        await fixture.pass(.milliseconds(9_999))
        #expect(await !hasMissed())
        await fixture.pass(.milliseconds(1))
        #expect(await hasMissed())
        // A device that is heard is there, and after a pong nothing is missed any more.
        await peer.send(Frames.text("here"))
        await fixture.pass(.zero, after: peer)
        #expect(await !hasMissed())
        await fixture.pass(.milliseconds(9_999))
        #expect(await !hasMissed())
        await peer.send(Frames.masked(.pong, []))
        await fixture.pass(.zero, after: peer)
        await fixture.pass(.milliseconds(1))
        #expect(await !hasMissed())
    }
}
