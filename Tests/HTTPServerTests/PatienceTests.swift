import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import Synchronization
import TestKit
import Testing

@Suite("Limits and time-outs of a server")
struct PatienceTests {
    /// A body so large that the kernel does not buffer it whole.
    private static let large = [UInt8](repeating: 0x61, count: 16_000_000)

    @Test("a head that does not end in time is a 408")
    func headerTimeout() async throws {
        let fixture = try await Fixture.timeless(.patient { $0.headerTimeout = .seconds(1) })
        let peer = try await fixture.connect()
        await peer.send("GET /now/x HTTP/1.1\r\nHos")
        await fixture.pass(.seconds(1), after: peer)
        #expect(try Response.read(try await peer.readToEnd()).map(\.status) == [408])
    }

    @Test("so is one that began behind a whole request")
    func pipelinedHeaderTimeout() async throws {
        let fixture = try await Fixture.timeless(.patient { $0.headerTimeout = .seconds(1) })
        let peer = try await fixture.connect()
        await peer.send(request("GET /later/x") + "GET /now/x HTTP/1.1\r\nHos")
        // The time of the next head begins at the answer.
        _ = try await peer.read(until: "an answer") { !$0.isEmpty }
        await fixture.pass(.seconds(1), after: peer)
        #expect(try Response.read(try await peer.readToEnd()).map(\.status) == [200, 408])
    }

    @Test("a body that does not end in time is a 408")
    func bodyTimeout() async throws {
        let fixture = try await Fixture.timeless(.patient { $0.bodyTimeout = .seconds(1) })
        let peer = try await fixture.connect()
        await peer.send(request("POST /echo", "Content-Length: 9") + "half")
        await fixture.pass(.seconds(1), after: peer)
        #expect(try Response.read(try await peer.readToEnd()).map(\.status) == [408])
    }

    @Test("an idle connection is closed without a word")
    func idleTimeout() async throws {
        let fixture = try await Fixture.timeless(.patient { $0.idleTimeout = .seconds(1) })
        let peer = try await fixture.connect()
        await peer.send(request("GET /now/x"))
        _ = try await peer.read(until: "an answer") { !$0.isEmpty }
        await fixture.pass(.seconds(1), after: peer)
        #expect(try Response.read(try await peer.readToEnd()).map(\.status) == [200])
        // Before the first request a connection has the time of a head.
        let strict = try await Fixture.timeless(.patient { $0.headerTimeout = .seconds(1) })
        let silent = try await strict.connect()
        await strict.pass(.seconds(1), after: silent)
        #expect(try await silent.readToEnd().isEmpty)
    }

    @Test("a handler that takes too long is cancelled, and answers for itself")
    func handlerTimeout() async throws {
        let begun = Signal<Void>()
        let fixture = try await Fixture.timeless(.patient { $0.handlerTimeout = .seconds(1) }) { router, _ in
            router.task(.get, "/slow") { _ in
                begun.send()
                let isCancelled = (try? await Task.sleep(for: .seconds(3600))) == nil
                return HTTPResponse(status: isCancelled ? 503 : 200)
            }
        }
        async let responses = fixture.exchange(request("GET /slow", "Connection: close"))
        await begun.value()
        await fixture.pass(.seconds(1))
        #expect(try await responses.map(\.status) == [503])
        #expect(fixture.server.limitCounts == [.handlerTimeout: 1])
    }

    @Test("a handler with a time-out of its own has that long")
    func ownTimeout() async throws {
        let begun = Signal<Void>()
        let hastyBegun = Signal<Void>()
        let mayEnd = Signal<Void>()
        let fixture = try await Fixture.timeless(.patient { $0.handlerTimeout = .seconds(1) }) { router, _ in
            let handler = Router.Handler.task { _ in
                begun.send()
                await mayEnd.value()
                return HTTPResponse(status: Task.isCancelled ? 503 : 200)
            }
            router.on(.get, "/patient", handler.within(.seconds(3600)))
            router.task(.get, "/hasty") { _ in
                hastyBegun.send()
                _ = try? await Task.sleep(for: .seconds(3600))
                return HTTPResponse(status: 503)
            }
        }
        async let patient = fixture.exchange(request("GET /patient", "Connection: close"))
        await begun.value()
        // This request came later, with the server's timeout, which is over when it is answered.
        async let hasty = fixture.exchange(request("GET /hasty", "Connection: close"))
        await hastyBegun.value()
        await fixture.pass(.seconds(1))
        #expect(try await hasty.map(\.status) == [503])
        mayEnd.send()
        #expect(try await patient.map(\.status) == [200])
    }

