import Contract
import HTTPServer
import Reactor
import Testing

@testable import API
@testable import Backend

@Suite("Readiness")
struct ReadinessTests {
    private func ask(
        _ readiness: Readiness, fault: @escaping @Sendable () async -> String? = { nil }
    ) async throws -> RawHTTP.Response {
        let group = try EventLoopGroup(count: 1, name: "readiness")
        defer { group.shutdown() }
        var router = Router()
        readiness.add(to: &router) { _ in await fault() }
        let server = try await HTTPServer(
            HTTPService(router: router, refuse: { Answer.refusal(for: $0, id: $1) }), on: group.loops,
            binding: try #require(SocketAddress(numeric: "127.0.0.1", port: 0)))
        let request = "GET /readyz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
        return try await RawHTTP.exchange(port: server.address.port, Array(request.utf8))
    }

    @Test("says which server is ready, by its label or else by the beginning of its incarnation")
    func names() async throws {
        let incarnation = Identifier(value: 0xABCD_1234 << 96)
        for (label, name) in [("two", "two"), (nil, "abcd1234")] {
            let readiness = Readiness(label: label, incarnation: incarnation)
            readiness.serve()
            let response = try await ask(readiness)
            #expect(response.status == 200)
            #expect(response.headers["letsswitch-server"] == name)
        }
    }

    @Test("is refused while the server starts or drains, and while something is wrong")
    func refused() async throws {
        let readiness = Readiness()
        #expect(try await ask(readiness).status == 503)
        readiness.serve()
        #expect(try await ask(readiness, fault: { "The disk is gone." }).status == 503)
        #expect(try await ask(readiness).status == 200)
        // A database that says nothing is waited for until the wait is cancelled.
        let silent = try await ask(readiness) {
            await WakeSignal().wait()
            return nil
        }
        #expect(silent.status == 503)
        readiness.drain()
        readiness.serve()
        #expect(try await ask(readiness).status == 503)
    }
}
