import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TLS
import TLSTesting
import Testing
import WebSocket

@testable import Client

@Suite("A server over TLS")
struct SecureServerTests {
    private let authority = TestAuthority()
    private let file: TemporaryFile

    init() { file = TemporaryFile(authority.pem) }

    private func trust(pins: [String] = []) throws -> Trust {
        try Trust(authorities: file.path, pins: pins)
    }

    private func serve(_ count: Lock<Int> = Lock(0)) async throws -> ScriptedServer {
        try await ScriptedServer(.get, Routes.me) { _ in
            count.withLock { $0 += 1 }
            return .json(UserAnswer(user: Sample.user))
        }
    }

    @Test("answers, by its name and by its address", arguments: ["localhost", "127.0.0.1"])
    func call(host: String) async throws {
        let server = try await serve()
        let relay = try await TLSRelay(authority.issue(), to: server.port)
        let api = try APIClient(server: Server("https://\(host):\(relay.port)"), token: "t", trust: trust())
        #expect(try await api.me() == Sample.user)
        #expect(try await api.authenticated(with: "other").me() == Sample.user)
    }

    @Test("has a room, whose connection goes the same way")
    func room() async throws {
        let server = try await ScriptedServer { router, loop in
            ScriptedRoom.add(to: &router, on: loop) { part in
                guard let messageId = part.message?["messageId"]?.string else {
                    part.send(Sample.handshake())
                    return part.send(Sample.ale(1))
                }
                part.send(.ack(messageId: messageId, seq: 2))
                part.connection.close(.normal)
            }
        }
        let relay = try await TLSRelay(authority.issue(), to: server.port)
        let url = "wss://localhost:\(relay.port)\(Routes.socket)?id=\(Sample.room)&token=t"
        let byTicket = try RoomConnection(.ticket(url: url), trust: trust())
        let byName = try APIClient(server: Server(relay.url), token: "t", trust: trust())
            .connection(in: Sample.room)
        for connection in [byTicket, byName] {
            await connection.cheer()
            var (ales, acknowledged): (Int64, Int64) = (0, 0)
            var end: CloseReason?
            let events = connection.events
            await connection.start()
            for await event in events {
                if case .ale(let ale) = event { ales = ale.seq }
                if case .acknowledged(_, let seq) = event { acknowledged = seq }
                if case .closed(let reason) = event { end = reason }
            }
            #expect(ales == 1 && acknowledged == 2 && end == .roomClosed)
        }
    }

    @Test("hears nothing from a client that does not trust it")
    func untrusted() async throws {
        let count = Lock(0)
        let server = try await serve(count)
        let relay = try await TLSRelay(authority.issue(), to: server.port)
        let pin = "sha256//" + String(repeating: "A", count: 43) + "="
        for trust in [Trust.system, try trust(pins: [pin])] {
            let api = try APIClient(server: Server(relay.url), token: "t", trust: trust)
            let error = await #expect(throws: ClientError.self) { try await api.me() }
            #expect(error?.kind == "untrusted")
            let connection = try api.connection(in: Sample.room)
            await #expect(throws: ClientError.self) { try await connection.waitUntilConnected() }
            #expect(await connection.health == .unhealthy(.notTrusted))
        }
        #expect(count.withLock { $0 } == 0)
    }

    @Test("is never spoken to in the clear, where it speaks no TLS")
    func noDowngrade() async throws {
        let count = Lock(0)
        let server = try await serve(count)
        let api = try APIClient(
            server: Server("https://127.0.0.1:\(server.port)"), token: "t", trust: trust())
        let error = await #expect(throws: ClientError.self) { try await api.me() }
        #expect(error?.detail.contains("http://") == true)
        #expect(count.withLock { $0 } == 0)
    }

    @Test("that says nothing is waited for no longer than for a connection")
    func silence() async throws {
        let listener = try Listener(binding: Loopback.address)
        let server = try Server("https://127.0.0.1:\(listener.address.port)")
        let api = try APIClient(server: server, timeout: .milliseconds(100), trust: trust())
        await #expect(throws: ClientError.timedOut) { try await api.me() }
        let patient = try APIClient(server: server, timeout: .seconds(600), trust: trust())
        let task = Task { try await patient.me() }
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
    }

