import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing
import WebSocket

@Suite("A handler that holds its messages")
struct HoldTests {
    /// A handler that sends back the short messages that it hears, unless it holds its messages.
    private final class Socket: WebSocketHandler {
        let connection: WebSocketConnection
        let hasClosed: Signal<Void>
        var isHolding = true
        var questions = 0
        var messages = 0

        init(_ connection: WebSocketConnection, _ hasClosed: Signal<Void>) {
            self.connection = connection
            self.hasClosed = hasClosed
        }

        var holdsMessages: Bool {
            questions += 1
            return isHolding
        }

        func received(_ message: RawSpan, isText: Bool) {
            messages += 1
            if message.byteCount < 100 { connection.send(.text, message) }
        }

        func closed() { hasClosed.send() }
    }

    private struct Held {
        let fixture: Fixture
        let peer: Peer
        let loop: EventLoop
        let socket: LoopBound<Socket>
        let hasClosed: Signal<Void>

        /// Opens a socket whose handler holds its messages; `early` is sent with the handshake.
        init(_ early: [UInt8] = [], finishes: Bool = false) async throws {
            let (opened, hasClosed) = (Signal<LoopBound<Socket>>(), Signal<Void>())
            fixture = try await Fixture.timeless { router, loops in
                router.immediate(.get, "/held") { _ in
                    HTTPResponse(
                        upgrade: Upgrade(
                            to: loops[1], headers: ["Upgrade": "websocket", "Connection": "Upgrade"]
                        ) { connection in
                            let socket = Socket(connection, hasClosed)
                            connection.accept(socket)
                            opened.send(LoopBound(socket, to: loops[1]))
                            return nil
                        })
                }
            }
            loop = fixture.loops[1]
            self.hasClosed = hasClosed
            peer = try await fixture.connect()
            await peer.send(
                Array(request("GET /held", "Connection: Upgrade", "Upgrade: websocket").utf8) + early)
            if finishes { await peer.finish() }
            socket = await opened.value()
            try await peer.take(until: "\r\n\r\n")
        }

        func on(_ body: @escaping @Sendable (Socket) -> Void) async {
            await loop.submit { [socket] in body(socket.value) }
        }

        func questions() async -> Int { await loop.submit { [socket] in socket.value.questions } }

        /// Lets the handler hear again, and resumes.
        func resume() async {
            await on { socket in
                socket.isHolding = false
                socket.connection.resume()
            }
        }

        /// Returns the frames that the server has sent, once there is one that begins so.
        func frames(until last: String) async throws -> [String] {
            let bytes = try await peer.read(until: last) { bytes in
                (try? Self.read(bytes))?.contains { $0.hasPrefix(last) } ?? false
            }
            return try Self.read(bytes)
        }

        static func read(_ bytes: [UInt8]) throws -> [String] {
            try Frames.read(Array("HTTP/1.1 101 Switching Protocols\r\n\r\n".utf8) + bytes).frames
        }

        func isEmpty() async -> Bool { await fixture.server.waitUntilEmpty(timeout: .seconds(60)) }
    }

    @Test("hears them in order when it resumes, and pings are answered then too")
    func resumes() async throws {
        let held = try await Held()
        await held.peer.send(Frames.text("a") + Frames.masked(.ping, Array("p".utf8)) + Frames.text("b"))
        for number in 0..<20 { await held.peer.send(Frames.text("\(number)")) }
        await held.fixture.pass(.zero, after: held.peer)
        await held.on { $0.connection.send(.text, Array("from the room".utf8).span.bytes) }
        #expect(try await held.frames(until: "from the room") == ["from the room"])
        await held.resume()
        let expected = ["from the room", "a", "pong p", "b"] + (0..<20).map(String.init)
        #expect(try await held.frames(until: "19") == expected)
        await held.peer.send(Frames.text("later"))
        #expect(try await held.frames(until: "later") == expected + ["later"])
    }

    @Test("is asked once for each read, and not again until it resumes")
    func askedOnce() async throws {
        let held = try await Held()
        await held.peer.send(Frames.text("a") + Frames.text("b") + Frames.text("c"))
        await held.fixture.pass(.zero, after: held.peer)
        await held.peer.send(Frames.text("d"))
        await held.fixture.pass(.zero, after: held.peer)
        #expect(await held.questions() == 1)
    }

