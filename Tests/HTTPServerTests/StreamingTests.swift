import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("Answers that are streamed")
struct StreamingTests {
    /// Starts a server whose `/stream` writes two parts, and then sleeps for an hour, or until it is
    /// cancelled.
    private static func fixture(
        _ configuration: HTTPServerConfiguration = HTTPServerConfiguration.patient, ended: Signal<Bool>
    ) async throws -> Fixture {
        try await Fixture(configuration) { router, _ in
            router.immediate(.get, "/stream") { _ in
                HTTPResponse(status: 200, headers: ["Content-Type": "text/event-stream"]) { stream in
                    try? await stream.write(Array("one ".utf8))
                    try? await stream.write(Array("two".utf8))
                    ended.send((try? await Task.sleep(for: .seconds(3600))) == nil)
                }
            }
            router.task(.get, "/short") { _ in
                HTTPResponse(status: 200, headers: [:]) { stream in
                    for part in 0..<5 {
                        try? await stream.write(Array("\(part)".utf8))
                        await Task.yield()
                    }
                }
            }
        }
    }

    @Test("come in chunks, behind other answers, and end with their connection", arguments: ["GET", "HEAD"])
    func chunks(method: String) async throws {
        let fixture = try await Self.fixture(ended: Signal())
        let responses = try await fixture.exchange(
            request("GET /now/a") + request("GET /later/b") + request("\(method) /short"), .get, .get,
            method == "GET" ? .get : .head)
        #expect(responses.map(\.text) == ["a", "b", method == "GET" ? "01234" : ""])
        #expect(responses.last?.head.headers.first("transfer-encoding") == "chunked")
        #expect(responses.last?.head.keepAlive == false)
    }

    @Test("end with the connection in HTTP/1.0")
    func version10() async throws {
        let fixture = try await Self.fixture(ended: Signal())
        let responses = try await fixture.exchange("GET /short HTTP/1.0\r\n\r\n")
        #expect(responses.map(\.text) == ["01234"])
    }

    @Test("are kept alive by comments, and their task is cancelled when the client leaves")
    func keepAlive() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.streamKeepAliveInterval = .milliseconds(100)
        configuration.streamKeepAlive = Array(": still here\n\n".utf8)
        let ended = Signal<Bool>()
        let fixture = try await Self.fixture(configuration, ended: ended)
        let peer = try await fixture.connect()
        await peer.send(request("GET /stream"))
        try await peer.take(until: "two")
        try await peer.take(until: ": still here\n\n")
        try await peer.take(until: ": still here\n\n")
        await peer.close()
        #expect(await ended.value())
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("are kept alive by bytes of their own too, if they have some")
    func heartbeat() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.streamKeepAliveInterval = .milliseconds(100)
        configuration.streamKeepAlive = Array(": still here\n\n".utf8)
        let fixture = try await Fixture(configuration) { router, _ in
            router.immediate(.get, "/silent") { _ in
                var response = HTTPResponse(status: 200, headers: [:]) { stream in
                    _ = try? await Task.sleep(for: .seconds(3600))
                }
                response.heartbeat = Array("event: heartbeat\ndata: {}\n\n".utf8)
                return response
            }
        }
        let peer = try await fixture.connect()
        await peer.send(request("GET /silent"))
        try await peer.take(until: ": still here\n\nevent: heartbeat\ndata: {}\n\n")
        try await peer.take(until: ": still here\n\nevent: heartbeat\ndata: {}\n\n")
        await peer.close()
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("wait for a slow reader, and end where it never reads")
    func slowReader() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.streamKeepAliveInterval = .milliseconds(200)
        let ended = Signal<Int>()
        let fixture = try await Fixture(configuration) { router, _ in
            router.immediate(.get, "/endless") { _ in
                HTTPResponse(status: 200, headers: [:]) { stream in
                    let part = [UInt8](repeating: 0x63, count: 32 * 1024)
                    var count = 0
                    while (try? await stream.write(part)) != nil { count += 1 }
                    ended.send(count)
                }
            }
        }
        let peer = try await fixture.connect()
        await peer.pause()
        await peer.send(request("GET /endless"))
        #expect(await ended.value() < 2000, "what the kernel and the high water hold, and no more")
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }
}
