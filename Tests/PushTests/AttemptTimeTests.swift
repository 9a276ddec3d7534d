import API
import Contract
import Crypto
import OutboundHTTP
import Outbox
import Postgres
import Reactor
import Settings
import SocketTesting
import TestKit
import Testing

@testable import BackendTesting
@testable import Database
@testable import Push

@Suite struct AttemptTimeTests {
    @Test("a challenge takes from the time of the message that follows")
    func challengeTime() async throws {
        let uptime = Lock(Duration.zero)
        let types = Lock<[String]>([])
        let server = try await AnsweringServer { received, stream in
            guard let gap = received.firstRange(of: Array("\r\n\r\n".utf8)),
                let body = try? JSONValue.parse(Array(received[(gap + 4)...]))
            else { return }
            types.withLock { $0.append(body["type"]?.string ?? "") }
            uptime.withLock { $0 += WebhookSink.longest }
            let echo = body["data"]?["challenge"]?.string ?? ""
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(echo.utf8.count)\r\nConnection: close\r\n\r\n"
            stream.write(Array((head + echo).utf8))
        }
        let url = "http://127.0.0.1:\(server.port)/"
        try await RESTWorld.with { world in
            let session = try #require(HTTPSession(HTTPSessionConfiguration(), on: world.pool.loop))
            let book = AddressBook(on: world.pool.loop, allowsPrivate: true)
            let webhooks = WebhookSink(
                session: session, addresses: book, now: world.application.now,
                uptime: { uptime.withLock { $0 } })
            let vapid = VAPID(key: try P256PrivateKey(), subject: nil)
            let sink = ChannelSink(
                webhooks: webhooks,
                verifier: WebhookVerifier(sink: webhooks) {
                    try await EndpointWriter.verify($0, in: world.pool)
                }, pushServices: PushServices([]), apns: nil,
                webPush: WebPushSink(
                    session: session, addresses: book, vapid: vapid, now: world.application.now),
                metrics: EndpointMetrics(), now: world.application.now)
            let now = world.clock.now
            let outcome = await sink.deliver(
                Delivery(
                    id: 1, endpoint: Identifier(value: 1), host: "127.0.0.1", attempts: 0, expiresAt: nil,
                    message: DeliveryMessage(
                        kind: .webhook,
                        target: .webhook(url: url, secrets: [.make()], isVerified: false),
                        content: .test(endpoint: Identifier(value: 1), writtenAt: now), language: .english)))
            #expect(outcome == WebhookSink.outcome(of: .timedOut))
            #expect(types.withLock { $0 } == ["endpoint.challenge"])
            await session.close()
        }
        withExtendedLifetime(server) {}
    }

    @Test("the look-up of the name takes from the time of the attempt", arguments: [14_500, 15_000])
    func attemptTime(milliseconds: Int64) async throws {
        let server = try await AnsweringServer { _, _ in }
        let session = try #require(HTTPSession(HTTPSessionConfiguration(), on: TestLoops.nextPeer()))
        let uptime = Lock(Duration.zero)
        let book = AddressBook(allowsPrivate: true) { _, port throws(Resolver.Failure) in
            uptime.withLock { $0 += .milliseconds(milliseconds) }
            return [SocketAddress(numeric: "127.0.0.1", port: port)].compactMap(\.self)
        }
        let sink = WebhookSink(
            session: session, addresses: book, now: { Timestamp(seconds: 1_800_000_000) },
            uptime: { uptime.withLock { $0 } })
        let begun = ContinuousClock.now
        let outcome = await sink.deliver(
            .test(endpoint: Identifier(value: 1), writtenAt: Timestamp(seconds: 0)), id: 1,
            to: "http://hooks.example.org:\(server.port)/", secrets: [.make()])
        #expect(ContinuousClock.now - begun < .seconds(10))
        #expect(outcome == WebhookSink.outcome(of: .timedOut))
        await session.close()
        withExtendedLifetime(server) {}
    }
}