    @Test("keeps them when it holds them still, and twice resumed is once resumed")
    func heldAgain() async throws {
        let held = try await Held()
        await held.peer.send(Frames.text("a"))
        await held.fixture.pass(.zero, after: held.peer)
        await held.on { $0.connection.resume() }
        await held.fixture.catchUp()
        #expect(await held.questions() == 2)
        await held.on { socket in
            socket.isHolding = false
            socket.connection.resume()
            socket.connection.resume()
        }
        await held.peer.send(Frames.text("b"))
        #expect(try await held.frames(until: "b") == ["a", "b"])
    }

    @Test("keeps no more than one read of them")
    func bounded() async throws {
        let held = try await Held()
        let count = 24_000
        let frame = Frames.text(String(repeating: "x", count: 1000))
        await held.peer.send([UInt8]([[UInt8]](repeating: frame, count: count).joined()))
        var (last, same) = (await held.peer.pendingBytes, 0)
        while same < 40 {
            await held.fixture.catchUp()
            let pending = await held.peer.pendingBytes
            same = pending == last ? same + 1 : 0
            last = pending
        }
        #expect(last > 8_000_000)
        await held.resume()
        await held.peer.send(Frames.text("the last one"))
        #expect(try await held.frames(until: "the last one") == ["the last one"])
        let messages = await held.loop.submit { [socket = held.socket] in socket.value.messages }
        #expect(messages == count + 1)
    }

    @Test("hears that the client has gone when it resumes", arguments: [true, false])
    func goneMeanwhile(saysGoodbye: Bool) async throws {
        let held = try await Held()
        await held.peer.send(Frames.text("a") + (saysGoodbye ? Frames.close(.normal) : []))
        await held.peer.finish()
        await held.fixture.pass(.zero, after: held.peer)
        #expect(held.fixture.server.connectionCount == 1)
        await held.resume()
        await held.hasClosed.value()
        let heard = try Held.read(try await held.peer.readToEnd())
        #expect(heard == (saysGoodbye ? ["a", "close 1000"] : ["a"]))
        #expect(await held.isEmpty())
    }

    @Test("hears that the client was reset at once")
    func resetMeanwhile() async throws {
        let held = try await Held()
        await held.peer.send(Frames.text("a"))
        await held.fixture.pass(.zero, after: held.peer)
        await held.peer.pause()
        await held.on { $0.connection.send(.text, Array("unread".utf8).span.bytes) }
        await held.fixture.catchUp()
        await held.peer.close()
        await held.hasClosed.value()
        await held.resume()
        #expect(await held.isEmpty())
    }

    @Test("can close the connection, whose client answers behind what was held")
    func closes() async throws {
        let held = try await Held()
        await held.peer.send(Frames.text("a"))
        await held.fixture.pass(.zero, after: held.peer)
        await held.on { $0.connection.close(CloseCode(rawValue: 1012), reason: "restart") }
        #expect(try await held.frames(until: "close") == ["close 1012 restart"])
        await held.peer.send(Frames.text("b") + Frames.close(CloseCode(rawValue: 1012)))
        _ = try await held.peer.readToEnd()
        // The clock stands still, so that no time limit has ended it.
        #expect(await held.isEmpty())
    }

    @Test("does not count the time as silence, and does again when it has resumed")
    func silence() async throws {
        let held = try await Held()
        await held.peer.send(Frames.text("a"))
        for _ in 0..<10 { await held.fixture.pass(.seconds(40), after: held.peer) }
        await held.fixture.catchUp()
        #expect(held.fixture.server.limitCounts[.silent] == nil)
        await held.resume()
        #expect(try await held.frames(until: "a").contains("a"))
        await held.fixture.pass(.seconds(49))
        await held.peer.send(Frames.text("b"))
        #expect(try await held.frames(until: "b").contains("b"))
        await held.fixture.pass(.seconds(50))
        await held.hasClosed.value()
        #expect(held.fixture.server.limitCounts == [.silent: 1])
        #expect(await held.isEmpty())
    }

    @Test("holds what came with the handshake as well, and the end behind it", arguments: [true, false])
    func early(finishes: Bool) async throws {
        let held = try await Held(Frames.text("a") + Frames.text("b"), finishes: finishes)
        await held.fixture.catchUp()
        #expect(held.fixture.server.connectionCount == 1)
        await held.resume()
        #expect(try await held.frames(until: "b") == ["a", "b"])
        if finishes { await held.hasClosed.value() } else { await held.peer.close() }
        #expect(await held.isEmpty())
    }
}
