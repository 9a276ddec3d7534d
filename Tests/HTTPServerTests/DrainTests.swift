import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("Draining a server")
struct DrainTests {
    @Test("closes what is idle, finishes what is busy, and accepts nothing")
    func drain() async throws {
        let (begun, release) = (Signal<Void>(), Signal<Void>())
        let fixture = try await Fixture { router, _ in
            router.task(.get, "/busy") { _ in
                begun.send()
                await release.value()
                return HTTPResponse(status: 200, body: Array("done".utf8))
            }
        }
        let (idle, busy) = (try await fixture.connect(), try await fixture.connect())
        await idle.send(request("GET /now/x"))
        _ = try await idle.read(until: "an answer") { !$0.isEmpty }
        await busy.send(request("GET /busy") + request("GET /now/behind"))
        await begun.value()
        await fixture.server.drain()
        _ = try await idle.readToEnd()
        await #expect(throws: Peer.Failure.self) { try await fixture.connect() }
        release.send()
        let responses = try Response.read(try await busy.readToEnd())
        #expect(responses.map(\.text) == ["done"])
        #expect(responses.first?.head.headers.first("connection") == "close")
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("an answer that is on its way arrives whole")
    func answerOnItsWay() async throws {
        let large = [UInt8](repeating: 0x61, count: 16_000_000)
        let fixture = try await Fixture { router, _ in
            router.immediate(.get, "/large") { _ in HTTPResponse(status: 200, body: large) }
        }
        let peer = try await fixture.connect()
        await peer.send(request("GET /large"))
        _ = try await peer.read(until: "its beginning") { !$0.isEmpty }
        await peer.pause()
        await fixture.server.drain()
        await peer.resume()
        #expect(try Response.read(try await peer.readToEnd()).map(\.body.count) == [large.count])
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("ends streams in order, also one whose reader is slow")
    func streams() async throws {
        let begun = Signal<Void>()
        let ended = Signal<Void>()
        let fixture = try await Fixture { router, _ in
            router.immediate(.get, "/endless") { _ in
                HTTPResponse(status: 200, headers: [:]) { stream in
                    let part = [UInt8](repeating: 0x63, count: 32 * 1024)
                    begun.send()
                    while !Task.isCancelled, (try? await stream.write(part)) != nil {}
                    ended.send()
                }
            }
        }
        let peer = try await fixture.connect()
        await peer.pause()
        await peer.send(request("GET /endless"))
        await begun.value()
        await fixture.server.drain()
        await ended.value()
        await peer.resume()
        let responses = try Response.read(try await peer.readToEnd())
        #expect(responses.count == 1, "its last chunk came")
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("ends event streams one after the other, and those at once that begin afterwards")
    func pacedStreams() async throws {
        // Only the first stream ends before this test does.
        var configuration = HTTPServerConfiguration.patient
        configuration.streamEndsPerSecond = 1
        configuration.longestStreamDrain = .seconds(36_000)
        let (asked, release) = (Signal<Void>(), Signal<Void>())
        let ended = Lock(0)
        let fixture = try await Fixture(configuration, loopCount: 1) { router, _ in
            router.immediate(.get, "/stream") { _ in
                HTTPResponse(status: 200, headers: [:]) { stream in
                    try? await stream.write(Array("begun".utf8))
                    try? await Task.sleep(for: .seconds(3_600))
                    ended.withLock { $0 += 1 }
                }
            }
            router.task(.get, "/late") { _ in
                asked.send()
                await release.value()
                return HTTPResponse(status: 200, headers: [:]) { stream in
                    try? await stream.write(Array("late".utf8))
                    try? await Task.sleep(for: .seconds(3_600))
                }
            }
        }
        var streams: [Peer] = []
        for _ in 0..<5 {
            let peer = try await fixture.connect()
            await peer.send(request("GET /stream"))
            try await peer.take(until: "begun")
            streams.append(peer)
        }
        let late = try await fixture.connect()
        await late.send(request("GET /late"))
        await asked.value()
        await fixture.server.drain()
        _ = try await streams[0].readToEnd()
        release.send()
        let response = try Response.read(try await late.readToEnd())
        #expect(response.map(\.text) == ["late"])
        #expect(ended.withLock { $0 } == 1)
        for peer in streams + [late] { await peer.close() }
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }
}
