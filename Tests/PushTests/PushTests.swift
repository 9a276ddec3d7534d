import Codecs
import Contract
import Crypto
import Outbox
import Reactor
import SocketTesting
import TestKit
import Testing

@testable import Backend
@testable import BackendTesting
@testable import OutboundHTTP
@testable import Push
@testable import Settings

@Suite struct PushTests {
    private static let now = Timestamp(seconds: 1_803_904_140)
    private static let starts = now.adding(.seconds(60))

    private static let details = NotificationData.RoomDetails(
        registrationId: Identifier(value: 7), roomId: Identifier(value: 8), startsAt: starts,
        closesAt: starts.adding(.seconds(1800)), socketUrl: "wss://example.org/socket?id=8",
        partners: [Partner(id: Identifier(value: 9), name: "Bea", task: "Paint", tag: nil)])

    private static let opened = DeliveryMessage.Content.notification(
        Contract.UserNotification(id: 5, createdAt: now, data: .roomOpened(details)))

    /// Runs the body with a session on a loop, and closes the session.
    private func with(_ body: (HTTPSession, EventLoop) async throws -> Void) async throws {
        let loop = TestLoops.nextPeer()
        let session = try #require(HTTPSession(HTTPSessionConfiguration(), on: loop))
        let result: Result<Void, any Error>
        do { result = .success(try await body(session, loop)) } catch { result = .failure(error) }
        await session.close()
        try result.get()
    }

    private func configuration(_ url: String, _ key: P256PrivateKey) throws -> APNsConfiguration {
        APNsConfiguration(
            key: try Self.pem(key), keyID: "KEYKEYKEY1", teamID: "TEAMTEAM12", topic: "org.example.app",
            url: url)
    }

    /// Returns the key as RFC 5915 has it, in the wrapping of RFC 7468.
    static func pem(_ key: P256PrivateKey) throws -> String {
        let der: [UInt8] =
            [0x30, 0x31, 2, 1, 1, 4, 0x20] + (try key.bytes())
            + [0xA0, 0x0A, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
        return "-----BEGIN EC PRIVATE KEY-----\n\(Base64.encode(der))\n-----END EC PRIVATE KEY-----"
    }

    @Test("a push to Apple has the fields that the service asks for, and a token that its key has signed")
    func apple() async throws {
        let receiver = try await WebhookReceiver()
        let key = try P256PrivateKey()
        try await with { session, loop in
            let sink = try APNsSink(
                try configuration(String(receiver.url.dropLast("/hook".count)), key), session: session,
                addresses: AddressBook(on: loop, allowsPrivate: true), now: { Self.now })
            let outcome = await sink.deliver(
                Self.opened, to: "abcd", .sandbox, expiresAt: Self.starts, in: .english)
            #expect(outcome == .delivered("200"))
            var requests = receiver.requests.makeAsyncIterator()
            let request = try #require(await requests.next())
            #expect(request.headers["apns-topic"] == "org.example.app")
            #expect(request.headers["apns-push-type"] == "alert")
            #expect(request.headers["apns-priority"] == "10")
            #expect(request.headers["apns-expiration"] == "\(Self.starts.seconds)")
            #expect(request.headers["apns-collapse-id"] == Self.details.registrationId.description)
            let body = try request.json()
            #expect(body["aps"]?["interruption-level"]?.string == "time-sensitive")
            #expect(body["aps"]?["alert"]?["title"]?.string == "Your room is open")
            #expect(
                body["aps"]?["alert"]?["body"]?.string
                    == "It begins in a minute. \u{2068}Bea\u{2069} is with you: \u{2068}Paint\u{2069}")
            #expect(body["roomId"]?.string == Self.details.roomId.description)
            #expect(body["socketUrl"]?.string == Self.details.socketUrl)
            let token = try #require(request.headers["authorization"]?.split(separator: " ").last)
            let parts = token.split(separator: ".").map(String.init)
            try #require(parts.count == 3)
            let signature = try #require(Base64URL.decode(parts[2]))
            #expect(key.publicKey.isSignature(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
        }
    }

