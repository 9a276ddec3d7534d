import API
import Codecs
import Contract
import Crypto
import Outbox
import Postgres
import TestKit
import Testing

@testable import BackendTesting
@testable import Database

@Suite("An endpoint that is registered again")
struct RegisteredAgainTests {
    private static let everything = ClaimBounds(others: 1_000)

    /// Returns the bodies of a device and of a browser.
    private static func bodies() throws -> [String: String] {
        let key = Base64URL.encode(try P256PrivateKey().publicKey.bytes)
        let auth = Base64URL.encode([UInt8](repeating: 1, count: 16))
        let url = "https://127.0.0.1:9/a"
        return [
            "apns": #"{"kind":"apns","deviceToken":"\#(String(repeating: "ab", count: 32))"}"#,
            "webpush": #"{"kind":"webpush","url":"\#(url)","p256dh":"\#(key)","auth":"\#(auth)"}"#,
        ]
    }

    private static func gone(_ delivery: Delivery<DeliveryMessage>, at now: Timestamp) -> Settlement {
        Settlement(
            delivery: delivery.id, endpoint: delivery.endpoint, verdict: .gone, detail: "410", at: now,
            duration: .milliseconds(5), registeredAt: delivery.registeredAt)
    }

    @Test(
        "is not disabled by the answer to an attempt that began before, and its delivery is retried",
        arguments: ["apns", "webpush"])
    func attemptBefore(kind: String) async throws {
        try await EndpointOwnerTests.with { world in
            let token = try await world.signUp()
            let body = try #require(try Self.bodies()[kind])
            func register() async throws -> Int {
                try await world.send("POST", "/v1/endpoints", token: token, body: body).status
            }
            #expect(try await register() == 201)
            try await world.pool.query(
                "INSERT INTO deliveries (endpoint_id, priority, due_at) SELECT id, 0, $1 FROM endpoints",
                [world.clock.now])
            let clock = world.clock
            let store = PostgresOutboxStore(
                name: "one", pool: world.pool,
                reader: NotificationReader(tickets: world.application.tickets), now: { clock.now })
            try await store.renew(for: .seconds(60))
            let first = try await store.claim(limit: 10, bounds: Self.everything)
            try #require(first.count == 1)
            // The clock stands still: the second registration is told from the first one all the same.
            #expect(try await register() == 200)
            try await store.settle([Self.gone(first[0], at: world.clock.now)])
            let disabled = "SELECT FROM endpoints WHERE disabled_at IS NOT NULL"
            #expect(try await world.pool.query(disabled).isEmpty)
            let second = try await store.claim(limit: 10, bounds: Self.everything)
            #expect(second.map(\.id) == first.map(\.id))
            try #require(second.count == 1)
            #expect(second[0].attempts == 1)
            try await store.settle([Self.gone(second[0], at: world.clock.now)])
            #expect(try await world.pool.query(disabled).count == 1)
        }
    }
}
