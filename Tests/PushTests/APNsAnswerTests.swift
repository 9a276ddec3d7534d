import Contract
import Crypto
import Outbox
import Reactor
import TestKit
import Testing

@testable import BackendTesting
@testable import OutboundHTTP
@testable import Push
@testable import Settings

@Suite struct APNsAnswerTests {
    private static let now = Timestamp(seconds: 1_803_904_140)

    private static func answer(_ status: Int, _ reason: String) -> APNsAnswer {
        let body = reason.isEmpty ? "" : #"{"reason":"\#(reason)"}"#
        return APNsAnswer(OutboundResponse(status: status, headers: [], body: Array(body.utf8)), at: now)
    }

    private static func name(of outcome: Outcome) -> String {
        switch outcome {
        case .delivered: "delivered"
        case .failed: "failed"
        case .refused: "refused"
        case .gone: "gone"
        }
    }

    @Test(
        "Apple's answer decides the outcome and the state of the endpoint",
        arguments: [
            (200, "", "delivered"), (400, "BadDeviceToken", "gone"), (400, "DeviceTokenNotForTopic", "gone"),
            (410, "Unregistered", "gone"), (413, "PayloadTooLarge", "refused"),
            (400, "BadTopic", "failed"), (400, "MissingTopic", "failed"), (400, "TopicDisallowed", "failed"),
            (403, "InvalidProviderToken", "failed"), (429, "TooManyRequests", "failed"),
            (500, "InternalServerError", "failed"), (503, "ServiceUnavailable", "failed"),
            (400, "", "failed"), (302, "", "failed"), (204, "", "failed"), (101, "", "failed"),
        ])
    func reasons(status: Int, reason: String, expected: String) {
        let outcome = Self.answer(status, reason).outcome(hasAccepted: true)
        #expect(Self.name(of: outcome) == expected)
        // Otherwise an error of the operator's key or topic, or of the service, would end all endpoints.
        if case .failed = outcome { #expect(outcome.countsAgainstEndpoint == (status == 429)) }
    }

    @Test(
        "a device that Apple refuses while it has accepted none is kept, and so is its delivery",
        arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"])
    func refusedDevice(reason: String) {
        let outcome = Self.answer(400, reason).outcome(hasAccepted: false)
        #expect(Self.name(of: outcome) == "failed")
        #expect(!outcome.countsAgainstEndpoint)
    }

    @Test(
        "a 410 with a time before the device was registered does not end it",
        arguments: [
            (Int64(-1), "failed"), (0, "gone"), (1, "gone"), (nil, "gone"), (Int64.max, "gone"),
        ] as [(Int64?, String)])
    func goneBefore(milliseconds: Int64?, expected: String) {
        let time = milliseconds.map { $0 == .max ? $0 : Self.now.microseconds / 1_000 + $0 }
        let body = #"{"reason":"Unregistered"\#(time.map { #","timestamp":\#($0)"# } ?? "")}"#
        let answer = APNsAnswer(
            OutboundResponse(status: 410, headers: [], body: Array(body.utf8)), at: Self.now)
        #expect(Self.name(of: answer.outcome(hasAccepted: true, registeredAt: Self.now)) == expected)
        #expect(Self.name(of: answer.outcome(hasAccepted: true)) == "gone")
    }

    /// An APNs service at which a clock can be set, with the warnings that the sink gave.
    private final class Service: Sendable {
        let sink: APNsSink
        let session: HTTPSession
        let receiver: WebhookReceiver
        let clock: Lock<Timestamp>
        let told: Lock<[String]>

        /// Starts a service with an answer for each push, by its number.
        init(_ answers: @escaping @Sendable (Int) -> (status: String, reason: String)) async throws {
            let receiver = try await WebhookReceiver(
                { answers($0).status }, body: { #"{"reason":"\#(answers($0).reason)"}"# })
            let loop = TestLoops.nextPeer()
            let session = try #require(HTTPSession(HTTPSessionConfiguration(), on: loop))
            let (clock, told) = (Lock(APNsAnswerTests.now), Lock<[String]>([]))
            sink = try APNsSink(
                APNsConfiguration(
                    key: try PushTests.pem(P256PrivateKey()), keyID: "KEYKEYKEY1", teamID: "TEAMTEAM12",
                    topic: "org.example.app", url: String(receiver.url.dropLast("/hook".count))),
                session: session, addresses: AddressBook(on: loop, allowsPrivate: true),
                now: { clock.withLock { $0 } },
                warn: { warning, answer in told.withLock { $0.append("\(warning): \(answer)") } })
            (self.receiver, self.session, self.clock, self.told) = (receiver, session, clock, told)
        }

        func push(_ environment: PushEnvironment = .production, after seconds: Int64 = 0) async -> String {
            clock.withLock { $0 = APNsAnswerTests.now.adding(.seconds(seconds)) }
            let test = DeliveryMessage.Content.test(
                endpoint: Identifier(value: 1), writtenAt: APNsAnswerTests.now)
            return APNsAnswerTests.name(
                of: await sink.deliver(test, to: "abcd", environment, expiresAt: nil, in: .english))
        }
    }

    @Test(
        "a fault of the configuration is logged with Apple's reason, once a minute",
        arguments: [
            ("403 Forbidden", "InvalidProviderToken", "refuses the key"),
            ("400 Bad Request", "BadTopic", "check APNS_TOPIC"),
            ("400 Bad Request", "MissingTopic", "check APNS_TOPIC"),
            ("400 Bad Request", "TopicDisallowed", "check APNS_TOPIC"),
            ("400 Bad Request", "DeviceTokenNotForTopic", "check APNS_TOPIC"),
            ("400 Bad Request", "BadDeviceToken", "check APNS_TOPIC"),
        ])
    func warnings(status: String, reason: String, warning: String) async throws {
        let service = try await Service { _ in (status, reason) }
        for (seconds, count) in [(0, 1), (59, 1), (60, 2)] as [(Int64, Int)] {
            #expect(await service.push(after: seconds) == "failed")
            let told = service.told.withLock { $0 }
            #expect(told.count == count)
            #expect(told.allSatisfy { $0.contains(warning) && $0.hasSuffix(reason) }, "\(told)")
        }
        await service.session.close()
    }

    @Test("a refused device is disabled for a day after Apple accepted a push in its environment, not after")
    func acceptance() async throws {
        let service = try await Service { number in
            number == 1 ? ("200 OK", "") : ("400 Bad Request", "DeviceTokenNotForTopic")
        }
        #expect(await service.push() == "delivered")
        #expect(await service.push(after: 24 * 3600 - 1) == "gone")
        #expect(service.told.withLock { $0 } == [])
        #expect(await service.push(.sandbox, after: 24 * 3600 - 1) == "failed")
        #expect(await service.push(after: 24 * 3600) == "failed")
        #expect(service.told.withLock { $0.count } == 1)
        await service.session.close()
    }
}
