import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("Documents that are streamed")
struct DocumentTests {
    private struct Broken: Error {}

    /// Starts a server whose `/document` writes "1", and the rest once it is released: "2" and its end, or,
    /// with `fails`, nothing, and throws.
    private static func fixture(
        fails: Bool = false, begun: Signal<Void>, release: Signal<Void>
    ) async throws -> Fixture {
        var configuration = HTTPServerConfiguration.patient
        configuration.streamKeepAlive = Array("still here".utf8)
        return try await Fixture.timeless(configuration) { router, _ in
            router.immediate(.get, "/document") { _ in
                HTTPResponse(
                    status: 200, headers: [:],
                    document: { stream in
                        try await stream.write(Array("1".utf8))
                        begun.send()
                        await release.value()
                        if fails { throw Broken() }
                        try await stream.write(Array("2".utf8))
                    })
            }
        }
    }

    @Test("have nothing in them but what their task writes, however long that takes")
    func silence() async throws {
        let (begun, release) = (Signal<Void>(), Signal<Void>())
        let fixture = try await Self.fixture(begun: begun, release: release)
        let peer = try await fixture.connect()
        await peer.send(request("GET /document"))
        await begun.value()
        _ = try await peer.read(until: "its beginning") { !$0.isEmpty }
        for _ in 0..<3 {
            await fixture.pass(.seconds(60), after: peer)
            await fixture.catchUp()
        }
        release.send()
        let responses = try Response.read(try await peer.readToEnd())
        #expect(responses.map(\.text) == ["12"])
    }

    @Test("are cut where their task throws, so that the reader can tell")
    func failure() async throws {
        let (begun, release) = (Signal<Void>(), Signal<Void>())
        let fixture = try await Self.fixture(fails: true, begun: begun, release: release)
        let peer = try await fixture.connect()
        await peer.send(request("GET /document"))
        release.send()
        let bytes = try await peer.readToEnd()
        #expect(bytes.starts(with: Array("HTTP/1.1 200 ".utf8)))
        #expect(throws: HTTPError.truncated) { try Response.read(bytes) }
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("are finished by a server that drains, and for a client that has closed its half")
    func drain() async throws {
        let (begun, release) = (Signal<Void>(), Signal<Void>())
        let fixture = try await Self.fixture(begun: begun, release: release)
        let peer = try await fixture.connect()
        await peer.send(request("GET /document"))
        await begun.value()
        await peer.finish()
        await fixture.server.drain()
        await fixture.catchUp()
        release.send()
        #expect(try Response.read(try await peer.readToEnd()).map(\.text) == ["12"])
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("wait for a slow reader, and are cut where it never reads")
    func slowReader() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.writeTimeout = .milliseconds(200)
        let ended = Signal<Int>()
        let fixture = try await Fixture(configuration) { router, _ in
            router.immediate(.get, "/endless") { _ in
                HTTPResponse(
                    status: 200, headers: [:],
                    document: { stream in
                        let part = [UInt8](repeating: 0x63, count: 32 * 1024)
                        var count = 0
                        while (try? await stream.write(part)) != nil { count += 1 }
                        ended.send(count)
                        throw Broken()
                    })
            }
        }
        let peer = try await fixture.connect()
        await peer.pause()
        await peer.send(request("GET /endless"))
        #expect(await ended.value() < 2000, "what the kernel and the high water hold, and no more")
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }
}
