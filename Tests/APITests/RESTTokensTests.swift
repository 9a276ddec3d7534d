import Contract
import Postgres
import Reactor
import Scheduling
import TestKit
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("The tokens of an account")
struct RESTTokensTests {
    @Test(
        "a body that is wrong is refused, and names the place",
        arguments: [
            ("", 400, []), ("[", 400, []), ("[]", 422, [""]), ("{}", 422, ["/name"]),
            (#"{"name":""}"#, 422, ["/name"]), (#"{"name":7}"#, 422, ["/name"]),
            (#"{"name":"a\u0007"}"#, 422, ["/name"]), (#"{"name":"a","expires":1}"#, 422, ["/expires"]),
            (#"{"name":"a","expiresAt":"soon"}"#, 422, ["/expiresAt"]),
            (#"{"name":"a","expiresAt":5}"#, 422, ["/expiresAt"]),
            (#"{"name":"a","expiresAt":"2027-03-01T12:00:00"}"#, 422, ["/expiresAt"]),
            // This is the clock's own time, which is not in the future.
            (#"{"name":"a","expiresAt":"2027-03-01T12:00:00Z"}"#, 422, ["/expiresAt"]),
        ])
    func badBodies(_ body: String, status: Int, pointers: [String]) async throws {
        try await RESTWorld.withAccount { world, token in
            let refused = try await world.send("POST", "/v1/me/tokens", token: token, body: body)
            #expect(refused.status == status && refused.pointers == pointers, "\(refused.text)")
            #expect(try await world.tokens(token).count == 1)
        }
    }

    @Test("all calls want a token, and take none of another account")
    func signedOut() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let beas = try await world.made("Phone", bea)
            for (method, path) in [
                ("POST", "/v1/me/tokens"), ("GET", "/v1/me/tokens"), ("DELETE", "/v1/me/tokens/\(beas.id)"),
                ("POST", "/v1/me/recovery-code"),
            ] {
                #expect(try await world.send(method, path).status == 401)
            }
            let body = #"{"surprise":1}"#
            try await world.send("POST", "/v1/me/recovery-code", token: ann, body: body, expecting: 413)
            for id in [beas.id, "0198c0de-0000-8000-8000-000000000001", "1", "x"] {
                try await world.send("DELETE", "/v1/me/tokens/\(id)", token: ann, expecting: 404)
            }
            #expect(try await world.status(of: beas.token) == 200)
        }
    }

    @Test("another token works, is listed without itself, and ends when it is revoked")
    func another() async throws {
        try await RESTWorld.withAccount { world, main in
            let answer = try await world.send(
                "POST", "/v1/me/tokens", token: main,
                body: #"{"name":" My bot ","expiresAt":"2027-04-01T00:00:00+02:00"}"#)
            #expect(answer.status == 201)
            let token = try #require(try answer.json()["token"]?.string)
            let details = try #require(try answer.json()["details"])
            #expect(details["name"]?.string == "My bot")
            #expect(details["expiresAt"]?.string == "2027-03-31T22:00:00Z")
            let id = try #require(details["id"]?.string)
            #expect(answer.headers["location"] == "/v1/me/tokens/\(id)")
            let other = try await world.made("Phone", main)
            let list = try await world.send("GET", "/v1/me/tokens", token: token)
            #expect(!list.text.contains(token) && !list.text.contains(main))
            let listed = try #require(try list.json()["tokens"]?.array)
            #expect(listed.map { $0["main"]?.bool } == [true, false, false])
            #expect(listed.map { $0["current"]?.bool } == [false, true, false])
            #expect(listed.map { $0["name"]?.string } == [nil, "My bot", "Phone"])
            #expect(listed[0]["prefix"]?.string == String(main.prefix(8)))
            #expect(listed[1]["prefix"]?.string == String(token.prefix(8)))
            world.changeEvents.withLock { $0 = [] }
            #expect(try await world.send("DELETE", "/v1/me/tokens/\(id)", token: other.token).status == 204)
            let user = try await world.user(main)
            #expect(world.changeEvents.withLock { $0 } == [.user(user)])
            #expect(try await world.status(of: token) == 401)
            #expect(try await world.status(of: main) == 200)
            #expect(try await world.status(of: other.token) == 200)
            #expect(try await world.send("DELETE", "/v1/me/tokens/\(id)", token: main).status == 404)
            let rows = try await world.pool.query(
                "SELECT count(*) FROM tokens WHERE position($1::text::bytea IN hash) > 0", [other.token])
            #expect(try rows[0].decode(0, Int64.self) == 0)
        }
    }

    @Test("the main token is replaced as before, and the others stay")
    func renewal() async throws {
        try await RESTWorld.withAccount { world, main in
            let other = try await world.made("Phone", main)
            let renewed = try await world.send("POST", "/v1/me/token", token: main).json()["token"]?.string
            let new = try #require(renewed)
            // It is none of the account's tokens until it is used.
            #expect(try await world.tokens(main).count == 2)
            #expect(try await world.status(of: new) == 200)
            #expect(try await world.status(of: main) == 401)
            #expect(try await world.status(of: other.token) == 200)
            let listed = try await world.tokens(new)
            #expect(listed.map { $0["main"]?.bool } == [false, true])
            #expect(listed[1]["prefix"]?.string == String(new.prefix(8)))
            let refused = try await world.send("POST", "/v1/me/token", token: other.token)
            #expect(refused.status == 409)
            // The new one is the maker from now on.
            let id = try #require(listed[1]["id"]?.string)
            #expect(try await world.send("DELETE", "/v1/me/tokens/\(id)", token: new).status == 204)
            #expect(try await world.status(of: other.token) == 401)
            #expect(try refused.json()["detail"]?.string?.contains("/v1/me/tokens") == true)
        }
    }

    @Test("the main token can be revoked, with the pending one, and the last way in cannot")
    func mainToken() async throws {
        try await RESTWorld.withAccount { world, main in
            let other = try await world.made("Phone", main)
            let pending = try #require(
                try await world.send("POST", "/v1/me/token", token: main).json()["token"]?.string)
            try await world.pool.query("DELETE FROM recovery_codes")
            let id = try #require(try await world.tokens(main)[0]["id"]?.string)
            let path = "/v1/me/tokens/\(id)"
            let refused = try await world.send("DELETE", path, token: other.token)
            #expect(refused.status == 409 && refused.text.contains("recovery-code"))
            for kept in [main, other.token] { #expect(try await world.status(of: kept) == 200) }
            let made = try await world.send("POST", "/v1/me/recovery-code", token: main)
            let code = try #require(try made.json()["recoveryCode"]?.string)
            #expect(try await world.send("DELETE", path, token: other.token).status == 204)
            for ended in [main, pending, other.token] { #expect(try await world.status(of: ended) == 401) }
            let back = try await world.send(
                "POST", "/v1/recover", body: #"{"recoveryCode":"\#(code)"}"#)
            let token = try #require(try back.json()["token"]?.string, "\(back.text)")
            #expect(try await world.tokens(token).map { $0["main"]?.bool } == [true])
        }
    }

    @Test("the end of a token is the end of those that it made, by itself or by a session, and of no other")
    func descendants() async throws {
        try await RESTWorld.withAccount { world, main in
            let child = try await world.made("Child", main)
            let sibling = try await world.made("Sibling", main)
            let session = try await world.send("POST", "/v1/me/session", token: child.token)
            let cookie = "Cookie: \(session.headers["set-cookie"]?.prefix { $0 != ";" } ?? "")"
            let own = [cookie, "Sec-Fetch-Site: same-origin"]
            let made = try await world.send(
                "POST", "/v1/me/tokens", body: #"{"name":"b"}"#, headers: own)
            let grandchild = try #require(try made.json()["token"]?.string, "\(made.text)")
            let last = try await world.made("Last", grandchild)
            // The end of the session ends no token.
            #expect(try await world.send("DELETE", "/v1/me/session", headers: own).status == 204)
            let all = [main, child.token, sibling.token, grandchild, last.token]
            func statuses() async throws -> [Int] {
                var statuses: [Int] = []
                for token in all { statuses.append(try await world.status(of: token)) }
                return statuses
            }
            #expect(try await statuses() == [200, 200, 200, 200, 200])
            let path = "/v1/me/tokens/\(child.id)"
            #expect(try await world.send("DELETE", path, token: last.token).status == 204)
            #expect(try await statuses() == [200, 401, 200, 401, 401])
            #expect(try await world.tokens(main).count == 2)
        }
    }

    @Test("an account has twenty tokens at most, also where several are made at once")
    func limit() async throws {
        try await RESTWorld.withAccount { world, main in
            let statuses = try await concurrently(0..<24) { number in
                try await world.send(
                    "POST", "/v1/me/tokens", token: main, body: #"{"name":"\#(number)"}"#
                ).status
            }
            #expect(statuses.filter { $0 == 201 }.count == 19)
            #expect(statuses.filter { $0 == 409 }.count == 5)
            let refused = try await world.send(
                "POST", "/v1/me/tokens", token: main, body: #"{"name":"One more"}"#)
            #expect(refused.problem == "limit-reached")
            // One that has expired makes room, and so does one that is revoked.
            try await world.pool.query("UPDATE tokens SET expires_at = now() WHERE number = -3")
            #expect(try await world.tokens(main).count == 19)
            _ = try await world.made("In its place", main)
            let last = try #require(try await world.tokens(main).last?["id"]?.string)
            #expect(try await world.send("DELETE", "/v1/me/tokens/\(last)", token: main).status == 204)
            _ = try await world.made("Again", main)
        }
    }

    @Test("a token ends when it expires, by the clock of the database")
    func expires() async throws {
        try await RESTWorld.withAccount { world, main in
            let other = try await world.made("Phone", main)
            try await world.pool.query(
                "UPDATE tokens SET expires_at = now() + interval '1 hour' WHERE number < 0")
            #expect(try await world.status(of: other.token) == 200)
            try await world.pool.query("UPDATE tokens SET expires_at = now() WHERE number < 0")
            world.forgetSignIns()
            #expect(try await world.status(of: other.token) == 401)
            #expect(try await world.tokens(main).count == 1)
            #expect(try await world.send("DELETE", "/v1/me/tokens/\(other.id)", token: main).status == 404)
        }
    }

    @Test("a token does not outlive the expiry of the token, or of the session's token, that made it")
    func expiryOfMaker() async throws {
        try await RESTWorld.withAccount { world, ann in
            let end = "2099-01-01T00:00:00Z"
            func make(_ token: String?, _ expiresAt: String?, _ headers: [String] = []) async throws
                -> (token: String?, expiresAt: String?)
            {
                let more = expiresAt.map { #","expiresAt":"\#($0)""# } ?? ""
                let made = try await world.send(
                    "POST", "/v1/me/tokens", token: token, body: #"{"name":"b"\#(more)}"#, headers: headers)
                #expect(made.status == 201, "\(made.text)")
                let details = try made.json()
                return (details["token"]?.string, details["details"]?["expiresAt"]?.string)
            }
            let day = try await make(ann, end)
            #expect(day.expiresAt == end)
            #expect(try await make(day.token, nil).expiresAt == end)
            #expect(try await make(day.token, "2100-01-01T00:00:00Z").expiresAt == end)
            #expect(try await make(day.token, "2098-01-01T00:00:00Z").expiresAt == "2098-01-01T00:00:00Z")
            // A session ends sooner than its token, which counts.
            for (token, expected) in [(day.token, end), (ann, nil)] as [(String?, String?)] {
                let session = try await world.send("POST", "/v1/me/session", token: token)
                let cookie = "Cookie: \(session.headers["set-cookie"]?.prefix { $0 != ";" } ?? "")"
                #expect(
                    try await make(nil, nil, [cookie, "Sec-Fetch-Site: same-origin"]).expiresAt == expected)
            }
            // A recovery code brings a token that lasts.
            let code = try await world.send("POST", "/v1/me/recovery-code", token: day.token)
            #expect(code.status == 409 && code.problem == "conflict")
            #expect(try await world.send("POST", "/v1/me/recovery-code", token: ann).status == 201)
        }
    }

    @Test("a token may last as long as can be written")
    func lasts() async throws {
        try await RESTWorld.with { world in
            let body = #"{"name":"Phone","expiresAt":"9999-12-31T23:59:59Z"}"#
            let made = try await world.send("POST", "/v1/me/tokens", token: world.signUp(), body: body)
            let token = try #require(try made.json()["token"]?.string)
            for _ in 0..<2 { #expect(try await world.status(of: token) == 200) }
        }
    }

    @Test("the number of a token that has ended is not used again, since tickets name it")
    func numbers() async throws {
        try await RESTWorld.withAccount { world, main in
            for name in ["One", "Two", "Three"] {
                let made = try await world.made(name, main)
                try await world.send("DELETE", "/v1/me/tokens/\(made.id)", token: main)
            }
            _ = try await world.made("Four", main)
            let rows = try await world.pool.query("SELECT number FROM tokens WHERE number < 0")
            #expect(try rows[0].decode(0, Int32.self) == -4)
        }
    }

    @Test("the last use of a token is stored in the background, once a minute at most")
    func lastUse() async throws {
        try await RESTWorld.withAccount { world, main in
            let other = try await world.made("Phone", main)
            let uses = TokenUses()
            let database = world.pool
            let token = try #require(APIToken(other.token))
            let user = try #require(try await SignedInUser.find(token.hash, in: database))
            #expect(try await world.tokens(main).allSatisfy { $0["lastUsedAt"] == nil })
            for _ in 0..<3 { uses.note(user) }
            try await uses.store(in: database)
            let first = try await world.tokens(main).map { $0["lastUsedAt"]?.string }
            #expect(first[0] == nil && first[1] != nil)
            uses.note(user)
            try await uses.store(in: database)
            #expect(try await world.tokens(main).map { $0["lastUsedAt"]?.string } == first)
            try await database.query("UPDATE tokens SET last_used_at = now() - interval '2 minutes'")
            let old = try await world.tokens(main)[1]["lastUsedAt"]
            uses.note(user)
            try await uses.store(in: database)
            #expect(try await world.tokens(main)[1]["lastUsedAt"] != old)
        }
    }

    @Test("a ticket is made under the token of the request, in rooms and in notifications")
    func tickets() async throws {
        try await RESTWorld.withAccount { world, main in
            let other = try await world.made("Phone", main)
            let id = try await world.register(main, "2027-03-01T12:30:00Z")
            let room = try await world.open([id], at: "2027-03-01T12:30:00Z")
            try await world.pool.query(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                SELECT user_id, 'room.opened', now(), id, $1, 1 FROM registrations
                """, [room])
            for (token, number) in [(main, Int32(1)), (other.token, -1)] {
                let read = try await world.send("GET", "/v1/rooms/\(room)", token: token).json()
                #expect(try world.ticket(read["socketUrl"]).tokenVersion == number)
                let list = try await world.send("GET", "/v1/notifications", token: token).json()
                let url = list["notifications"]?.array?.first?["data"]?["socketUrl"]
                #expect(try world.ticket(url).tokenVersion == number)
            }
        }
    }
}

extension RESTWorld {
    func status(of token: String) async throws -> Int {
        try await send("GET", "/v1/me", token: token).status
    }

    func user(_ token: String) async throws -> Identifier {
        let id = try await send("GET", "/v1/me", token: token).json()["user"]?["id"]?.string
        return try #require(id.flatMap { Identifier($0) })
    }

    func tokens(_ token: String) async throws -> [JSONValue] {
        let list = try await send("GET", "/v1/me/tokens", token: token)
        return try #require(try list.json()["tokens"]?.array, "\(list.text)")
    }

    /// Makes another token of the account.
    func made(_ name: String, _ token: String) async throws -> (token: String, id: String) {
        let answer = try await send("POST", "/v1/me/tokens", token: token, body: #"{"name":"\#(name)"}"#)
        let made = try answer.json()
        return (
            try #require(made["token"]?.string, "\(answer.text)"),
            try #require(made["details"]?["id"]?.string)
        )
    }

    fileprivate func ticket(_ url: JSONValue?) throws -> Ticket {
        let text = try #require(url?.string)
        let token = try #require(text.split(separator: "token=").last?.prefix { $0 != "&" })
        return try #require(application.tickets.read(String(token)))
    }
}
