import Contract
import HTTPServer
import Reactor
import Testing

@testable import API
@testable import Backend
@testable import BackendTesting

@Suite("Readiness")
struct ReadinessTests {
    private func ask(
        _ readiness: Readiness, _ path: String = "/readyz",
        parts: (@Sendable () async -> [PartState])? = nil,
        fault: @escaping @Sendable () async -> String? = { nil }
    ) async throws -> RawHTTP.Response {
        let group = try EventLoopGroup(count: 1, name: "readiness")
        defer { group.shutdown() }
        var router = Router()
        readiness.add(to: &router, parts: parts) { _ in await fault() }
        let server = try await HTTPServer(
            HTTPService(router: router, refuse: { Answer.refusal(for: $0, to: $1, id: $2) }), on: group.loops,
            binding: try #require(SocketAddress(numeric: "127.0.0.1", port: 0)))
        let request = "GET \(path) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
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

    @Test("shows the state of each part to operators alone")
    func verbose() async throws {
        let readiness = Readiness()
        let parts: @Sendable () async -> [PartState] = {
            [PartState(name: "lease", isWell: false, ageSeconds: 7.5, detail: "past")]
        }
        let starting = try await ask(readiness, "/readyz?verbose", parts: parts)
        #expect(starting.status == 503)
        #expect(try starting.json()["isReady"]?.bool == false)
        readiness.serve()
        // Only the server and its database count.
        let ready = try await ask(readiness, "/readyz?verbose", parts: parts)
        #expect(ready.status == 200)
        let all = try #require(try ready.json()["parts"]?.array)
        #expect(all.map { $0["name"]?.string } == ["server", "database", "lease"])
        #expect(all.map { $0["isWell"]?.bool } == [true, true, false])
        #expect(all[2]["detail"]?.string == "past" && all[0]["detail"]?.string == "serving")
        let gone = try await ask(readiness, "/readyz?verbose", parts: parts) { "The disk is gone." }
        #expect(gone.status == 503)
        #expect(try gone.json()["parts"]?.array?[1]["detail"]?.string == "The disk is gone.")
        #expect(try await ask(readiness, parts: parts).text.hasSuffix("ready\n"))
        #expect(try await ask(readiness, "/readyz?verbose").text.hasSuffix("ready\n"))
    }

    @Test("is refused while the server starts or drains, and while something is wrong")
    func refused() async throws {
        let readiness = Readiness()
        #expect(try await ask(readiness).status == 503)
        readiness.serve()
        #expect(try await ask(readiness, fault: { "The disk is gone." }).status == 503)
        #expect(try await ask(readiness).status == 200)
        // A database that says nothing is waited for until the wait is cancelled.
        let silent = try await ask(
            readiness,
            fault: {
                await WakeSignal().wait()
                return nil
            })
        #expect(silent.status == 503)
        readiness.drain()
        readiness.serve()
        #expect(try await ask(readiness).status == 503)
    }

    @Test(
        "says how far the machine's clock is ahead or behind, without a sign",
        arguments: [
            (-0.000_01, "0.0 s ahead of"), (0, "0.0 s ahead of"), (1.5, "1.5 s ahead of"),
            (-0.25, "0.25 s behind"),
        ])
    func clock(seconds: Double, text: String) {
        #expect(SchedulePart.clockDetail(aheadSeconds: seconds) == "this machine is \(text) the database")
    }
}
