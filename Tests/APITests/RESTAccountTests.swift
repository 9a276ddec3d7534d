import Contract
import Postgres
import Reactor
import Scheduling
import Testing

@testable import BackendTesting

@Suite struct RESTAccountTests {
    @Test("signing up answers the user and a token that works")
    func signsUp() async throws {
        try await RESTWorld.with { world in
            let response = try await world.send(
                "POST", "/v1/users", body: #"{"name":" Ann ","timeZone":"Europe/Berlin"}"#)
            #expect(response.status == 201)
            #expect(response.headers["cache-control"] == "no-store")
            let token = try #require(try response.json()["token"]?.string)
            #expect(token.hasPrefix("lsk_"))
            let me = try await world.send("GET", "/v1/me", token: token)
            #expect(me.status == 200)
            #expect(try me.json()["user"] == response.json()["user"])
            #expect(try me.json()["user"]?["name"]?.string == "Ann")
            #expect(try me.json()["user"]?["timeZone"]?.string == "Europe/Berlin")
            let rows = try await world.pool.query(
                "SELECT count(*) FROM users WHERE position($1::text::bytea IN token_hash) > 0", [token])
            #expect(try rows[0].decode(0, Int64.self) == 0)
        }
    }

    @Test(
        "a zone that is no IANA name is refused",
        arguments: ["Mars/Olympus", "CEST", "europe/berlin", "UTC+1", "posix/UTC", "Factory"])
    func unknownZone(_ zone: String) async throws {
        try await RESTWorld.with { world in
            let response = try await world.send(
                "POST", "/v1/users", body: #"{"name":"Ann","timeZone":"\#(zone)"}"#)
            #expect(response.status == 422)
            #expect(response.pointers == ["/timeZone"])
            let token = try await world.signUp()
            let patch = try await world.send(
                "PATCH", "/v1/me", token: token, body: #"{"timeZone":"\#(zone)"}"#)
            #expect(patch.pointers == ["/timeZone"])
        }
    }

    @Test("name and zone can be changed, one without the other; unknown members are named")
    func changes() async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp("Ann", timeZone: "Asia/Tokyo")
            let renamed = try await world.send("PATCH", "/v1/me", token: token, body: #"{"name":"Bea"}"#)
            #expect(try renamed.json()["user"]?["name"]?.string == "Bea")
            #expect(try renamed.json()["user"]?["timeZone"]?.string == "Asia/Tokyo")
            let moved = try await world.send("PATCH", "/v1/me", token: token, body: #"{"timeZone":"UTC"}"#)
            #expect(try moved.json()["user"]?["name"]?.string == "Bea")
            #expect(try moved.json()["user"]?["timeZone"]?.string == "UTC")
            let typo = try await world.send("PATCH", "/v1/me", token: token, body: #"{"nmae":"Bea"}"#)
            #expect(typo.status == 422)
            #expect(typo.pointers == ["/nmae"])
        }
    }

    @Test("a change is told to other servers, and a new name to the open rooms of the user")
    func renameIsTold() async throws {
        try await RESTWorld.withAccount { world, token in
            let id = try await world.register(token, "2027-03-01T12:30:00Z")
            let room = try await world.open([id], at: "2027-03-01T12:30:00Z")
            world.changeEvents.withLock { $0 = [] }
            try await world.send("PATCH", "/v1/me", token: token, body: #"{"timeZone":"Asia/Tokyo"}"#)
            let account = ChangeEvent.account(try await world.user(token))
            #expect(world.changeEvents.withLock { $0 } == [account])
            try await world.send("PATCH", "/v1/me", token: token, body: #"{"name":"Bea"}"#)
            #expect(world.changeEvents.withLock { $0 } == [account, account, .room(room)])
        }
    }

    @Test(
        "without a valid token the answer is 401 with a challenge",
        arguments: [
            ([], false), (["Authorization: Bearer"], true), (["Authorization: Basic YTpi"], false),
            (["Authorization: Bearer lsk_short"], true),
            (["Authorization: Bearer lsk_" + String(repeating: "A", count: 43)], true),
        ])
    func challenges(_ headers: [String], isInvalid: Bool) async throws {
        try await RESTWorld.with { world in
            let response = try await world.send("GET", "/v1/me", headers: headers)
            #expect(response.status == 401)
            #expect(response.problem == "unauthenticated")
            let challenge = response.headers["www-authenticate"] ?? ""
            #expect(challenge.hasPrefix("Bearer realm=\"letsswitch\""))
            #expect(challenge.contains("error=\"invalid_token\"") == isInvalid)
        }
    }

    @Test("the scheme's case does not matter, and two tokens are none")
    func scheme() async throws {
        try await RESTWorld.withAccount { world, token in
            for scheme in ["bearer", "BEARER", "Bearer "] {
                try await world.send(
                    "GET", "/v1/me", headers: ["Authorization: \(scheme) \(token)"], expecting: 200)
            }
            try await world.send(
                "GET", "/v1/me", headers: Array(repeating: "Authorization: Bearer \(token)", count: 2),
                expecting: 401)
        }
    }
}
