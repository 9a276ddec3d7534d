import Contract
import Postgres
import Reactor
import Scheduling
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite("The recovery code")
struct RESTRecoveryTests {
    private static func code(_ text: String) -> String { #"{"recoveryCode":"\#(text)"}"# }

    @Test(
        "a body that is wrong is refused, and names the place",
        arguments: [
            ("", 400, []), ("{", 400, []), ("{}", 422, ["/recoveryCode"]),
            (#"{"recoveryCode":5}"#, 422, ["/recoveryCode"]),
            (code(""), 422, ["/recoveryCode"]), (code("12345"), 422, ["/recoveryCode"]),
            (code("00000-00000-00000-00000-0000U"), 422, ["/recoveryCode"]),
            (code("00000-00000-00000-00000-000000"), 422, ["/recoveryCode"]),
            (code("00000-00000-00000-00000-0000é"), 422, ["/recoveryCode"]),
            (code(String(repeating: "0", count: 101)), 422, ["/recoveryCode"]),
            (#"{"recoveryCode":"00000-00000-00000-00000-00000","name":"Ann"}"#, 422, ["/name"]),
        ])
    func badBodies(_ body: String, status: Int, pointers: [String]) async throws {
        try await RESTWorld.with { world in
            let refused = try await world.send("POST", "/v1/recover", body: body)
            #expect(refused.status == status && refused.pointers == pointers, "\(refused.text)")
        }
    }

    @Test("a code of no account is refused, and a token is no code")
    func unknown() async throws {
        try await RESTWorld.withAccount { world, token in
            let refused = try await world.send(
                "POST", "/v1/recover", body: Self.code("00000-00000-00000-00000-00000"))
            #expect(refused.status == 401 && refused.headers["www-authenticate"] != nil)
            #expect(try await world.send("POST", "/v1/recover", body: Self.code(token)).status == 422)
            #expect(try await world.status(of: token) == 200)
        }
    }

    @Test("brings a person back, ends every token, works however it is written, and only once")
    func recovers() async throws {
        try await RESTWorld.with { world in
            let (main, code) = try await world.signUpWithCode()
            let bea = try await world.signUp("Bea")
            let other = try await world.made("Phone", main)
            let pending = try #require(
                try await world.send("POST", "/v1/me/token", token: main).json()["token"]?.string)
            let user = try await world.user(main)
            world.changeEvents.withLock { $0 = [] }
            let written = " " + code.lowercased().replacing("-", with: " ").replacing("0", with: "o")
            let answer = try await world.send("POST", "/v1/recover", body: Self.code(written))
            #expect(answer.status == 201, "\(answer.text)")
            #expect(world.changeEvents.withLock { $0 } == [.user(user)])
            let new = try #require(try answer.json()["token"]?.string)
            let next = try #require(try answer.json()["recoveryCode"]?.string)
            #expect(next != code)
            for ended in [main, other.token, pending] { #expect(try await world.status(of: ended) == 401) }
            #expect(try await world.status(of: bea) == 200)
            #expect(try await world.user(new) == user)
            let listed = try await world.tokens(new)
            #expect(listed.count == 1 && listed[0]["main"]?.bool == true)
            #expect(listed[0]["prefix"]?.string == String(new.prefix(8)))
            // The next code works, too; and the token that is used ends the one before it for good.
            #expect(try await world.send("POST", "/v1/recover", body: Self.code(code)).status == 401)
            #expect(try await world.status(of: new) == 200)
            #expect(try await world.send("POST", "/v1/recover", body: Self.code(next)).status == 201)
            #expect(try await world.status(of: new) == 401)
        }
    }

    @Test("works again where the answer was lost, for an hour, and the lost token ends")
    func lostAnswer() async throws {
        try await RESTWorld.with { world in
            let (_, code) = try await world.signUpWithCode()
            let lost = try await world.send("POST", "/v1/recover", body: Self.code(code)).json()
            let again = try await world.send("POST", "/v1/recover", body: Self.code(code))
            #expect(again.status == 201)
            let lostToken = try #require(lost["token"]?.string)
            let lostCode = try #require(lost["recoveryCode"]?.string)
            let token = try #require(try again.json()["token"]?.string)
            #expect(try await world.status(of: lostToken) == 401)
            #expect(try await world.send("POST", "/v1/recover", body: Self.code(lostCode)).status == 401)
            try await world.pool.query("UPDATE recovery_codes SET previous_until = now()")
            #expect(try await world.send("POST", "/v1/recover", body: Self.code(code)).status == 401)
            #expect(try await world.status(of: token) == 200)
        }
    }

    @Test("used by two at once, brings back both, and one token is left")
    func twoAtOnce() async throws {
        try await RESTWorld.with { world in
            let (_, code) = try await world.signUpWithCode()
            async let one = world.send("POST", "/v1/recover", body: Self.code(code))
            async let two = world.send("POST", "/v1/recover", body: Self.code(code))
            var valid = 0
            for answer in [try await one, try await two] {
                #expect(answer.status == 201)
                let token = try #require(try answer.json()["token"]?.string)
                if try await world.status(of: token) == 200 { valid += 1 }
            }
            #expect(valid == 1)
        }
    }

    @Test("an account without one gets one, a new one ends the one before, and it is stored hashed")
    func newCode() async throws {
        try await RESTWorld.with { world in
            let (main, first) = try await world.signUpWithCode()
            try await world.pool.query("DELETE FROM recovery_codes")
            #expect(try await world.send("POST", "/v1/recover", body: Self.code(first)).status == 401)
            var codes: [String] = []
            for _ in 0..<2 {
                let made = try await world.send("POST", "/v1/me/recovery-code", token: main)
                #expect(made.status == 201)
                codes.append(try #require(try made.json()["recoveryCode"]?.string))
            }
            #expect(try await world.send("POST", "/v1/recover", body: Self.code(codes[0])).status == 401)
            let rows = try await world.pool.query("SELECT recovery_codes::text FROM recovery_codes")
            #expect(try rows.count == 1 && !rows[0].decode(0, String.self).contains(codes[1]))
            #expect(try await world.send("POST", "/v1/recover", body: Self.code(codes[1])).status == 201)
        }
    }

    @Test("goes with the account")
    func deleted() async throws {
        try await RESTWorld.with { world in
            let (main, code) = try await world.signUpWithCode()
            let user = try await world.user(main)
            _ = try await world.made("Phone", main)
            try await world.pool.query("DELETE FROM users WHERE id = $1", [user])
            #expect(try await world.send("POST", "/v1/recover", body: Self.code(code)).status == 401)
            let rows = try await world.pool.query("SELECT FROM recovery_codes, tokens")
            #expect(rows.isEmpty)
        }
    }

    @Test("an address tries as many codes in a minute as it may make accounts, and counts for itself")
    func limit() async throws {
        let one: (inout ServerConfiguration) -> Void = { $0.signUpsPerMinute = 1 }
        try await RESTWorld.with(configure: one) { world in
            _ = try await world.signUp()
            // A body that cannot be read does not count; a wrong code does.
            #expect(try await world.send("POST", "/v1/recover", body: "{}").status == 422)
            let wrong = Self.code("00000-00000-00000-00000-00000")
            #expect(try await world.send("POST", "/v1/recover", body: wrong).status == 401)
            let refused = try await world.send("POST", "/v1/recover", body: wrong)
            #expect(refused.status == 429 && refused.headers["retry-after"] != nil)
            #expect(try refused.json()["violated-policies"]?.array?.map(\.string) == ["recoveries"])
            #expect(world.application.limits.counts == [.recoveries: 1])
        }
    }

    @Test("a code is read as it was made, however it is written")
    func reading() {
        for _ in 0..<1000 {
            let code = AccessCode(derived: DerivedSecret(.recovery, key: []))
            #expect(code.text.count == 29)
            for text in [code.text, code.text.lowercased(), code.text.replacing("-", with: "")] {
                #expect(AccessCode(text, for: .recovery)?.hash == code.hash)
            }
        }
        let code = AccessCode("il0oI-00000-00000-00000-00000", for: .recovery)
        #expect(code?.text == "11001-00000-00000-00000-00000")
    }
}

extension RESTWorld {
    /// Makes an account; returns its token and its recovery code.
    fileprivate func signUpWithCode() async throws -> (token: String, code: String) {
        let answer = try await send("POST", "/v1/users", body: #"{"name":"Ann"}"#).json()
        return (
            try #require(answer["token"]?.string), try #require(answer["recoveryCode"]?.string)
        )
    }
}
