import Contract
import Postgres
import TestKit
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite("A sign-up")
struct RESTSignUpTests {
    private static let slot = "2027-03-01T13:00:00Z"

    private static func setting(_ ways: SignUpWay...) -> (inout ServerConfiguration) -> Void {
        { $0.signUps = ways }
    }

    private static func people(_ world: RESTWorld) async throws -> Int64? {
        try await world.pool.query("SELECT count(*) FROM accounts").first?.decode(0, Int64.self)
    }

    @Test(
        "is refused while sign-ups are closed, and the problem says what a sign-up needs",
        arguments: [
            ([], "make the accounts", ""), ([.code], "needs a code", #","invite":"x""#),
            ([.invite], "needs an invite", #","code":"0000-0000-0000-0000""#),
            ([.code, .invite], "or an invite", #","code":null,"invite":null"#),
        ] as [([SignUpWay], String, String)])
    func closed(ways: [SignUpWay], words: String, more: String) async throws {
        let chosen: (inout ServerConfiguration) -> Void = { $0.signUps = ways }
        try await RESTWorld.with(configure: chosen) { world in
            let refused = try await world.send("POST", "/v1/users", body: #"{"name":"Ann"\#(more)}"#)
            #expect(refused.status == 403 && refused.problem == "sign-ups-closed")
            #expect(try refused.json()["detail"]?.string?.contains(words) == true, "\(refused.text)")
            #expect(try await Self.people(world) == 0)
            let now = try await world.send("GET", "/v1/now").json()
            #expect(now["signUps"]?.array?.map(\.string) == ways.map(\.rawValue))
        }
    }

    @Test("without a condition ignores codes and invites")
    func open() async throws {
        try await RESTWorld.with { world in
            let code = try await world.signUpCode()
            let answer = try await world.ask(#""code":"\#(code)","invite":"x""#)
            #expect(answer.status == 201, "\(answer.text)")
            #expect(try await world.uses() == [0])
            let now = try await world.send("GET", "/v1/now").json()
            #expect(now["signUps"]?.array?.map(\.string) == ["open"])
        }
    }

    @Test("by a code takes one of its uses, however it is written, until there are none")
    func code() async throws {
        try await RESTWorld.with(configure: Self.setting(.code)) { world in
            let code = try await world.signUpCode(uses: 2)
            #expect(code.wholeMatch(of: /([0-9A-Z]{4}-){3}[0-9A-Z]{4}/) != nil)
            let rows = try await world.pool.query("SELECT sign_up_codes::text FROM sign_up_codes")
            #expect(try rows.count == 1 && !rows[0].decode(0, String.self).contains(code))
            for text in [code, code.lowercased().replacing("-", with: " ").replacing("1", with: "l")] {
                let answer = try await world.ask(#""code":"\#(text)""#)
                #expect(answer.status == 201, "\(answer.text)")
            }
            for text in [code, "0000-0000-0000-0000"] {
                let refused = try await world.ask(#""code":"\#(text)""#)
                #expect(refused.status == 403 && refused.problem == "sign-ups-closed")
                #expect(refused.pointers == ["/code"])
            }
            for text in ["0000-0000-0000-000", "0000-0000-0000-0000-0", "0000-0000-0000-000U", ""] {
                let refused = try await world.ask(#""code":"\#(text)""#)
                #expect(refused.status == 422 && refused.pointers == ["/code"], "\(refused.text)")
            }
            #expect(try await world.uses() == [2])
            #expect(try await Self.people(world) == 2)
        }
    }

    @Test("by a code at once with others makes as many accounts as the code has uses")
    func atOnce() async throws {
        try await RESTWorld.with(configure: Self.setting(.code)) { world in
            let code = try await world.signUpCode(uses: 3)
            let statuses = try await concurrently(0..<8) { _ in
                try await world.ask(#""code":"\#(code)""#).status
            }
            #expect(statuses.sorted() == [201, 201, 201, 403, 403, 403, 403, 403])
            #expect(try await Self.people(world) == 3)
        }
    }

    @Test("that comes again with its key takes no second use, and gets the same account")
    func again() async throws {
        try await RESTWorld.with(configure: Self.setting(.code)) { world in
            let code = try await world.signUpCode()
            let key = "Idempotency-Key: \(String(repeating: "k", count: 24))"
            let body = #"{"name":"Ann","code":"\#(code)"}"#
            let first = try await world.send("POST", "/v1/users", body: body, headers: [key])
            let second = try await world.send("POST", "/v1/users", body: body, headers: [key])
            #expect(first.status == 201 && second.status == 201)
            #expect(try first.json()["token"]?.string == second.json()["token"]?.string)
            #expect(try await world.uses() == [1])
        }
    }

    @Test("by a code is refused from the end of the code on, and the code is removed")
    func expired() async throws {
        try await RESTWorld.with(configure: Self.setting(.code)) { world in
            let end = world.clock.now.adding(.seconds(60))
            let code = try await world.signUpCode(until: end)
            try await SignUpCodes.removeExpired(at: world.clock.now, in: world.pool)
            #expect(try await world.uses() == [0])
            world.clock.now = end
            #expect(try await world.ask(#""code":"\#(code)""#).status == 403)
            try await SignUpCodes.removeExpired(at: end, in: world.pool)
            #expect(try await world.uses() == [])
        }
    }

    @Test("by a code may be tried as often in a minute as an address may make accounts")
    func guessing() async throws {
        let one: (inout ServerConfiguration) -> Void = {
            $0.signUps = [.code, .invite]
            $0.signUpsPerMinute = 2
        }
        try await RESTWorld.with(configure: one) { world in
            let code = try await world.signUpCode()
            for more in [#""code":"0000-0000-0000-0000""#, #""invite":"x""#] {
                #expect(try await world.ask(more).status == 403)
            }
            let refused = try await world.ask(#""code":"\#(code)""#)
            #expect(refused.status == 429 && refused.headers["retry-after"] != nil)
            #expect(try refused.json()["violated-policies"]?.array?.map(\.string) == ["codes"])
            #expect(world.application.limits.counts == [.codes: 1])
            #expect(try await world.uses() == [0])
        }
    }

    @Test("by an invite lets in one person, who can then use the invite, as others can")
    func invite() async throws {
        try await RESTWorld.with(configure: Self.setting(.invite)) { world in
            let (ann, other) = (try await world.addAccount("Ann"), try await world.addAccount("Other"))
            let registration = try await world.register(ann, Self.slot)
            let invite = try await world.invite(ann, to: registration)
            let answer = try await world.ask(#""invite":"\#(invite)""#)
            #expect(answer.status == 201, "\(answer.text)")
            let shown = try await world.send("GET", "/v1/invites/\(invite)").json()
            #expect(shown["usable"]?.bool == true)
            for text in [invite, String(repeating: "A", count: 43), "x"] {
                let refused = try await world.ask(#""invite":"\#(text)""#)
                #expect(refused.status == 403 && refused.pointers == ["/invite"], "\(refused.text)")
            }
            try await world.send(
                "POST", "/v1/registrations", token: other, body: #"{"task":"Read","invite":"\#(invite)"}"#,
                expecting: 201)
        }
    }

    @Test("by an invite is refused if the invite is used, cancelled or late, or its maker is suspended")
    func deadInvites() async throws {
        try await RESTWorld.with(configure: Self.setting(.invite)) { world in
            let (ann, bea) = (try await world.addAccount("Ann"), try await world.addAccount("Bea"))
            let registration = try await world.register(ann, Self.slot)
            let invite = try await world.invite(ann, to: registration)
            func statements(_ spoil: String, _ restore: String) async throws {
                try await world.pool.query(spoil)
                #expect(try await world.ask(#""invite":"\#(invite)""#).status == 403, "\(spoil)")
                try await world.pool.query(restore)
            }
            try await statements(
                "UPDATE registrations SET cancelled_at = now()",
                "UPDATE registrations SET cancelled_at = NULL")
            try await statements(
                """
                INSERT INTO suspensions (user_id, since, reason, operator)
                SELECT id, now(), 'Loud', 'test' FROM accounts WHERE name = 'Ann'
                """, "DELETE FROM suspensions")
            let now = world.clock.now
            world.clock.now = now.adding(.seconds(3600 + 301))
            #expect(try await world.ask(#""invite":"\#(invite)""#).status == 403)
            world.clock.now = now
            try await world.send(
                "POST", "/v1/registrations", token: bea, body: #"{"task":"Read","invite":"\#(invite)"}"#,
                expecting: 201)
            #expect(try await world.ask(#""invite":"\#(invite)""#).status == 403)
            #expect(try await Self.people(world) == 2)
        }
    }
}

extension RESTWorld {
    fileprivate func signUpCode(uses: Int = 1, until end: Timestamp? = nil) async throws -> String {
        let code = AccessCode(for: .signUp)
        let id = try await pool.transaction { connection in
            try await SignUpCodes.add(
                code, uses: uses, until: end ?? clock.now.adding(.seconds(86_400)), by: "test",
                at: clock.now, on: connection)
        }
        #expect(id != nil)
        return code.text
    }

    /// Sends a sign-up with further members.
    fileprivate func ask(_ more: String) async throws -> RawHTTP.Response {
        try await send("POST", "/v1/users", body: #"{"name":"New",\#(more)}"#)
    }

    /// The uses that were taken of each code.
    fileprivate func uses() async throws -> [Int32] {
        try await pool.query("SELECT used FROM sign_up_codes").map { try $0.decode(0, Int32.self) }
    }

    /// Makes an account without a sign-up; returns its token.
    fileprivate func addAccount(_ name: String) async throws -> String {
        let token = APIToken.make()
        var random = SystemRandomNumberGenerator()
        let user = User(
            id: .v7(at: clock.now, using: &random), name: name, timeZone: "UTC", createdAt: clock.now)
        try await pool.transaction { connection in
            try await AccountWriter.create(user, token, .init(for: .recovery), under: nil, on: connection)
        }
        return token.text
    }

    fileprivate func invite(_ token: String, to registration: Identifier) async throws -> String {
        let made = try await send("POST", "/v1/registrations/\(registration)/invite", token: token)
        return try #require(try made.json()["code"]?.string, "\(made.text)")
    }
}