    @Test("a token lives for fifty minutes, and is not renewed within twenty")
    func tokens() throws {
        let tokens = try ProviderTokens(try configuration("http://127.0.0.1", P256PrivateKey()))
        let first = try tokens.token(at: Self.now)
        #expect(try tokens.token(at: Self.now.adding(.seconds(3_000 - 1))) == first)
        #expect(!tokens.expire(first, at: Self.now.adding(.seconds(1_199))))
        #expect(tokens.expire(first, at: Self.now.adding(.seconds(1_200))))
        let second = try tokens.token(at: Self.now.adding(.seconds(1_200)))
        #expect(second != first)
        #expect(try tokens.token(at: Self.now.adding(.seconds(4_200))) != second)
    }

    @Test("a server without Apple's key leaves those pushes to the servers that have it")
    func keyless() {
        #expect(DeliveryService.bounds(hasAPNs: false).barred == ["apns production", "apns sandbox"])
        #expect(DeliveryService.bounds(hasAPNs: true).barred.isEmpty)
    }

    @Test("a push to a browser is encrypted for it, and says how long it is of use")
    func browser() async throws {
        let receiver = try await WebhookReceiver { _ in "201 Created" }
        let (server, browser) = (try P256PrivateKey(), try P256PrivateKey())
        try await with { session, loop in
            let sink = WebPushSink(
                session: session, addresses: AddressBook(on: loop, allowsPrivate: true),
                vapid: VAPID(key: server, subject: "mailto:a@example.org"), now: { Self.now })
            let outcome = await sink.deliver(
                Self.opened, to: receiver.url, publicKey: browser.publicKey.bytes,
                auth: [UInt8](repeating: 1, count: 16), expiresAt: Self.starts, in: .english)
            #expect(outcome == .delivered("201"))
            var requests = receiver.requests.makeAsyncIterator()
            let request = try #require(await requests.next())
            #expect(request.headers["ttl"] == "60")
            #expect(request.headers["urgency"] == "high")
            #expect(request.headers["topic"]?.count == 22)
            #expect(request.headers["content-encoding"] == "aes128gcm")
            #expect(request.headers["authorization"]?.hasPrefix("vapid t=") == true)
            #expect(request.body.firstRange(of: Array("Bea".utf8)) == nil)
            let refused = await sink.deliver(
                Self.opened, to: receiver.url, publicKey: [4], auth: [1], expiresAt: nil, in: .english)
            #expect(refused == .refused("the public key is no point of the curve P-256"))
        }
        let gone = OutboundResponse(status: 404, headers: [], body: [])
        #expect(WebPushSink.outcome(of: gone, at: Self.now) == .gone("404: the browser is gone"))
    }

    @Test("a 403 to pushes that name no operator says which setting is missing, and spares the endpoint")
    func namelessOperator() async throws {
        let receiver = try await WebhookReceiver { _ in "403 Forbidden" }
        let (server, browser) = (try P256PrivateKey(), try P256PrivateKey())
        let (clock, told) = (Lock(Self.now), Lock<[String]>([]))
        try await with { session, loop in
            let sinks = [nil, "mailto:a@example.org"].map { (subject: String?) in
                WebPushSink(
                    session: session, addresses: AddressBook(on: loop, allowsPrivate: true),
                    vapid: VAPID(key: server, subject: subject), now: { clock.withLock { $0 } },
                    warn: { host in told.withLock { $0.append(host) } })
            }
            func push(_ subject: String?, after seconds: Int64) async -> Outcome {
                clock.withLock { $0 = Self.now.adding(.seconds(seconds)) }
                return await sinks[subject == nil ? 0 : 1].deliver(
                    Self.opened, to: receiver.url, publicKey: browser.publicKey.bytes,
                    auth: [UInt8](repeating: 1, count: 16), expiresAt: nil, in: .english)
            }
            for (seconds, count) in [(0, 1), (59, 1), (60, 2)] as [(Int64, Int)] {
                let outcome = await push(nil, after: seconds)
                #expect(outcome.detail == "403: the server's VAPID_SUBJECT is not set")
                #expect(!outcome.countsAgainstEndpoint)
                #expect(told.withLock { $0 } == Array(repeating: "127.0.0.1", count: count))
            }
            let other = await push("mailto:a@example.org", after: 120)
            #expect(other.detail == "403" && other.countsAgainstEndpoint)
            #expect(told.withLock { $0.count } == 2)
        }
    }

