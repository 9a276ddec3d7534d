import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite("The code for a first sign-in")
struct RESTSignInCodeTests {
    private static func code(_ text: String) -> String { #"{"code":"\#(text)"}"# }

    /// Makes an account as the desk does.
    private static func account(
        _ world: RESTWorld, until end: Timestamp? = nil
    ) async throws -> (id: Identifier, code: AccessCode) {
        let (now, code) = (world.clock.now, AccessCode(for: .signIn))
        var random = SystemRandomNumberGenerator()
        let user = User(
            id: .v7(at: now, using: &random), name: "Ann", timeZone: "Asia/Tokyo", language: "ja",
            createdAt: now)
        try await world.pool.transaction { connection in
            try await SignInCodes.create(
                user, code, until: end ?? now.adding(.seconds(SignInCodes.seconds)), on: connection)
        }
        return (user.id, code)
    }

    @Test("brings a token and a recovery code, once, and then the account is as any other")
    func once() async throws {
        try await RESTWorld.with { world in
            let (id, code) = try await Self.account(world)
            let rows = try await world.pool.query("SELECT sign_in_codes::text FROM sign_in_codes")
            #expect(try rows.count == 1 && !rows[0].decode(0, String.self).contains(code.text))
            let answer = try await world.send("POST", "/v1/sign-in", body: Self.code(code.text.lowercased()))
            #expect(answer.status == 201, "\(answer.text)")
            let token = try #require(try answer.json()["token"]?.string)
            let recovery = try #require(try answer.json()["recoveryCode"]?.string)
            let me = try await world.send("GET", "/v1/me", token: token).json()["user"]
            #expect(me?["id"]?.string == "\(id)" && me?["timeZone"]?.string == "Asia/Tokyo")
            #expect(me?["language"]?.string == "ja")
            let again = try await world.send("POST", "/v1/sign-in", body: Self.code(code.text))
            #expect(again.status == 401 && again.headers["www-authenticate"] != nil)
            // It is no recovery code of an operator: the account can be exported and deleted at once.
            #expect(try await world.send("GET", "/v1/me/export", token: token).status == 200)
            let back = try await world.send(
                "POST", "/v1/recover", body: #"{"recoveryCode":"\#(recovery)"}"#)
            let second = try #require(try back.json()["token"]?.string, "\(back.text)")
            #expect(try await world.send("GET", "/v1/me", token: token).status == 401)
            #expect(try await world.delete("/v1/me", second) == 204)
        }
    }

    @Test("comes again with the same key and answer, if the answer was lost")
    func lostAnswer() async throws {
        try await RESTWorld.with { world in
            let (_, code) = try await Self.account(world)
            let key = "Idempotency-Key: \(String(repeating: "k", count: 24))"
            let body = Self.code(code.text)
            let first = try await world.send("POST", "/v1/sign-in", body: body, headers: [key])
            let second = try await world.send("POST", "/v1/sign-in", body: body, headers: [key])
            #expect(first.status == 201 && second.status == 201)
            #expect(try first.json()["token"]?.string == second.json()["token"]?.string)
            #expect(try first.json()["recoveryCode"]?.string == second.json()["recoveryCode"]?.string)
        }
    }

    @Test("used by two at once lets in one of them")
    func twoAtOnce() async throws {
        try await RESTWorld.with { world in
            let (_, code) = try await Self.account(world)
            async let one = world.send("POST", "/v1/sign-in", body: Self.code(code.text))
            async let two = world.send("POST", "/v1/sign-in", body: Self.code(code.text))
            let statuses = [try await one.status, try await two.status]
            #expect(statuses.sorted() == [201, 401])
        }
    }

    @Test("is refused after seven days, and removed; a recovery code of an operator ends it")
    func end() async throws {
        try await RESTWorld.with { world in
            let (_, code) = try await Self.account(world)
            let (recovered, other) = try await Self.account(world)
            try await world.pool.transaction { connection in
                try await RecoveryWriter.give(.init(for: .recovery), to: recovered, on: connection)
            }
            #expect(try await world.send("POST", "/v1/sign-in", body: Self.code(other.text)).status == 401)
            let end = world.clock.now.adding(.seconds(7 * 86_400))
            world.clock.now = end
            #expect(try await world.send("POST", "/v1/sign-in", body: Self.code(code.text)).status == 401)
            try await SignInCodes.removeExpired(at: end.adding(.seconds(-1)), in: world.pool)
            #expect(try await world.pool.query("SELECT FROM sign_in_codes").count == 1)
            try await SignInCodes.removeExpired(at: end, in: world.pool)
            #expect(try await world.pool.query("SELECT FROM sign_in_codes").isEmpty)
        }
    }

    @Test("is tried as often in a minute as an address may make accounts, and a text that is none is a 422")
    func limit() async throws {
        let two: (inout ServerConfiguration) -> Void = { $0.signUpsPerMinute = 2 }
        try await RESTWorld.with(configure: two) { world in
            let (_, code) = try await Self.account(world)
            #expect(try await world.send("POST", "/v1/sign-in", body: "{}").status == 422)
            let wrong = try await world.send("POST", "/v1/sign-in", body: Self.code("1234"))
            #expect(wrong.status == 422 && wrong.pointers == ["/code"])
            let unknown = Self.code("0000-0000-0000-0000")
            #expect(try await world.send("POST", "/v1/sign-in", body: unknown).status == 401)
            let refused = try await world.send("POST", "/v1/sign-in", body: Self.code(code.text))
            #expect(refused.status == 429)
            #expect(try refused.json()["violated-policies"]?.array?.map(\.string) == ["codes"])
        }
    }
}
