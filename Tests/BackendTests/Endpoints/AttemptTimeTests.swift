import Contract
import Crypto
import OutboundHTTP
import Outbox
import Reactor
import SocketTesting
import Testing

@testable import Backend

@Suite struct AttemptTimeTests {
    @Test("the look-up of the name takes from the time of the attempt", arguments: [14_500, 15_000])
    func attemptTime(milliseconds: Int64) async throws {
        let server = try await AnsweringServer { _, _ in }
        let session = try #require(HTTPSession(HTTPSessionConfiguration(), on: SocketLoops.next()))
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
            .test(endpoint: UUID(value: 1), writtenAt: Timestamp(seconds: 0)), id: 1,
            to: "http://hooks.example.org:\(server.port)/", secrets: [.make()])
        #expect(ContinuousClock.now - begun < .seconds(10))
        #expect(outcome == WebhookSink.outcome(of: .timedOut))
        await session.close()
        withExtendedLifetime(server) {}
    }
}
