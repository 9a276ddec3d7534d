import Contract
import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import Testing

@testable import Backend
@testable import Database

@Suite("The check of a balancer")
struct BalancerCheckTests {
    private static func servers(_ labels: String?...) -> [ServerEntry] {
        labels.enumerated().map { index, label in
            ServerEntry(name: "\(Identifier(value: UInt128(index + 1) << 96))", label: label)
        }
    }

    /// Runs a check of a server that answers every request in that way.
    private static func check(
        _ servers: [ServerEntry], _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) async throws -> [String] {
        let group = try EventLoopGroup(count: 1, name: "balancer")
        defer { group.shutdown() }
        var router = Router()
        router.on(.get, "/at/socket", .immediate(answer))
        let balancer = try await HTTPServer(
            HTTPService(router: router, refuse: { _, _, _ in HTTPResponse(status: 404) }), on: group.loops,
            binding: Loopback.address)
        let url = try WebURL("http://\(balancer.address)/at/")
        return try await BalancerCheck(balancer: url, authorities: nil, servers: servers).run(
            on: group.loops[0]
        ).map { $0.replacing(url.text, with: "URL") }
    }

    @Test("counts all sockets as right where the balancer follows the hint")
    func followed() async throws {
        let lines = try await Self.check(Self.servers("one", "two")) { request in
            HTTPResponse(
                status: 401, headers: ["Letsswitch-Server": request.query.first("server") ?? "nobody"])
        }
        #expect(
            lines == [
                "Through URL 32 sockets of made-up rooms were asked for, each with the name of its server in "
                    + "server=.",
                "32 landed at the server of their room; 0 landed at another one, and would be passed on "
                    + "(tunnelled).",
            ])
    }

    @Test("counts those that land at another server")
    func ignored() async throws {
        let lines = try await Self.check(Self.servers(nil, nil)) { request in
            #expect(request.query.first("server") == nil)
            return HTTPResponse(status: 401, headers: ["Letsswitch-Server": "00000002"])
        }
        #expect(lines[0].hasSuffix("without server=, since no server has a SERVER_NAME."))
        let numbers = lines[1].split(separator: " ").compactMap { Int($0) }
        #expect(numbers.reduce(0, +) == 32 && numbers.allSatisfy { $0 > 0 }, "\(lines)")
    }

    @Test("says how many were answered by no server")
    func strangers() async throws {
        let lines = try await Self.check(Self.servers("one", nil)) { _ in HTTPResponse(status: 502) }
        #expect(lines.last == "32 got no answer of a server: status 502.")
        let none = try await Self.check([]) { _ in HTTPResponse(status: 502) }
        #expect(none == ["No server is there to which a balancer could bring a socket."])
    }
}
