import ClientTesting
import Contract
import HTTP1
import HTTPServer
import SocketTesting
import TLSTesting
import Testing
import WebSocket

@testable import Client

@Suite("A server behind a proxy of the client")
struct ProxiedServerTests {
    private static let name = "switch.example.org"
    private let authority = TestAuthority()
    private let file: TemporaryFile

    init() { file = TemporaryFile(authority.pem) }

    private func proxied(_ proxy: ConnectProxy, user: String = "") throws -> Server {
        let url = try #require(ProxyURL("http://\(user)127.0.0.1:\(proxy.port)"))
        return try Server("https://\(Self.name)").reached(through: url)
    }

    @Test("answers a call and has a room, each through a tunnel with TLS to the server")
    func call() async throws {
        let server = try await ScriptedServer { router, loop in
            router.immediate(.get, Routes.me) { _ in .json(UserAnswer(user: Sample.user)) }
            ScriptedRoom.add(to: &router, on: loop) { part in
                part.send(Sample.handshake())
                part.connection.close(.normal)
            }
        }
        let relay = try await TLSRelay(authority.issue("DNS:\(Self.name)"), to: server.port)
        let proxy = try await ConnectProxy(
            to: ["\(Self.name):443": relay.port], credentials: "Basic YW5uYTpzZWNyZXQ=")
        let api = try APIClient(
            server: proxied(proxy, user: "anna:secret@"), token: "t",
            trust: Trust(authorities: file.path, pins: []))
        #expect(try await api.me() == Sample.user)
        let connection = try api.connection(in: Sample.room)
        var end: CloseReason?
        let events = connection.events
        await connection.start()
        for await event in events {
            if case .closed(let reason) = event { end = reason }
        }
        #expect(end == .roomClosed)
        #expect(proxy.requests.count >= 2)
        #expect(proxy.requests.allSatisfy { $0.hasPrefix("CONNECT \(Self.name):443 HTTP/1.1\r\n") })
        #expect(!proxy.requests.joined().contains("Bearer"))
    }

    @Test("is not reached through a proxy that refuses, and the error names the proxy without its password")
    func refusal() async throws {
        let proxy = try await ConnectProxy(to: [:])
        let api = try APIClient(
            server: proxied(proxy, user: "anna:secret@"), token: "t",
            trust: Trust(authorities: file.path, pins: []))
        let error = await #expect(throws: ClientError.self) { try await api.me() }
        let text = error.map { "\($0.text)" } ?? ""
        #expect(text.contains("http://127.0.0.1:\(proxy.port)") && text.contains("502"), "\(text)")
        #expect(!text.contains("secret"))
    }

    @Test("is not trusted for a certificate of another name, whatever the proxy is")
    func untrusted() async throws {
        let relay = try await TLSRelay(authority.issue("DNS:other.example.org"), to: 9)
        let proxy = try await ConnectProxy(to: ["\(Self.name):443": relay.port])
        let api = try APIClient(
            server: proxied(proxy), token: "t", trust: Trust(authorities: file.path, pins: []))
        let error = await #expect(throws: ClientError.self) { try await api.me() }
        let isUntrusted = if case .untrusted = error { true } else { false }
        #expect(isUntrusted, "\(error.map { "\($0)" } ?? "no error")")
    }
}