    @Test("a handler whose client has gone is cancelled")
    func clientGone() async throws {
        let begun = Signal<Void>()
        let cancelled = Signal<Bool>()
        let fixture = try await Fixture { router, _ in
            router.task(.get, "/slow") { _ in
                begun.send()
                cancelled.send((try? await Task.sleep(for: .seconds(3600))) == nil)
                return HTTPResponse(status: 200)
            }
        }
        let peer = try await fixture.connect()
        // An answer that is not read makes the close a reset; a half-close alone would be waited for.
        await peer.send(request("GET /now/unread"))
        _ = try await peer.read(until: "an answer") { !$0.isEmpty }
        await peer.pause()
        await peer.send(request("GET /now/unread") + request("GET /slow"))
        await begun.value()
        await peer.close()
        #expect(await cancelled.value())
        #expect(fixture.server.limitCounts == [.hungUp: 1])
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("beyond the limit of connections there is a 503, and room again when one has gone")
    func connectionLimit() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.maximumConnections = 2
        let fixture = try await Fixture(configuration)
        let (first, second) = (try await fixture.connect(), try await fixture.connect())
        for peer in [first, second] {
            await peer.send(request("GET /now/here"))
            try await peer.take(until: "here")
        }
        #expect(try await fixture.exchange(request("GET /now/x")).map(\.status) == [503])
        await first.close()
        await second.close()
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
        let again = try await fixture.exchange(request("GET /now/x", "Connection: close"))
        #expect(again.map(\.status) == [200])
    }

    @Test("a client that does not read its answer is dropped", arguments: [true, false])
    func writeTimeout(isLast: Bool) async throws {
        let asked = Signal<Void>()
        let fixture = try await Fixture.timeless(.patient { $0.writeTimeout = .seconds(1) }) { router, _ in
            router.immediate(.get, "/large") { _ in
                asked.send()
                return HTTPResponse(status: 200, body: Self.large)
            }
        }
        let peer = try await fixture.connect()
        await peer.pause()
        await peer.send(request("GET /large", "Connection: \(isLast ? "close" : "keep-alive")"))
        await asked.value()
        await fixture.pass(.seconds(1))
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
        await peer.resume()
        #expect(try await peer.readToEnd().count < Self.large.count)
    }

    @Test("a large answer is read whole, also where it is the last")
    func largeAnswer() async throws {
        let fixture = try await Fixture { router, _ in
            router.immediate(.get, "/large") { _ in HTTPResponse(status: 200, body: Self.large) }
        }
        let responses = try await fixture.exchange(
            request("GET /large") + request("GET /now/x") + request("GET /large", "Connection: close"))
        #expect(responses.map(\.body.count) == [Self.large.count, 1, Self.large.count])
        let peer = try await fixture.connect()
        await peer.send(request("GET /large"))
        await peer.finish()
        #expect(try Response.read(try await peer.readToEnd()).map(\.body.count) == [Self.large.count])
    }

    @Test("who asks and does not read is not answered any further")
    func unreadPipeline() async throws {
        let count = Atomic<Int>(0)
        let body = [UInt8](repeating: 0x62, count: 32 * 1024)
        let begun = Signal<Void>()
        let fixture = try await Fixture.timeless(.patient { $0.writeTimeout = .seconds(1) }) { router, _ in
            router.immediate(.get, "/") { _ in
                begun.send()
                count.add(1, ordering: .relaxed)
                return HTTPResponse(status: 200, body: body)
            }
        }
        let peer = try await fixture.connect()
        await peer.pause()
        let asked = 4000
        await peer.send(String(repeating: request("GET /"), count: asked))
        await begun.value()
        // The server answers until the kernel's buffer is full, and has a second from then on.
        while fixture.server.connectionCount > 0 { await fixture.pass(.seconds(1)) }
        #expect(count.load(ordering: .relaxed) < asked)
    }

    @Test("beyond the rate of an address there is a 429 that says when to come again")
    func rateLimit() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.requestsPerSecond = 1
        let fixture = try await Fixture(configuration)
        let text = String(repeating: request("GET /now/x"), count: 4)
        let responses = try await fixture.exchange(text + request("GET /now/x", "Connection: close"))
        #expect(responses.map(\.status).prefix(2) == [200, 200])
        #expect(responses.last?.status == 429)
        #expect(responses.last?.head.headers.first("retry-after") == "1")
    }
}
