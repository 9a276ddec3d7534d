import Contract
import Postgres
import Reactor
import Scheduling
import Testing

@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite("Sessions of browsers")
struct RESTSessionTests {
    private static let own = "Sec-Fetch-Site: same-origin"

    @Test("are made by a token alone, as a cookie that pages cannot read")
    func made() async throws {
        try await RESTWorld.withAccount { world, token in
            #expect(try await world.send("POST", "/v1/me/session").status == 401)
            try await world.send("POST", "/v1/me/session", token: token, body: #"{"a":1}"#, expecting: 413)
            let answer = try await world.send("POST", "/v1/me/session", token: token)
            #expect(answer.status == 201 && answer.headers["cache-control"] == "no-store")
            let field = try #require(answer.headers["set-cookie"])
            let form =
                /letsswitch=lss_[A-Za-z0-9_-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict/
            #expect(field.wholeMatch(of: form) != nil, "\(field)")
            let cookie = String(field.prefix { $0 != ";" })
            #expect(!answer.text.contains(cookie.dropFirst(11)))
            #expect(try answer.json()["session"]?["current"]?.bool == false)
            let me = try await world.send("GET", "/v1/me", headers: ["Cookie: other=1; \(cookie)"])
            #expect(me.status == 200)
            // A cookie makes no session, and is no token; a token is no cookie.
            try await world.send(
                "POST", "/v1/me/session", headers: ["Cookie: \(cookie)", Self.own], expecting: 401)
            let secret = String(cookie.dropFirst(11))
            #expect(try await world.send("GET", "/v1/me", token: secret).status == 401)
            #expect(
                try await world.send("GET", "/v1/me", headers: ["Cookie: letsswitch=\(token)"]).status == 401)
            let rows = try await world.pool.query("SELECT tokens::text FROM tokens")
            for row in rows { #expect(try !row.decode(0, String.self).contains(secret)) }
        }
    }

    @Test("have a cookie for https alone where the service has https")
    func secure() async throws {
        let https: (inout ServerConfiguration) -> Void = {
            $0.explicitPublicURL = "https://switch.example.org"
        }
        try await RESTWorld.with(configure: https) { world in
            let token = try await world.signUp()
            let field = try await world.send("POST", "/v1/me/session", token: token).headers["set-cookie"]
            let cookie = try #require(field)
            #expect(cookie.hasPrefix("__Host-letsswitch=lss_"))
            #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Secure"))
            let value = cookie.prefix { $0 != ";" }
            #expect(try await world.send("GET", "/v1/me", headers: ["Cookie: \(value)"]).status == 200)
            let unprefixed = "Cookie: \(value.dropFirst(7))"
            #expect(try await world.send("GET", "/v1/me", headers: [unprefixed]).status == 401)
            for (origin, status) in [
                ("https://switch.example.org", 200), ("https://test", 200), ("http://test", 403),
                ("http://switch.example.org", 403), ("https://switch.example.org:8443", 403),
            ] {
                let answer = try await world.send(
                    "PATCH", "/v1/me", body: #"{"name":"Bea"}"#,
                    headers: ["Cookie: \(value)", "Origin: \(origin)"])
                #expect(answer.status == status, "\(origin)")
            }
        }
    }

    @Test(
        "have a cookie for the path alone where the service is below one; all pages of the origin may use it",
        arguments: [
            ("https://switch.example.org/switch", "__Secure-letsswitch", "; Secure"),
            ("http://switch.example.org/switch", "letsswitch", ""),
        ])
    func belowPath(url: String, name: String, end: String) async throws {
        let below: (inout ServerConfiguration) -> Void = { $0.explicitPublicURL = url }
        try await RESTWorld.with(configure: below) { world in
            let token = try await world.signUp()
            let field = try await world.send("POST", "/v1/me/session", token: token).headers["set-cookie"]
            let cookie = try #require(field)
            #expect(cookie.hasPrefix("\(name)=lss_"))
            #expect(cookie.hasSuffix("; Path=/switch; HttpOnly; SameSite=Strict\(end)"))
            let value = cookie.prefix { $0 != ";" }
            #expect(try await world.send("GET", "/v1/me", headers: ["Cookie: \(value)"]).status == 200)
            let page = ["Cookie: \(value)", "Referer: \(url)board/"]
            try await world.send("PATCH", "/v1/me", body: #"{"name":"Bea"}"#, headers: page, expecting: 200)
            let head = "POST /v1/sign-in HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: 0\r\n"
            let plain = Array("\(head)Origin: http://switch.example.org\r\n\r\n".utf8)
            let refused = try await RawHTTP.exchange(port: world.port, plain)
            #expect(refused.text.contains("Open \(url) instead.") == url.hasPrefix("https:"))
            let ended = try await world.send(
                "DELETE", "/v1/me/session", headers: ["Cookie: \(value)", "Sec-Fetch-Site: same-origin"])
            #expect(ended.headers["set-cookie"]?.hasPrefix("\(name)=; Max-Age=0; Path=/switch;") == true)
        }
    }

    @Test(
        "are refused before an account is made, for a page over http whose browser would drop the cookie",
        arguments: [
            (["Origin: http://test"], 403), (["Origin: http://switch.example.org"], 403),
            (["Origin: http://switch.example.org:8080"], 403), (["Origin: https://test"], 201),
            (["Origin: https://switch.example.org"], 201), ([], 201), (["Origin: http://other.test"], 201),
            (["Origin: http://test", "Sec-Fetch-Site: same-origin"], 201),
        ])
    func dropped(headers: [String], status: Int) async throws {
        let https: (inout ServerConfiguration) -> Void = {
            $0.explicitPublicURL = "https://switch.example.org"
        }
        try await RESTWorld.with(configure: https) { world in
            let made = try await world.send("POST", "/v1/users", body: #"{"name":"Ann"}"#, headers: headers)
            #expect(made.status == status)
            let token = try await world.signUp()
            let session = try await world.send("POST", "/v1/me/session", token: token, headers: headers)
            #expect(session.status == status)
            let body = #"{"recoveryCode":"00000-00000-00000-00000-00000"}"#
            let recovery = try await world.send("POST", "/v1/recover", body: body, headers: headers)
            #expect(recovery.status == (status == 403 ? 403 : 401))
            guard status == 403 else { return }
            for answer in [made, session, recovery] {
                #expect(answer.problem == "cross-site" && answer.text.contains("https://switch.example.org"))
            }
            let accounts = try await world.pool.query("SELECT count(*) FROM users").first
            #expect(try accounts?.decode(0, Int64.self) == 1)
        }
    }

    @Test(
        "change something for pages of the service alone",
        arguments: [
            ([], 403), (["Sec-Fetch-Site: cross-site"], 403), (["Sec-Fetch-Site: same-site"], 403),
            (["Sec-Fetch-Site: none"], 403), (["Sec-Fetch-Site: same-origin"], 200),
            (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"], 403),
            (["Origin: http://test"], 200), (["Origin: https://test"], 200), (["Origin: http://TEST"], 200),
            (["Origin: http://test:80"], 200), (["Origin: http://test:8080"], 403),
            (["Origin: http://evil.test"], 403), (["Origin: http://test.evil.test"], 403),
            (["Origin: null"], 403), (["Origin: "], 403), (["Origin: http://test/"], 403),
            (["Origin: http://test", "Origin: http://evil.test"], 403),
            (["Origin: ftp://test"], 403), (["Origin: http://evil.test", "Referer: http://test/"], 403),
        ])
    func crossSite(headers: [String], status: Int) async throws {
        try await RESTWorld.with { world in
            let cookie = try await world.session(try await world.signUp())
            let answer = try await world.send(
                "PATCH", "/v1/me", body: #"{"name":"Bea"}"#, headers: [cookie] + headers)
            #expect(answer.status == status)
            if status == 403 { #expect(answer.problem == "cross-site") }
            let name = try await world.send("GET", "/v1/me", headers: [cookie]).json()["user"]?["name"]
            #expect(name?.string == (status == 200 ? "Bea" : "Ann"))
        }
    }

    @Test(
        "read what is sensitive for pages of the service alone, also for browsers that say only where from",
        arguments: [
            (["Sec-Fetch-Site: same-origin"], 200), (["Referer: http://test/me"], 200),
            (["Referer: http://test/room/1?a=b"], 200), (["Referer: http://test:80/"], 200), ([], 403),
            (["Referer: http://evil.test/http://test/"], 403), (["Referer: http://test.evil.test/"], 403),
            (["Referer: http://test@evil.test/"], 403), (["Referer: http://test:8080/"], 403),
            (["Referer: "], 403), (["Referer: /me"], 403), (["Referer: about:blank"], 403),
            (["Referer: http://test/", "Referer: http://evil.test/"], 403),
            (["Referer: http://test/", "Origin: null"], 403),
            (["Referer: http://test/", "Sec-Fetch-Site: cross-site"], 403),
            (["Referer: http://test/", "Sec-Fetch-Site: same-site"], 403),
        ])
    func referrer(headers: [String], status: Int) async throws {
        try await RESTWorld.with { world in
            let cookie = try await world.session(try await world.signUp())
            let answer = try await world.send("GET", "/v1/me/export", headers: [cookie] + headers)
            #expect(answer.status == status)
        }
    }

    @Test("delete the account with their last request")
    func deletion() async throws {
        try await RESTWorld.withAccount { world, token in
            let cookie = try await world.session(token)
            #expect(try await world.leave([cookie]).status == 403)
            #expect(try await world.statuses([cookie]) == [200])
            let gone = try await world.leave([cookie, Self.own])
            #expect(gone.status == 204)
            #expect(gone.headers["set-cookie"]?.hasPrefix("letsswitch=; Max-Age=0; Path=/") == true)
            #expect(try await world.statuses([cookie]) == [401])
            #expect(try await world.status(of: token) == 401)
        }
    }

    @Test(
        "are ignored where the cookie cannot be read, and the answer is 401",
        arguments: [
            "Cookie:", "Cookie: letsswitch", "Cookie: letsswitch=", "Cookie: letsswitch=lss_short",
            "Cookie: letsswitch=lss_" + String(repeating: "A", count: 43), "Cookie: =;;=; ,",
            "Cookie: letsswitch=a b", "Cookie: \u{1F36A}=\u{1F36A}",
        ])
    func badCookies(_ field: String) async throws {
        try await RESTWorld.withAccount { world, token in
            try await world.send("GET", "/v1/me", headers: [field], expecting: 401)
            #expect(try await world.send("GET", "/v1/me", token: token, headers: [field]).status == 200)
        }
    }

    @Test("are ignored beside a token, whichever of the two is valid")
    func besideToken() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let cookie = try await world.session(ann)
            let me = try await world.send("GET", "/v1/me", token: bea, headers: [cookie])
            #expect(try me.json()["user"]?["name"]?.string == "Bea")
            try await world.send(
                "PATCH", "/v1/me", token: bea, body: #"{"name":"Eve"}"#,
                headers: [cookie, "Origin: https://elsewhere.test"], expecting: 200)
            let wrong = ["Authorization: Bearer lsk_" + String(repeating: "A", count: 43), cookie]
            #expect(try await world.send("GET", "/v1/me", headers: wrong).status == 401)
            #expect(
                try await world.send("GET", "/v1/me", headers: ["Authorization: ", cookie]).status == 401)
            // Credentials of another scheme are for a proxy in front of the service.
            let basic = "Authorization: Basic YTpi"
            #expect(try await world.send("GET", "/v1/me", headers: [basic, cookie]).status == 200)
            let both = try await world.send("GET", "/v1/me", token: bea, headers: [basic, cookie])
            #expect(try both.json()["user"]?["name"]?.string == "Eve")
            // A session is not ended by a request that has a token.
            try await world.send("DELETE", "/v1/me/session", token: ann, headers: [cookie], expecting: 404)
            #expect(try await world.send("GET", "/v1/me", headers: [cookie]).status == 200)
        }
    }

    @Test("are listed, and end one by one, by themselves, and with their token")
    func ending() async throws {
        try await RESTWorld.withAccount { world, main in
            let other = try await world.made("Phone", main)
            let bea = try await world.session(try await world.signUp("Bea"))
            let cookies = [
                try await world.session(main), try await world.session(main),
                try await world.session(other.token),
            ]
            let list = try await world.send("GET", "/v1/me/sessions", headers: [cookies[1]]).json()
            let sessions = try #require(list["sessions"]?.array)
            #expect(sessions.map { $0["current"]?.bool } == [false, true, false])
            #expect(try await world.tokens(main).count == 2)
            let first = try #require(sessions[0]["id"]?.string)
            let path = "/v1/me/sessions/\(first)"
            #expect(try await world.send("DELETE", path, headers: [bea, Self.own]).status == 404)
            #expect(try await world.send("DELETE", path, headers: [cookies[1]]).status == 403)
            #expect(try await world.send("DELETE", "/v1/me/tokens/\(first)", token: main).status == 404)
            #expect(
                try await world.send("DELETE", "/v1/me/sessions/\(other.id)", token: main).status == 404)
            world.changeEvents.withLock { $0 = [] }
            #expect(try await world.send("DELETE", path, headers: [cookies[1], Self.own]).status == 204)
            let user = try await world.user(main)
            #expect(world.changeEvents.withLock { $0 } == [.user(user)])
            #expect(try await world.statuses(cookies) == [401, 200, 200])
            let end = try await world.send("DELETE", "/v1/me/session", headers: [cookies[1], Self.own])
            #expect(end.status == 204)
            #expect(end.headers["set-cookie"]?.hasPrefix("letsswitch=; Max-Age=0; Path=/") == true)
            #expect(try await world.statuses(cookies) == [401, 401, 200])
            try await world.send("DELETE", "/v1/me/tokens/\(other.id)", token: main)
            #expect(try await world.statuses(cookies) == [401, 401, 401])
            #expect(try await world.statuses([bea]) == [200])
        }
    }

    @Test("end with the main token when that is replaced, and when the account is recovered")
    func mainToken() async throws {
        try await RESTWorld.withAccount { world, main in
            let other = try await world.made("Phone", main)
            let cookies = [try await world.session(main), try await world.session(other.token)]
            let renewed = try await world.send("POST", "/v1/me/token", token: main).json()["token"]?.string
            #expect(try await world.statuses(cookies) == [200, 200])
            let new = try #require(renewed)
            #expect(try await world.status(of: new) == 200)
            #expect(try await world.statuses(cookies) == [401, 200])
            let code = try await world.send("POST", "/v1/me/recovery-code", token: new).json()["recoveryCode"]
            let body = #"{"recoveryCode":"\#(try #require(code?.string))"}"#
            #expect(try await world.send("POST", "/v1/recover", body: body).status == 201)
            #expect(try await world.statuses(cookies) == [401, 401])
        }
    }

    @Test("are twenty at most: the one that was not used for the longest time ends")
    func limit() async throws {
        try await RESTWorld.withAccount { world, main in
            var cookies: [String] = []
            for _ in 0..<20 { cookies.append(try await world.session(main)) }
            try await world.pool.query(
                "UPDATE tokens SET last_used_at = now() + interval '1 second' WHERE number = -1")
            cookies.append(try await world.session(main))
            #expect(try await world.statuses([cookies[0], cookies[1], cookies[20]]) == [200, 401, 200])
            let list = try await world.send("GET", "/v1/me/sessions", token: main)
            #expect(try list.json()["sessions"]?.array?.count == 20)
            // Sessions take no place of a token.
            _ = try await world.made("Phone", main)
        }
    }

    @Test("expire when they are not used, last longer when they are, and not longer than their token")
    func expiry() async throws {
        try await RESTWorld.withAccount { world, main in
            let other = try await world.made("Phone", main)
            try await world.pool.query(
                "UPDATE tokens SET expires_at = now() + interval '20 days' WHERE label IS NOT NULL")
            let (long, short) = (try await world.session(main), try await world.session(other.token))
            func days() async throws -> [Double] {
                try await world.pool.query(
                    """
                    SELECT round(extract(epoch FROM expires_at - now()) / 86400)::float8 FROM tokens
                    WHERE made_by IS NOT NULL ORDER BY number DESC
                    """
                ).map { try $0.decode(0, Double.self) }
            }
            #expect(try await days() == [30, 20])
            try await world.pool.query(
                "UPDATE tokens SET expires_at = now() + interval '3 days' WHERE made_by IS NOT NULL")
            let uses = TokenUses()
            for cookie in [long, short] {
                let secret = try #require(
                    cookie.split(separator: "=").last.flatMap { SessionSecret("\($0)") })
                uses.note(try #require(try await SignedInUser.find(secret.hash, in: world.pool)))
            }
            try await uses.store(in: world.pool)
            #expect(try await days() == [30, 20])
            try await world.pool.query("UPDATE tokens SET expires_at = now() WHERE made_by IS NOT NULL")
            world.forgetSignIns()
            #expect(try await world.statuses([long, short]) == [401, 401])
            let list = try await world.send("GET", "/v1/me/sessions", token: main)
            #expect(try list.json()["sessions"]?.array?.isEmpty == true)
            try await uses.forgetExpired(in: world.pool)
            #expect(try await days().count == 2)
            try await world.pool.query(
                "UPDATE tokens SET expires_at = now() - interval '2 days' WHERE made_by IS NOT NULL")
            try await uses.forgetExpired(in: world.pool)
            #expect(try await days().isEmpty)
            #expect(try await world.status(of: other.token) == 200)
        }
    }

    @Test("work for the calls that the service has, and pages elsewhere read answers where that is allowed")
    func sharing() async throws {
        let page = "https://app.example.org"
        let configure: (inout ServerConfiguration) -> Void = { $0.allowedOrigins = [page] }
        try await RESTWorld.with(configure: configure) { world in
            let token = try await world.signUp()
            let asked = try await world.send(
                "OPTIONS", "/v1/registrations",
                headers: ["Origin: \(page)", "Access-Control-Request-Method: POST"])
            #expect(asked.status == 204)
            #expect(asked.headers["access-control-allow-methods"]?.contains("POST") == true)
            #expect(asked.headers["access-control-allow-headers"]?.contains("Authorization") == true)
            let me = try await world.send("GET", "/v1/me", token: token, headers: ["Origin: \(page)"])
            #expect(me.headers["access-control-allow-origin"] == page && me.headers["vary"] == "Origin")
            #expect(me.headers["access-control-allow-credentials"] == nil)
            for name in ["Location", "Retry-After", "X-Request-Id", "RateLimit", "RateLimit-Policy"] {
                #expect(me.headers["access-control-expose-headers"]?.contains(name) == true)
            }
            // Such a page has no session here.
            let cookie = try await world.session(token)
            let written = try await world.send(
                "PATCH", "/v1/me", body: #"{"name":"Bea"}"#, headers: [cookie, "Origin: \(page)"])
            #expect(written.status == 403 && written.headers["access-control-allow-origin"] == page)
        }
    }
}

extension RESTWorld {
    /// Makes a session by a token; returns the field with its cookie.
    fileprivate func session(_ token: String) async throws -> String {
        let answer = try await send("POST", "/v1/me/session", token: token)
        let field = try #require(answer.headers["set-cookie"], "\(answer.text)")
        return "Cookie: " + field.prefix { $0 != ";" }
    }

    /// Asks for the deletion of an account, with these fields and no token.
    fileprivate func leave(_ headers: [String]) async throws -> RawHTTP.Response {
        let lines = ["DELETE /v1/me HTTP/1.1", "Host: test", "Connection: close"] + headers
        let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        return try await RawHTTP.exchange(port: port, bytes)
    }

    fileprivate func statuses(_ cookies: [String]) async throws -> [Int] {
        var statuses: [Int] = []
        for cookie in cookies {
            statuses.append(try await send("GET", "/v1/me", headers: [cookie]).status)
        }
        return statuses
    }
}
