import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("Each answered request is told once")
struct AnsweredRequestTests {
    /// Starts a server that tells of its answers. `/own` answers for the account 7, `/stream` writes seven
    /// bytes and waits for the end of the client.
    private static func fixture(
        _ configuration: HTTPServerConfiguration = HTTPServerConfiguration.patient,
        telling told: Lock<[AnsweredRequest]>
    ) async throws -> Fixture {
        try await Fixture(configuration, loopCount: 1, telling: told) { router, _ in
            router.task(.get, "/own") { _ in
                var response = HTTPResponse(status: 203, body: Array("own".utf8))
                response.account = 7
                return response
            }
            router.task(.get, "/stream") { _ in
                HTTPResponse(status: 200, headers: [:]) { stream in
                    try? await stream.write(Array("one ".utf8))
                    try? await stream.write(Array("two".utf8))
                    try? await Task.sleep(for: .seconds(3600))
                }
            }
        }
    }

    private static func words(_ request: AnsweredRequest) -> String {
        let route = request.route?.pattern ?? "-"
        let account = request.account.map { "\($0)" } ?? "-"
        return "\(request.method?.rawValue ?? "-") \(route) \(request.status) \(request.bytes) \(account)"
    }

    @Test(
        "with the pattern of its route, and no word of the client's",
        arguments: [
            ("GET /now/secret", "GET /now/{text} 200 6 -"), ("HEAD /now/secret", "HEAD /now/{text} 200 0 -"),
            ("GET /later/abc?x=y", "GET /later/{text} 200 3 -"), ("GET /own", "GET /own 203 3 7"),
            ("GET /nothing", "GET - 404 9 -"), ("DELETE /now/abc", "DELETE /now/{text} 405 11 -"),
            ("ODD /now/abc", "ODD /now/{text} 405 11 -"), ("GET /now/%ff", "GET - 400 10 -"),
            ("OPTIONS *", "OPTIONS - 204 0 -"),
        ])
    func routes(line: String, expected: String) async throws {
        let told = Lock<[AnsweredRequest]>([])
        let fixture = try await Self.fixture(telling: told)
        _ = try await fixture.exchange(
            request(line, "Connection: close"), line.hasPrefix("HEAD") ? .head : .get)
        let words = told.withLock { $0.map(Self.words) }
        #expect(words == [expected])
        #expect(told.withLock { !$0.contains(where: \.isStream) })
    }

    @Test(
        "also where the bytes are no request",
        arguments: [
            ("rubbish\r\n\r\n", "- - 400 10 -"),
            ("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\n", "POST /echo 413 10 -"),
            (
                "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
                "POST /echo 400 10 -"
            ),
        ])
    func unreadable(text: String, expected: String) async throws {
        let told = Lock<[AnsweredRequest]>([])
        let fixture = try await Self.fixture(telling: told)
        _ = try await fixture.exchange(text)
        #expect(told.withLock { $0.map(Self.words) } == [expected])
        #expect(told.withLock { $0.map { "\($0.client)" } } == ["127.0.0.1"])
    }

    @Test("with its route and its client also where the rate of the address is too high")
    func limited() async throws {
        let told = Lock<[AnsweredRequest]>([])
        var configuration = HTTPServerConfiguration.patient
        configuration.requestsPerSecond = 1
        let fixture = try await Self.fixture(configuration, telling: told)
        var text = ""
        for _ in 0..<5 { text += request("GET /now/a") }
        _ = try await fixture.exchange(text + request("GET /now/a", "Connection: close"))
        let limited = told.withLock { $0 }.filter { $0.status == 429 }
        #expect(limited.count >= 3)
        #expect(limited.allSatisfy { $0.route?.pattern == "/now/{text}" && $0.request == nil })
        #expect(limited.allSatisfy { "\($0.client)" == "127.0.0.1" && !$0.id.isEmpty })
    }

    @Test("with the bytes of a stream, when the client leaves it")
    func stream() async throws {
        let told = Lock<[AnsweredRequest]>([])
        let fixture = try await Self.fixture(telling: told)
        let peer = try await fixture.connect()
        await peer.send(request("GET /stream"))
        _ = try await peer.take(until: "two")
        #expect(told.withLock { $0.isEmpty })
        await peer.close()
        try await eventually { told.withLock { !$0.isEmpty } }
        await fixture.catchUp()
        #expect(told.withLock { $0.map(Self.words) } == ["GET /stream 200 7 -"])
        #expect(told.withLock { $0.map(\.isStream) } == [true])
    }
}