    @Test("what is of use to a browser for how long is looked at after the name was looked up")
    func lateLookUp() async throws {
        let receiver = try await WebhookReceiver { _ in "201 Created" }
        let port = try WebURL(receiver.url).port
        let (server, browser) = (try P256PrivateKey(), try P256PrivateKey())
        try await with { session, _ in
            func deliver(after delay: Duration) async throws -> Outcome {
                let now = Lock(Self.now)
                let book = AddressBook(allowsPrivate: true) { _, port throws(Resolver.Failure) in
                    now.withLock { $0 = $0.adding(delay) }
                    return [SocketAddress(numeric: "127.0.0.1", port: port)].compactMap(\.self)
                }
                let sink = WebPushSink(
                    session: session, addresses: book,
                    vapid: VAPID(key: server, subject: "mailto:a@example.org"),
                    now: { now.withLock { $0 } })
                return await sink.deliver(
                    Self.opened, to: "http://push.example.org:\(port)/", publicKey: browser.publicKey.bytes,
                    auth: [UInt8](repeating: 1, count: 16), expiresAt: Self.starts, in: .english)
            }
            let late = try await deliver(after: .seconds(60))
            #expect(late.detail == "it came too late to be of use")
            #expect(try await deliver(after: .seconds(12)) == .delivered("201"))
            var requests = receiver.requests.makeAsyncIterator()
            #expect(await requests.next()?.headers["ttl"] == "48")
        }
    }

    @Test("keys that are none stop the start with one line that says so")
    func settings() throws {
        func message(_ environment: [String: String]) -> String? {
            do throws(ConfigurationError) {
                _ = try ServerConfiguration(arguments: [], environment: environment) { _ in "" }
                return nil
            } catch {
                return error.description
            }
        }
        var apns = [
            "APNS_KEY": "nonsense", "APNS_KEY_ID": "KEYKEYKEY1", "APNS_TEAM_ID": "TEAMTEAM12",
            "APNS_TOPIC": "org.example.app",
        ]
        #expect(message(apns)?.hasPrefix("APNS_KEY cannot be used: this is no private key") == true)
        apns["APNS_KEY"] = try Self.pem(try P256PrivateKey())
        #expect(message(apns) == nil)
        for (name, value, error) in [
            ("APNS_KEY_ID", "KEY", "APNS_KEY_ID=KEY is no id of Apple's"),
            ("APNS_TEAM_ID", "TEAM-TEAM1", "APNS_TEAM_ID=TEAM-TEAM1 is no id of Apple's"),
            ("APNS_TOPIC", "my app", "APNS_TOPIC=my app is no bundle identifier"),
            ("APNS_TOPIC", String(repeating: "a", count: 256), "APNS_TOPIC=aaa"),
            ("APNS_URL", "https://-push.example", "APNS_URL=https://-push.example cannot be used"),
        ] {
            let wrong = apns.merging([name: value]) { $1 }
            #expect(message(wrong)?.hasPrefix(error) == true, "\(message(wrong) ?? "none")")
        }
        #expect(message(["APNS_URL": "https://a.example"])?.contains("no use without APNS_KEY:") == true)
        apns["APNS_TOPIC"] = nil
        #expect(message(apns) == "APNS_KEY is of no use without APNS_TOPIC: give both, or neither.")
        #expect(message(["VAPID_PRIVATE_KEY": "x"])?.hasPrefix("VAPID_PRIVATE_KEY cannot be used") == true)
        #expect(message(["VAPID_SUBJECT": "me"])?.hasPrefix("VAPID_SUBJECT=me is no address") == true)
        #expect(message(["ALLOW_PRIVATE_WEBHOOKS": "yes"])?.contains("use on, off") == true)
    }

    @Test(
        "the operator's contact is the setting, or PUBLIC_URL if it has TLS",
        arguments: [
            ([:], nil), (["PUBLIC_URL": "http://a.example"], nil),
            (["PUBLIC_URL": "https://a.example"], "https://a.example"),
            (["PUBLIC_URL": "https://a.example", "VAPID_SUBJECT": "mailto:b@example"], "mailto:b@example"),
        ] as [([String: String], String?)])
    func subject(environment: [String: String], subject: String?) throws {
        let configuration = try ServerConfiguration(arguments: [], environment: environment) { _ in "" }
        #expect(configuration.vapidSubject == subject)
        #expect((VAPIDKey.warning(configuration) == nil) == (subject != nil))
    }
}
