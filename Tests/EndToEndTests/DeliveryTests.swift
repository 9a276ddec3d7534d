import Client
import Contract
import Glibc
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("Outbound notifications", .timeLimit(.minutes(5)))
struct DeliveryTests {
    @Test("what a killed server had sent, and not settled, comes again from another one, under the same id")
    func killed() async throws {
        let (ids, continuation) = AsyncStream<String>.makeStream()
        let count = Lock(0)
        let receiver = try await AnsweringServer { received, stream in
            guard received.last == UInt8(ascii: "}") else { return }
            continuation.yield(Self.id(in: String(decoding: received, as: UTF8.self)))
            let number = count.countUp()
            // The first attempt gets no answer.
            if number > 1 { stream.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)) }
        }
        try await Stage.with(.openNow, ["ALLOW_PRIVATE_WEBHOOKS": "true"]) { stage in
            let first = try await stage.start()
            let ada = try await Person(named: "Ada", on: first)
            let made = try await Curl.post(
                "\(first.url)/v1/endpoints",
                #"{"kind":"webhook","url":"http://127.0.0.1:\#(receiver.port)/","types":["room.opened"]}"#,
                token: ada.token)
            let endpoint = try #require(try made.json["id"]?.string)
            try await ada.register(stage.grid.openSlot)
            var iterator = ids.makeAsyncIterator()
            let before = try #require(await iterator.next())
            await first.kill()
            let second = try await stage.start()
            let after = try #require(await iterator.next())
            #expect(before.hasPrefix("msg_") && after == before)
            #expect(try await Self.outcomes(of: endpoint, ada.token, at: second) == ["delivered"])
        }
    }

    @Test("what a server that is told to stop has under way is finished, and comes once")
    func stopped() async throws {
        let arrived = Signal<(loop: EventLoop, stream: LoopBound<Reactor.Stream>)>()
        let count = Lock(0)
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        let receiver = try await AnsweringServer { received, stream in
            guard received.last == UInt8(ascii: "}") else { return }
            let number = count.countUp()
            if number > 1 { return stream.write(answer) }
            arrived.send((stream.loop, LoopBound(stream, to: stream.loop)))
        }
        try await Stage.with(.openNow, ["ALLOW_PRIVATE_WEBHOOKS": "true"]) { stage in
            let first = try await stage.start()
            let ada = try await Person(named: "Ada", on: first)
            let made = try await Curl.post(
                "\(first.url)/v1/endpoints",
                #"{"kind":"webhook","url":"http://127.0.0.1:\#(receiver.port)/","types":["room.opened"]}"#,
                token: ada.token)
            let endpoint = try #require(try made.json["id"]?.string)
            try await ada.register(stage.grid.openSlot)
            let waiting = await arrived.value()
            first.signal(SIGTERM)
            #expect(await first.hasLogged("draining"))
            // There is time enough for a server to give up its pending attempt, if it did that.
            for _ in 0..<20 { _ = try? await Curl("\(first.url)/livez") }
            await waiting.loop.submit { waiting.stream.value.write(answer) }
            #expect(await first.ending() == .exited(0))
            let second = try await stage.start()
            #expect(try await Self.outcomes(of: endpoint, ada.token, at: second) == ["delivered"])
            #expect(count.withLock { $0 } == 1)
        }
    }

    /// Waits until the endpoint shows outcomes, and returns them.
    private static func outcomes(
        of endpoint: String, _ token: String, at server: ServerProcess
    ) async throws -> [String] {
        while true {
            let answer = try await Curl(
                "\(server.url)/v1/endpoints/\(endpoint)", "-H", "Authorization: Bearer \(token)")
            let outcomes = try answer.json["outcomes"]?.array ?? []
            if !outcomes.isEmpty { return outcomes.compactMap { $0["outcome"]?.string } }
        }
    }

    private static func id(in request: String) -> String {
        let line = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("webhook-id:") } ?? ""
        return line.split(separator: " ").last.map(String.init) ?? ""
    }
}