    @Test("that is cut off is told from one that is done", arguments: [true, false])
    func truncation(isClean: Bool) async throws {
        let endpoint = try await TLSEndpoint(authority.issue()) { talk, event in
            guard case .received = event, let stream = talk.stream else { return }
            stream.write(Array("HTTP/1.1 200 OK\r\n\r\n{\"user\":".utf8))
            if isClean { stream.finishWriting() } else { talk.cut() }
        }
        let api = try APIClient(server: Server("https://localhost:\(endpoint.port)"), trust: trust())
        let error = await #expect(throws: ClientError.self) { try await api.me() }
        // After a clean end the whole body has arrived, and it is no JSON.
        #expect(error?.kind == (isClean ? "unexpected" : "network"))
    }

    @Test("may forget its farewell where the length of the answer was told")
    func framed() async throws {
        let endpoint = try await TLSEndpoint(authority.issue()) { talk, event in
            guard case .received = event, let stream = talk.stream else { return }
            stream.write(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
            talk.cut()
        }
        let api = try APIClient(server: Server("https://localhost:\(endpoint.port)"), trust: trust())
        try await api.deleteMe()
    }

    @Test("is slowed down by a slow reader, and nothing is lost")
    func slowReader() async throws {
        let total = 20 * 1024 * 1024
        let piece = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let pieces = Array(repeatElement(piece, count: 16).joined())
        let hasDrained = Lock(false)
        let endpoint = try await TLSEndpoint(authority.issue()) { talk, event in
            switch event {
            case .received: for _ in 0..<(total / piece.count) { talk.stream?.write(piece) }
            case .drained where talk.received.isEmpty == false: hasDrained.withLock { $0 = true }
            case .established, .drained, .ended, .failed: break
            }
        }
        let server = try Server("https://localhost:\(endpoint.port)")
        let transport = try await Transport.connect(
            to: server, trust: trust(), on: ClientLoop.shared(), timeout: .seconds(30))
        await transport.write(Array("go".utf8))
        var count = 0
        while count < total {
            let bytes = try #require(try await transport.read())
            let start = count % piece.count
            let isRight = bytes == Array(pieces[start..<(start + bytes.count)])
            #expect(isRight)
            // The kernel's buffers hold a few megabytes; the server still has most of the body.
            if count == 0 { #expect(!hasDrained.withLock { $0 }) }
            count += bytes.count
        }
        #expect(count == total)
        await transport.close()
    }

    @Test("that moved a session elsewhere has to be over TLS again")
    func movedInTheClear() throws {
        let secure = RoomAddress.ticket(url: "wss://a.example/socket?id=1")
        let (next, other) = (Identifier(value: 7), Identifier(value: 8))
        let moved = secure.moved(to: next, url: "wss://b.example/socket?id=2")
        #expect(try moved.resolve(resuming: nil).server.isSecure)
        let exposed = moved.moved(to: other, url: "ws://b.example/socket?id=3")
        let error = #expect(throws: ClientError.self) { _ = try exposed.resolve(resuming: nil) }
        #expect(error?.kind == "untrusted" && error?.detail.contains("ws:") == true)
        // The address stays untrusted after a detour.
        #expect(throws: ClientError.self) {
            _ = try exposed.moved(to: next, url: "ws://c.example/socket").resolve(resuming: nil)
        }
        let plain = RoomAddress.ticket(url: "ws://a.example/socket").moved(
            to: next, url: "ws://b.example/socket")
        #expect(try !plain.resolve(resuming: nil).server.isSecure)
    }

    @Test("that sends on to another place is not followed, and the place is told")
    func redirect() async throws {
        let server = try await ScriptedServer(.get, Routes.me) { _ in
            HTTPResponse(status: 301, headers: ["Location": "https://switch.example/v1/me"], body: [])
        }
        let api = try APIClient(server: Server(server.url))
        let error = await #expect(throws: ClientError.self) { try await api.me() }
        #expect(error?.detail.contains("https://switch.example/v1/me") == true)
    }

    @Test("is trusted by pins of their form only", arguments: ["", "sha256//AAAA", "sha1//AAAA"])
    func badPins(pin: String) {
        #expect(throws: ClientError.self) { _ = try Trust(pins: [pin]) }
    }
}
