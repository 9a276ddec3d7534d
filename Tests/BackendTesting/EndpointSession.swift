import API
import Codecs
import Contract
import Crypto
import Outbox
import Postgres
import Testing

@testable import Database

/// A browser that is registered as an endpoint by the cookie of a session.
enum EndpointSession {
    private static let own = "Sec-Fetch-Site: same-origin"

    /// Returns the body of a browser at that path of the push service.
    static func browser(_ path: String) throws -> String {
        let key = Base64URL.encode(try P256PrivateKey().publicKey.bytes)
        let auth = Base64URL.encode([UInt8](repeating: 1, count: 16))
        let url = "https://127.0.0.1:9/\(path)"
        return #"{"kind":"webpush","url":"\#(url)","p256dh":"\#(key)","auth":"\#(auth)"}"#
    }

    static func cookie(_ token: String, in world: RESTWorld) async throws -> String {
        let answer = try await world.send("POST", "/v1/me/session", token: token)
        return "Cookie: " + (try #require(answer.headers["set-cookie"])).prefix { $0 != ";" }
    }

    /// Registers a browser with the cookie of a session.
    @discardableResult
    static func register(
        _ body: String, _ cookie: String, in world: RESTWorld
    ) async throws -> Int {
        try await world.send("POST", "/v1/endpoints", body: body, headers: [cookie, own]).status
    }

    /// Returns the addresses of the endpoints that are active.
    static func active(in world: RESTWorld) async throws -> [String] {
        try await world.pool.query(
            "SELECT address FROM endpoints WHERE disabled_at IS NULL"
        ).map { try $0.decode(0, String.self).split(separator: "/").last.map { "\($0)" } ?? "" }.sorted()
    }

    static func claim(in world: RESTWorld) async throws -> [Delivery<DeliveryMessage>] {
        let store = PostgresOutboxStore(
            name: "one", pool: world.pool, reader: NotificationReader(tickets: world.application.tickets),
            // The last push is due by the clock of the database.
            now: { Timestamp(seconds: 4_000_000_000) })
        try await store.renew(for: .seconds(60))
        return try await store.claim(limit: 10, bounds: ClaimBounds(others: 10))
    }
}
