import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TLSTesting
import TestKit
import Testing
import WebSocket

@testable import Client
@testable import FlakyNetwork

@Suite("A flaky transport")
struct FlakyTransportTests {
    /// Starts a server with a room that answers each ale with its number among all ales of the room.
    private func room() async throws -> ScriptedServer {
        try await ScriptedServer { router, loop in
            let count = Lock(0 as Int64)
            ScriptedRoom.add(to: &router, on: loop) { part in
                guard let messageId = part.messageIdAfterHandshake() else { return }
                part.send(.ack(messageId: messageId, seq: count.countUp()))
            }
        }
    }

    /// Lends a transport to a room's server; both live until the body is over.
    private func with(
        _ faults: Faults = .none, seed: UInt64 = 1, _ body: (FlakyTransport) async throws -> Void
    ) async throws {
        let server = try await room()
        let network = try await FlakyTransport(to: Server(server.url), faults: faults, seed: seed)
        try await body(network)
        withExtendedLifetime((server, network)) {}
    }

    private func enter(_ network: FlakyTransport) async throws -> Peer {
        let address = try #require(SocketAddress(numeric: "127.0.0.1", port: network.server.port))
        let peer = try await Peer(to: address)
        let handshake = ClientHandshake(random: [UInt8](repeating: 7, count: 16), protocols: [])
        let fields = handshake.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        await peer.send("GET \(Routes.socket)?id=\(Sample.room) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
        try await peer.take(until: "\"handshake\"")
        return peer
    }

    private func say(_ id: String, to peer: Peer) async {
        var (text, frame): ([UInt8], [UInt8]) = ([], [])
        ClientMessage.appendAle(room: nil, messageId: id, to: &text)
        FrameEncoder.maskedFrame(.text, text, key: 0xA1B2_C3D4, into: &frame)
        await peer.send(frame)
    }

    private func faults(_ change: (inout Faults) -> Void) -> Faults {
        var faults = Faults()
        change(&faults)
        return faults
    }

    @Test("without faults passes everything on")
    func passes() async throws {
        try await with { network in
            let peer = try await enter(network)
            for number in 1...20 {
                await say("m\(number)", to: peer)
                try await peer.take(until: "\"seq\":\(number)}")
            }
            let counters = await network.counters
            #expect(counters.connections == 1)
            #expect(counters.messages == 41)
            #expect(counters.bytesToServer > 0 && counters.bytesToClient > 0)
        }
    }

    @Test("passes a long answer to a slow reader, whole")
    func longAnswer() async throws {
        let body = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let server = try await ScriptedServer(.get, "/long") { _ in HTTPResponse(status: 200, body: body) }
        let network = try await FlakyTransport(to: Server(server.url), seed: 1)
        let address = try #require(SocketAddress(numeric: "127.0.0.1", port: network.server.port))
        let peer = try await Peer(to: address)
        await peer.pause()
        await peer.send("GET /long HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        // The answer is in flight, and the peer does not read.
        while await network.counters.bytesToClient == 0 {}
        await peer.resume()
        let answer = try await peer.readToEnd()
        #expect(answer.suffix(body.count).elementsEqual(body))
        withExtendedLifetime((server, network)) {}
    }

    @Test("doubles messages in both directions")
    func doubles() async throws {
        try await with { network in
            let peer = try await enter(network)
            await network.setFaults(faults { $0.duplication = 1 })
            await say("m", to: peer)
            // The ale was heard twice, and both answers were duplicated.
            let heard = try await peer.take(until: "\"seq\":2}")
            #expect(heard.contains("\"seq\":1}"))
            #expect(await network.counters.duplicated == 3)
        }
    }

    @Test("lets messages overtake each other, and holds none for ever")
    func reorders() async throws {
        try await with { network in
            let peer = try await enter(network)
            await network.setFaults(faults { $0.reordering = 1 })
            for id in ["a", "b", "c"] { await say(id, to: peer) }
            let heard = try await peer.take(until: "\"messageId\":\"c\"")
            #expect(heard.contains("{\"type\":\"ack\",\"messageId\":\"b\",\"seq\":1}"))
            #expect(heard.contains("{\"type\":\"ack\",\"messageId\":\"a\",\"seq\":2}"))
        }
    }

    @Test("delays messages, and keeps their order")
    func delays() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        let delay = faults { $0.delay = .zero ... .milliseconds(5) }
        try await with(delay, seed: seed) { network in
            let peer = try await enter(network)
            for number in 1...20 { await say("m\(number)", to: peer) }
            let heard = try await peer.take(until: "\"seq\":20}")
            let order = (1...20).map { heard.holds("\"m\($0)\",\"seq\":\($0)}") }
            #expect(order.allSatisfy { $0 }, "seed \(seed): \(heard)")
        }
    }

    @Test("refuses connections, and breaks those that there are")
    func breaks() async throws {
        try await with { network in
            let peer = try await enter(network)
            await network.breakAll()
            _ = try await peer.readToEnd()
            await network.setFaults(faults { $0.refusal = 1 })
            let address = try #require(SocketAddress(numeric: "127.0.0.1", port: network.server.port))
            // The reset may come before the peer notices that it was connected.
            let refused = try? await Peer(to: address).readToEnd()
            #expect(refused?.isEmpty ?? true)
            let counters = await network.counters
            #expect(counters.resets == 1)
            #expect(counters.refused == 1)
        }
    }

    @Test("breaks a connection instead of a message")
    func resets() async throws {
        try await with { network in
            let peer = try await enter(network)
            await network.setFaults(faults { $0.reset = 1 })
            await say("m", to: peer)
            #expect(try await peer.readToEnd().isEmpty)
        }
    }

    @Test("makes a link half-open: it stays, and nothing arrives")
    func silence() async throws {
        try await with { network in
            let deaf = try await enter(network)
            await network.silenceAll()
            await say("lost", to: deaf)
            let other = try await enter(network)
            await say("m", to: other)
            // This is the first ale that the room hears.
            try await other.take(until: "\"messageId\":\"m\",\"seq\":1}")
            #expect(await network.counters.halfOpened == 1)
            await deaf.close()
            await say("n", to: other)
            try await other.take(until: "\"messageId\":\"n\",\"seq\":2}")
        }
    }

    @Test("leads to another server when it is told to, and resets where there is none")
    func redirects() async throws {
        let (first, second) = (try await room(), try await room())
        let network = try await FlakyTransport(to: Server(first.url), seed: 1)
        let old = try await enter(network)
        try await network.redirect(to: Server(second.url))
        let new = try await enter(network)
        await say("old", to: old)
        await say("new", to: new)
        try await old.take(until: "\"messageId\":\"old\",\"seq\":1}")
        try await new.take(until: "\"messageId\":\"new\",\"seq\":1}")
        // No server listens at this port.
        try await network.redirect(to: Server("http://127.0.0.1:1"))
        let api = try APIClient(server: network.server)
        let error = await #expect(throws: ClientError.self) { try await api.me() }
        #expect(error?.isTransient == true)
        withExtendedLifetime((first, second, network)) {}
    }

    @Test("accepts no connections any more when it is stopped")
    func stops() async throws {
        try await with { network in
            let peer = try await enter(network)
            await network.stop()
            _ = try await peer.readToEnd()
            let address = try #require(SocketAddress(numeric: "127.0.0.1", port: network.server.port))
            await #expect(throws: Peer.Failure.self) { try await Peer(to: address) }
        }
    }

    @Test("keeps the base path of the server")
    func basePath() async throws {
        let server = try await room()
        let network = try await FlakyTransport(to: Server("\(server.url)/base"), seed: 1)
        #expect(network.server.basePath == "/base")
        withExtendedLifetime(server) {}
    }

    @Test(
        "stays outside of TLS, and every message arrives all the same",
        arguments: 1...3 as ClosedRange<UInt64>)
    func tls(seed: UInt64) async throws {
        let heard = Lock<[String]>([])
        let server = try await ScriptedServer { router, loop in
            ScriptedRoom.add(to: &router, on: loop) { part in
                guard let messageId = part.messageIdAfterHandshake() else { return }
                let seq = heard.withLock { heard in
                    if !heard.contains(messageId) { heard.append(messageId) }
                    return heard.count
                }
                part.send(.ack(messageId: messageId, seq: Int64(seq)))
            }
        }
        let authority = TestAuthority()
        let file = TemporaryFile(authority.pem)
        let relay = try await TLSRelay(authority.issue(), to: server.port)
        let network = try await FlakyTransport(to: Server(relay.url), seed: seed)
        #expect(network.server.url == relay.url)
        let clock = ManualClock()
        var configuration = ConnectionConfiguration()
        configuration.clock = clock
        let api = try APIClient(
            server: network.server, token: "t", trust: Trust(authorities: file.path))
        let connection = try api.connection(in: Sample.room, configuration: configuration)
        var ids = [try #require(await connection.cheer())]
        var interruptions = 0
        let events = connection.events
        await connection.start()
        for await event in events {
            switch event {
            case .connected:
                await network.setFaults(
                    faults { faults in
                        faults.reset = 0.02
                        faults.duplication = 0.02
                        faults.delay = .zero ... .milliseconds(1)
                    })
            case .interrupted(_, let wait):
                interruptions += 1
                // A fault that is drawn for the handshake must not end the connection before it is a
                // WebSocket.
                await network.setFaults(.none)
                clock.advance(by: wait)
            case .acknowledged:
                if ids.count == 10 { await network.breakAll() }
                if ids.count == 50 {
                    await connection.stop()
                } else if let id = await connection.cheer() {
                    ids.append(id)
                }
            case .closed(let reason): #expect(reason == .left, "seed \(seed)")
            default: break
            }
        }
        #expect(heard.withLock { $0 } == ids, "seed \(seed)")
        let counters = await network.counters
        #expect(counters.messages >= 100, "seed \(seed)")
        #expect(interruptions >= 1, "seed \(seed)")
        withExtendedLifetime((server, relay, file)) {}
    }

    @Test("makes half-open what is TLS, and breaks it")
    func tlsFaults() async throws {
        let server = try await room()
        let authority = TestAuthority()
        let file = TemporaryFile(authority.pem)
        let relay = try await TLSRelay(authority.issue(), to: server.port)
        let network = try await FlakyTransport(to: Server(relay.url), seed: 1)
        let api = try APIClient(server: network.server, token: "t", trust: Trust(authorities: file.path))
        let connection = try api.connection(in: Sample.room)
        try await connection.waitUntilConnected()
        await network.silenceAll()
        #expect(await network.counters.halfOpened == 1)
        await connection.stop()
        await network.setFaults(faults { $0.reset = 1 })
        let error = await #expect(throws: ClientError.self) { try await api.me() }
        #expect(error?.isTransient == true)
        await #expect(throws: ClientError.self) { try await network.redirect(to: Server(server.url)) }
        withExtendedLifetime((server, relay, file)) {}
    }
}

extension String {
    fileprivate func holds(_ part: String) -> Bool { Array(utf8).firstRange(of: Array(part.utf8)) != nil }
}
