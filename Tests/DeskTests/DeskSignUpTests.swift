import Contract
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Console
@testable import Database
@testable import Settings

@Suite("Sign-ups at the desk")
struct DeskSignUpTests {
    private static func signUp(_ desk: DeskWorld, _ code: String) async throws -> Int {
        try await desk.world.send("POST", "/v1/users", body: #"{"name":"Ann","code":"\#(code)"}"#).status
    }

    @Test("a code is made, listed without its text, used and ended, and the audit log says so")
    func code() async throws {
        let byCode: (inout ServerConfiguration) -> Void = { $0.signUps = [.code] }
        try await DeskWorld.with(configure: byCode) { desk in
            let (admin, viewer) = (try await desk.token(.admin), try await desk.token(.viewer))
            let made = try await desk.send(
                "POST", "/sign-up-codes", token: admin,
                body: #"{"uses":2,"expiresAt":"2027-03-02T12:00:00Z"}"#)
            #expect(made.status == 201, "\(made.text)")
            let code = try #require(try made.json()["code"]?.string)
            let id = try #require(try made.json()["id"]?.int)
            #expect(try await Self.signUp(desk, code) == 201)
            let list = try await desk.send("GET", "/sign-up-codes", token: viewer)
            let listed = try #require(try list.json()["codes"]?.array)
            #expect(listed.count == 1 && !list.text.contains(code))
            #expect(listed[0]["id"]?.int == id && listed[0]["operator"]?.string == "admin")
            #expect(listed[0]["uses"]?.int == 2 && listed[0]["used"]?.int == 1)
            #expect(listed[0]["expiresAt"]?.string == "2027-03-02T12:00:00.000000Z")
            let end = "/sign-up-codes/\(id)/end"
            #expect(try await desk.send("POST", end, token: admin).status == 204)
            #expect(try await desk.send("POST", end, token: admin).status == 404)
            #expect(try await Self.signUp(desk, code) == 403)
            #expect(try await desk.actions() == ["sign-up-code.add", "sign-up-code.end"])
            #expect(try await desk.verification().fault == nil)
            let entries = try await desk.send("GET", "/audit?action=sign-up-code.add", token: admin)
            let entry = try #require(try entries.json()["entries"]?.array?.first)
            #expect(entry["subject"]?.string == "sign-up-code:\(id)")
            #expect(entry["after"]?["uses"]?.int == 2 && !entries.text.contains(code))
        }
    }

    @Test("a code is for one account and seven days if nothing else is asked for, and not beyond the bounds")
    func bounds() async throws {
        try await DeskWorld.withToken(.admin) { desk, admin in
            let usual = try await desk.send("POST", "/sign-up-codes", token: admin, body: "{}")
            #expect(try usual.json()["uses"]?.int == 1)
            #expect(try usual.json()["expiresAt"]?.string == "2027-03-08T12:00:00Z", "\(usual.text)")
            for (body, pointer) in [
                (#"{"uses":0}"#, "/uses"), (#"{"uses":10001}"#, "/uses"), (#"{"uses":"2"}"#, "/uses"),
                (#"{"expiresAt":"2027-03-01T12:00:00Z"}"#, "/expiresAt"),
                (#"{"expiresAt":"2028-03-02T12:00:00Z"}"#, "/expiresAt"),
            ] {
                let refused = try await desk.send("POST", "/sign-up-codes", token: admin, body: body)
                #expect(refused.status == 422 && refused.pointers == [pointer], "\(body): \(refused.text)")
            }
            try await desk.world.pool.query(
                """
                INSERT INTO sign_up_codes (hash, operator, created_at, expires_at, uses)
                SELECT sha256(number::text::bytea), 'test', now(), '2027-03-03T00:00:00Z', 1
                FROM generate_series(2, \(SignUpCodes.most)) AS number
                """)
            let refused = try await desk.send("POST", "/sign-up-codes", token: admin)
            #expect(refused.status == 409 && refused.problem == "limit-reached", "\(refused.text)")
        }
    }

    @Test("a person who is made gets a code that signs in once, and counts against no limit of an address")
    func person() async throws {
        let closed: (inout ServerConfiguration) -> Void = {
            $0.signUps = []
            $0.signUpsPerMinute = 1
        }
        try await DeskWorld.with(configure: closed) { desk in
            let (admin, support) = (try await desk.token(.admin), try await desk.token(.support))
            let body = #"{"name":" Ann ","timeZone":"Asia/Tokyo","language":"ja"}"#
            #expect(try await desk.send("POST", "/people", token: support, body: body).status == 403)
            var made: [(id: String, code: String)] = []
            for _ in 0..<3 {
                let answer = try await desk.send("POST", "/people", token: admin, body: body)
                #expect(answer.status == 201, "\(answer.text)")
                #expect(try answer.json()["expiresAt"]?.string == "2027-03-08T12:00:00Z")
                made.append(
                    (
                        try #require(try answer.json()["id"]?.string),
                        try #require(try answer.json()["signInCode"]?.string)
                    ))
            }
            let path = "/people/\(made[0].id)"
            let shown = try await desk.send("GET", path, token: support).json()
            #expect(shown["name"]?.string == "Ann" && shown["timeZone"]?.string == "Asia/Tokyo")
            #expect(shown["signInCodeUntil"]?.string == "2027-03-08T12:00:00.000000Z")
            #expect(shown["hasRecoveryCode"]?.bool == false)
            let signedIn = try await desk.world.send(
                "POST", "/v1/sign-in", body: #"{"code":"\#(made[0].code)"}"#)
            #expect(signedIn.status == 201, "\(signedIn.text)")
            let token = try signedIn.json()["token"]?.string
            // The account has none of the limits that follow a recovery code of an operator.
            #expect(try await desk.world.send("GET", "/v1/me/export", token: token).status == 200)
            let after = try await desk.send("GET", path, token: support).json()
            #expect(after["signInCodeUntil"] == .null && after["hasRecoveryCode"]?.bool == true)
            #expect(try await desk.actions() == ["person.add", "person.add", "person.add"])
            let entries = try await desk.send("GET", "/people/\(made[1].id)/audit", token: support)
            #expect(entries.text.contains("person.add") && !entries.text.contains(made[1].code))
            #expect(try await desk.verification().fault == nil)
        }
    }

    @Test("a person is not made with an empty name, an unknown time zone or an unknown language")
    func wrongPerson() async throws {
        try await DeskWorld.withToken(.admin) { desk, admin in
            for (body, pointer) in [
                ("{}", "/name"), (#"{"name":" "}"#, "/name"),
                (#"{"name":"Ann","timeZone":"Nowhere/Else"}"#, "/timeZone"),
                (#"{"name":"Ann","language":"tlh"}"#, "/language"),
            ] {
                let refused = try await desk.send("POST", "/people", token: admin, body: body)
                #expect(refused.status == 422 && refused.pointers == [pointer], "\(body): \(refused.text)")
            }
            #expect(try await desk.actions() == [])
        }
    }

    @Test("a deletion of an account ends its code")
    func deleted() async throws {
        try await DeskWorld.withToken(.admin) { desk, admin in
            let made = try await desk.send("POST", "/people", token: admin, body: #"{"name":"Ann"}"#)
            let (id, code) = (
                try #require(try made.json()["id"]?.string),
                try #require(try made.json()["signInCode"]?.string)
            )
            try await desk.send(
                "POST", "/people/\(id)/delete", token: admin, body: #"{"confirm":"Ann"}"#, expecting: 204)
            try await desk.world.send("POST", "/v1/sign-in", body: #"{"code":"\#(code)"}"#, expecting: 401)
        }
    }
}
