import Contract
import Database
import Testing

@testable import BackendTesting
@testable import Console

@Suite("The tokens of operators")
struct DeskTokenTests {
    @Test("end with the token that made them at the latest")
    func tokenOfToken() async throws {
        try await DeskWorld.with { desk in
            // It ends in an hour.
            let hour = try await desk.token(.admin)
            let body = #"{"label":"a","role":"viewer","days":366}"#
            let made = try await desk.send("POST", "/tokens", token: hour, body: body)
            let end = desk.world.clock.now.adding(.seconds(3600))
            #expect(try made.json()["expiresAt"]?.string == "\(end)")
            let token = try #require(try made.json()["token"]?.string)
            #expect(try await desk.send("GET", "/session", token: token).status == 200)
            desk.world.clock.now = end
            #expect(try await desk.send("GET", "/session", token: token).status == 401)
        }
    }

    @Test("end with the token that made them, and with the one that made that, and no other ends")
    func descendants() async throws {
        try await DeskWorld.with { desk in
            func make(_ token: String?, cookie: String? = nil) async throws -> (token: String, id: Int64) {
                let made = try await desk.send(
                    "POST", "/tokens", token: token, cookie: cookie,
                    body: #"{"label":"a","role":"viewer","days":2}"#,
                    headers: cookie == nil ? [] : [DeskWorld.own])
                let answer = try made.json()
                return (
                    try #require(answer["token"]?.string, "\(made.text)"),
                    try #require(answer["id"]?.int)
                )
            }
            let cookie = try await desk.cookie(.admin)
            let (first, other) = (try await make(nil, cookie: cookie), try await make(nil, cookie: cookie))
            let child = try await make(first.token)
            let grandchild = try await make(child.token)
            let all = [first.token, other.token, child.token, grandchild.token]
            func statuses() async throws -> [Int] {
                var statuses: [Int] = []
                for token in all {
                    statuses.append(try await desk.send("GET", "/session", token: token).status)
                }
                return statuses
            }
            #expect(try await statuses() == [200, 200, 200, 200])
            try await desk.send("DELETE", "/tokens/\(first.id)", token: grandchild.token, expecting: 204)
            #expect(try await statuses() == [401, 200, 401, 401])
            // The end of a session ends no token.
            try await desk.send(
                "DELETE", "/session", cookie: cookie, headers: [DeskWorld.own], expecting: 204)
            #expect(try await statuses() == [401, 200, 401, 401])
        }
    }
}
