import Codecs
import Contract
import Crypto
import Outbox
import Postgres
import PostgresTesting
import Reactor
import Settings
import SocketTesting
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Database

@Suite("Push services with VERIFY_WEBHOOKS=on")
struct VerifiedPushTests {
    /// A push service that answers with the status, and notes the length of each body.
    private final class Service: Sendable {
        let status = Lock("500 No")
        let lengths = Lock<[Int]>([])
        private let server: AnsweringServer
        /// The URL, and its host and port.
        var place: [String] { ["http://127.0.0.1:\(server.port)/push", "127.0.0.1:\(server.port)"] }

        init() async throws {
            let (status, lengths) = (status, lengths)
            server = try await AnsweringServer { received, stream in
                guard let gap = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
                let head = String(decoding: received[..<gap], as: UTF8.self).lowercased()
                let length = head.split(separator: "content-length: ").last.flatMap { part in
                    Int(part.prefix { $0.isNumber })
                }
                guard let length, received.count >= gap + 4 + length else { return }
                lengths.withLock { $0.append(length) }
                let line = status.withLock { $0 }
                stream.write(
                    Array("HTTP/1.1 \(line)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
            }
        }
    }

    private func with(
        _ services: [String] = ["push.example.org", "*.notify.example.org"],
        _ body: @Sendable (RESTWorld) async throws -> Void
    ) async throws {
        try await RESTWorld.with(
            configure: {
                $0.verifyWebhooks = .on
                $0.pushServices = services
            }, body)
    }

    private func add(_ url: String, _ token: String, _ world: RESTWorld) async throws -> JSONValue {
        let key = Base64URL.encode(try P256PrivateKey().publicKey.bytes)
        let auth = Base64URL.encode([UInt8](repeating: 1, count: 16))
        let body = #"{"kind":"webpush","url":"\#(url)","p256dh":"\#(key)","auth":"\#(auth)"}"#
        let response = try await world.send("POST", "/v1/endpoints", token: token, body: body)
        #expect([200, 201].contains(response.status), "\(response.text)")
        return try response.json()
    }

    @Test(
        "endpoints of listed services are active at once, and those of others are not",
        arguments: [
            ("https://push.example.org/1", "active"), ("https://a.notify.example.org/1", "active"),
            ("https://notify.example.org/1", "unverified"), ("https://a.push.example.org/1", "unverified"),
            ("https://evilnotify.example.org/1", "unverified"),
            ("https://push.example.org:8443/1", "unverified"),
        ])
    func listed(url: String, state: String) async throws {
        try await with { world in
            let token = try await world.signUp()
            let made = try await add(url, token, world)
            #expect(made["state"]?.string == state)
            let id = try #require(made["id"]?.string)
            let read = try await world.send("GET", "/v1/endpoints/\(id)", token: token).json()
            #expect(read["state"]?.string == state)
            // Giving it again changes nothing.
            #expect(try await add(url, token, world)["state"]?.string == state)
        }
    }

    @Test("another service gets an empty push, and nothing else until it was answered with 201")
    func probe() async throws {
        let service = try await Service()
        try await with { world in
            let (token, registration, room) = try await world.personInRoom()
            let id = try #require(
                try await add("https://push.example.com/1", token, world)["id"]?.string)
            try await world.pool.query("UPDATE endpoints SET address = $1, host = $2", service.place)
            try await world.tell(registration, .roomOpened, room, revision: 1)
            try await world.delivering {
                let first = try await world.outcomes(id, token, count: 2)
                #expect(Set(first.compactMap { $0["outcome"]?.string }) == ["retried", "refused"])
                #expect(service.lengths.withLock { $0 } == [0])
                service.status.withLock { $0 = "200 OK" }
                world.clock.now = world.clock.now.adding(.seconds(6))
                world.deliveries.deliveryWorker.wake()
                let second = try await world.outcomes(id, token, count: 3)
                #expect(second.first?["detail"]?.string == "200: a push service answers 201")
                service.status.withLock { $0 = "201 Created" }
                let test = try await world.send("POST", "/v1/endpoints/\(id)/test", token: token).json()
                #expect(test["outcome"]?.string == "delivered")
                #expect(service.lengths.withLock { $0 } == [0, 0, 0])
                let state = try await world.send("GET", "/v1/endpoints/\(id)", token: token).json()["state"]
                #expect(state?.string != "unverified")
                try await world.tell(registration, .roomChanged, room, revision: 1)
                world.deliveries.deliveryWorker.wake()
                _ = try await world.outcomes(id, token, count: 5)
                #expect(service.lengths.withLock { $0.last ?? 0 } > 0)
            }
        }
    }

    @Test("an endpoint that was stored unverified is active, and gets what comes, once its service is listed")
    func listedLater() async throws {
        try await with(["push.invalid"]) { world in
            let (token, registration, room) = try await world.personInRoom()
            let id = try #require(
                try await add("https://push.invalid/1", token, world)["id"]?.string)
            // As before the service was listed, or by a server of the previous release.
            try await world.pool.query("UPDATE endpoints SET verified_at = NULL")
            try await world.tell(registration, .roomOpened, room, revision: 1)
            try await world.delivering {
                let outcome = try #require(try await world.outcomes(id, token, count: 1).first)
                // Its name leads nowhere, but it was looked up.
                #expect(outcome["detail"]?.string != "its push service has not accepted a push yet")
                #expect(outcome["outcome"]?.string == "retried", "\(outcome)")
            }
            let state = try await world.send("GET", "/v1/endpoints/\(id)", token: token).json()["state"]
            #expect(state?.string != "unverified")
        }
    }

    @Test("endpoints that exist before the upgrade stay active")
    func upgrade() async throws {
        try await TestDatabase.withConnection { connection in
            _ = try await Migrator(Array(Migrations.all.prefix(47)), sealed: 7).apply(on: connection)
            try await connection.simple(
                """
                INSERT INTO users VALUES (
                    '00000000-0000-0000-0000-000000000001', 'Ann', 'UTC', sha256(''), 1, now());
                INSERT INTO endpoints (id, user_id, kind, address, host, p256dh, auth, created_at)
                SELECT gen_random_uuid(), id, 'webpush', 'https://push.example.net/1', 'a',
                    decode(repeat('04', 65), 'hex'), decode(repeat('00', 16), 'hex'), now()
                FROM users;
                """)
            _ = try await Migrator(Migrations.all, sealed: 7).apply(on: connection)
            let rows = try await connection.query("SELECT verified_at = created_at FROM endpoints")
            #expect(try rows.map { try $0.decode(0, Bool?.self) } == [true])
        }
    }
}
