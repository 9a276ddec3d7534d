import Contract
import Outbox
import Postgres
import Reactor
import Settings
import SocketTesting
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Push

@Suite("With VERIFY_WEBHOOKS=on")
struct VerifiedWebhookTests {
    /// A receiver that accepts every message, and echoes challenges while it is willing.
    private final class Receiver: Sendable {
        let isWilling = Lock(false)
        /// The type of each message that arrived.
        let types = Lock<[String]>([])
        private let server: AnsweringServer
        var url: String { "http://127.0.0.1:\(server.port)/" }

        init() async throws {
            let (types, isWilling) = (types, isWilling)
            server = try await AnsweringServer { received, stream in
                guard let gap = received.firstRange(of: Array("\r\n\r\n".utf8)),
                    let body = try? JSONValue.parse(Array(received[(gap + 4)...]))
                else { return }
                types.withLock { $0.append(body["type"]?.string ?? "") }
                let challenge = body["data"]?["challenge"]?.string
                let echo = isWilling.withLock { $0 } ? challenge ?? "" : "thanks"
                let head =
                    "HTTP/1.1 200 OK\r\nContent-Length: \(echo.utf8.count)\r\nConnection: close\r\n\r\n"
                stream.write(Array("\(head)\(echo)".utf8))
            }
        }
    }

    private static func with(_ body: @Sendable (RESTWorld) async throws -> Void) async throws {
        try await RESTWorld.with(configure: { $0.verifyWebhooks = .on }, body)
    }

    @Test("nothing but challenges is sent until the receiver has echoed one")
    func challenge() async throws {
        let receiver = try await Receiver()
        try await Self.with { world in
            let (token, registration, room) = try await world.personInRoom()
            let made = try await world.addWebhook(token, receiver.url)
            #expect(made["state"]?.string == "unverified")
            let id = try #require(made["id"]?.string)
            try await world.tell(registration, .roomOpened, room, revision: 1)
            try await world.delivering {
                // One outcome is the challenge's, and one the notification's.
                let outcomes = try await world.outcomes(id, token, count: 2)
                #expect(
                    outcomes.allSatisfy { $0["detail"]?.string == "200: the challenge was not echoed" },
                    "\(outcomes)")
                let test = try await world.send("POST", "/v1/endpoints/\(id)/test", token: token).json()
                #expect(test["outcome"]?.string == "exhausted")
                #expect(receiver.types.withLock { Set($0) } == ["endpoint.challenge"])
                let state = try await world.send("GET", "/v1/endpoints/\(id)", token: token).json()["state"]
                #expect(state?.string == "unverified")
                receiver.isWilling.withLock { $0 = true }
                world.clock.now = world.clock.now.adding(.seconds(6))
                world.deliveries.deliveryWorker.wake()
                _ = try await world.outcomes(id, token, count: 5)
            }
            let types = receiver.types.withLock { $0 }
            #expect(Set(types) == ["endpoint.challenge", "room.opened", "test"])
            #expect(types.filter { $0 == "room.opened" }.count == 1)
            let state = try await world.send("GET", "/v1/endpoints/\(id)", token: token).json()["state"]
            #expect(state?.string == "active")
            // A webhook is verified only once.
            let before = types.filter { $0 == "endpoint.challenge" }.count
            try await world.send("POST", "/v1/endpoints/\(id)/test", token: token)
            #expect(receiver.types.withLock { $0.filter { $0 == "endpoint.challenge" }.count } == before)
        }
    }

    @Test("a webhook that was made before does not count as verified, and says so")
    func before() async throws {
        let receiver = try await Receiver()
        try await Self.with { world in
            let token = try await world.signUp()
            let id = try #require(try await world.addWebhook(token, receiver.url)["id"]?.string)
            // The previous release made this endpoint, and delivered to it.
            try await world.pool.query("DELETE FROM deliveries")
            try await world.pool.query(
                """
                INSERT INTO attempts (delivery_id, endpoint_id, at, seconds, outcome, detail)
                SELECT 1, id, now(), 1, 'delivered', '200' FROM endpoints
                """)
            let test = try await world.send("POST", "/v1/endpoints/\(id)/test", token: token).json()
            #expect(test["detail"]?.string == "200: the challenge was not echoed")
            #expect(receiver.types.withLock { $0 } == ["endpoint.challenge"])
        }
    }

    @Test(
        "an echo is the challenge alone, or in an object",
        arguments: [
            ("abc", true), (" abc\r\n", true), (#"{"challenge":"abc"}"#, true),
            (#"{"challenge":"abd"}"#, false),
            ("", false), ("abcd", false), ("abc abc", false), (#"["abc"]"#, false),
        ])
    func echoes(body: String, isEcho: Bool) {
        #expect(WebhookVerifier.isEcho(Array(body.utf8), of: "abc") == isEcho)
    }
}
