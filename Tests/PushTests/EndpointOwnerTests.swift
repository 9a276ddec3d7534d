import Contract
import Crypto
import Postgres
import TestKit
import Testing

@testable import BackendTesting
@testable import Settings

@Suite("A device or a browser")
struct EndpointOwnerTests {
    private static let device = #"{"kind":"apns","deviceToken":"\#(String(repeating: "ab", count: 32))"}"#

    /// Lends a world that pushes to Apple's devices to the body.
    static func with(_ body: @Sendable (RESTWorld) async throws -> Void) async throws {
        let apns = APNsConfiguration(
            key: try PushTests.pem(try P256PrivateKey()), keyID: "KEYKEYKEY1", teamID: "TEAMTEAM12",
            topic: "org.example.app", url: "http://127.0.0.1:9")
        try await RESTWorld.with(configure: { $0.apns = apns }, body)
    }

    @Test("belongs to the account that gave it last")
    func lastOwner() async throws {
        try await Self.with { world in
            let (ann, bea) = (try await world.signUp("Ann"), try await world.signUp("Bea"))
            #expect(try await world.give(Self.device, ann).status == 201)
            #expect(try await world.give(Self.device, bea).status == 201)
            #expect(try await world.count(ann) == 0)
            #expect(try await world.count(bea) == 1)
            // The device returns to the first user.
            #expect(try await world.give(Self.device, ann).status == 201)
            #expect(try await world.count(bea) == 0)
        }
    }

    @Test("that is known answers 200 with it, active again after it was gone")
    func again() async throws {
        try await Self.with { world in
            let ann = try await world.signUp("Ann")
            let first = try await world.give(Self.device, ann)
            try await world.pool.query(
                """
                UPDATE endpoints SET failing_since = now(), disabled_at = now(), reason = '410 Unregistered'
                """)
            let second = try await world.give(Self.device, ann)
            #expect(second.status == 200)
            #expect(try second.json()["id"] == (try first.json()["id"]))
            #expect(try second.json()["state"]?.string == "active")
            #expect(try second.json()["reason"] == nil)
            let narrower = try await world.give(
                String(Self.device.dropLast()) + #","types":["room.opened"]}"#, ann)
            #expect(try narrower.json()["types"]?.array?.compactMap(\.string) == ["room.opened"])
            #expect(try await world.count(ann) == 1)
            // A webhook has a secret that is shown once.
            let hook = #"{"kind":"webhook","url":"http://127.0.0.1:9/"}"#
            #expect(try await world.give(hook, ann).status == 201)
            #expect(try await world.give(hook, ann).status == 409)
        }
    }

    @Test("that many give at once is one account's afterwards")
    func atOnce() async throws {
        try await Self.with { world in
            var tokens: [String] = []
            for number in 0..<6 { tokens.append(try await world.signUp("Person \(number)")) }
            let statuses = try await concurrently(tokens + tokens) { token in
                try await world.give(Self.device, token).status
            }
            #expect(statuses.allSatisfy { [200, 201].contains($0) }, "\(statuses)")
            #expect(try await world.pool.query("SELECT id FROM endpoints").count == 1)
        }
    }

    @Test("is taken over by the release before, too, which inserts it by user, kind and address")
    func releaseBefore() async throws {
        try await Self.with { world in
            let (ann, bea) = (try await world.signUp("Ann"), try await world.signUp("Bea"))
            #expect(try await world.give(Self.device, ann).status == 201)
            let inserted = try await world.pool.execute(
                """
                INSERT INTO endpoints (id, user_id, kind, address, host, environment, created_at)
                SELECT $1, users.id, kind, address, host, environment, now()
                FROM endpoints, users WHERE users.name = 'Bea'
                ON CONFLICT (user_id, kind, address) DO NOTHING
                """, [Identifier(value: 9)])
            #expect(inserted == 1)
            #expect(try await world.count(ann) == 0)
            #expect(try await world.count(bea) == 1)
        }
    }
}

extension RESTWorld {
    fileprivate func give(_ endpoint: String, _ token: String) async throws -> RawHTTP.Response {
        try await send("POST", "/v1/endpoints", token: token, body: endpoint)
    }

    fileprivate func count(_ token: String) async throws -> Int {
        try await send("GET", "/v1/endpoints", token: token).json()["endpoints"]?.array?.count ?? 0
    }
}
