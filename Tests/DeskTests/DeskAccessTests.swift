import Contract
import Crypto
import HTTP1
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Console
@testable import Database

@Suite("The sign-in of operators")
struct DeskAccessTests {
    @Test("is by a cookie that pages cannot read, and that ends")
    func cookie() async throws {
        try await DeskWorld.with { desk in
            let answer = try await desk.signIn("support")
            #expect(answer.status == 200)
            let field = try #require(answer.headers["set-cookie"])
            let form =
                /letsswitch-desk=lsc_[A-Za-z0-9_-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict/
            #expect(field.wholeMatch(of: form) != nil, "\(field)")
            #expect(try answer.json()["operator"]?["role"]?.string == "support")
            let cookie = String(field.prefix { $0 != ";" }.dropFirst(DeskAccess.cookie.name.count + 1))
            #expect(!answer.text.contains(cookie))
            #expect(try await desk.send("GET", "/session", cookie: cookie).status == 200)
            #expect(try await desk.send("GET", "/session", token: cookie).status == 401)
            // The session ends after twelve hours, whether it is used or not.
            desk.world.clock.now = desk.world.clock.now.adding(.seconds(12 * 3600 + 1))
            #expect(try await desk.send("GET", "/session", cookie: cookie).status == 401)
            let again = try await desk.cookie(.support)
            let out = try await desk.send("DELETE", "/session", cookie: again, headers: [DeskWorld.own])
            #expect(out.status == 204 && out.headers["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try await desk.send("GET", "/session", cookie: again).status == 401)
            let rows = try await desk.world.pool.query("SELECT audit::text FROM audit")
            for row in rows { #expect(try !row.decode(0, String.self).contains(again)) }
            #expect(try await desk.actions() == ["session.begin", "session.begin", "session.end"])
        }
    }

    @Test("refuses every wrong part in the same words")
    func wrong() async throws {
        try await DeskWorld.with { desk in
            var details: Set<String> = []
            let disabled = try await desk.world.pool.transaction {
                try await OperatorAccounts.disable("viewer", on: $0)
            }
            #expect(disabled)
            for (name, password) in [
                ("support", "a wrong password"), ("nobody", DeskWorld.password),
                ("viewer", DeskWorld.password),
            ] {
                let answer = try await desk.signIn(name, password)
                #expect(answer.status == 401 && answer.headers["set-cookie"] == nil)
                details.insert(try answer.json()["detail"]?.string ?? "")
            }
            #expect(details.count == 1)
            let foreign = try await desk.send(
                "POST", "/session", body: #"{"name":"support","password":"\#(DeskWorld.password)"}"#,
                headers: ["Sec-Fetch-Site: cross-site"])
            #expect(foreign.status == 403 && foreign.problem == "cross-site")
        }
    }

    @Test(
        "is refused when a page of another origin sends the form",
        arguments: [
            ([], 200), (["Origin: http://desk"], 200), (["Origin: https://desk"], 200),
            (["Origin: http://DESK:80"], 200), (["Sec-Fetch-Site: same-origin"], 200),
            (["Referer: http://desk/admin/v1/now"], 200), (["Origin: http://evil.example"], 403),
            (["Origin: http://desk:8081"], 403), (["Origin: http://desk.evil.example"], 403),
            (["Origin: null"], 403), (["Origin: http://desk", "Origin: http://evil.example"], 403),
            (["Referer: http://evil.example/"], 403), (["Sec-Fetch-Site: cross-site"], 403),
            (["Sec-Fetch-Site: cross-site", "Origin: http://desk"], 403),
        ] as [([String], Int)])
    func foreignForm(headers: [String], status: Int) async throws {
        try await DeskWorld.with { desk in
            let answer = try await desk.signIn("support", headers: headers)
            #expect(answer.status == status)
            #expect((answer.headers["set-cookie"] != nil) == (status == 200))
        }
    }

    @Test("asks for a one-time code where there is a secret, and takes none twice")
    func codes() async throws {
        try await DeskWorld.with { desk in
            let code = OneTimeCode.make()
            let hash = try PasswordHash(of: DeskWorld.password, parameters: DeskWorld.cheap)
            _ = try await desk.world.pool.transaction {
                try await OperatorAccounts.add("anna", .admin, hash, code, on: $0)
            }
            let seconds = desk.world.clock.now.seconds
            let right = code.code(of: OneTimeCode.step(at: seconds))
            let wrong = right == "000000" ? "000001" : "000000"
            #expect(try await desk.signIn("anna").status == 401)
            #expect(try await desk.signIn("anna", code: wrong).status == 401)
            #expect(try await desk.signIn("anna", code: right).status == 200)
            #expect(try await desk.signIn("anna", code: right).status == 401)
            desk.world.clock.now = desk.world.clock.now.adding(.seconds(90))
            let next = code.code(of: OneTimeCode.step(at: desk.world.clock.now.seconds))
            #expect(try await desk.signIn("anna", code: next).status == 200)
        }
    }

    @Test("does not begin by a password that was replaced meanwhile, and keeps the codes of before")
    func replaced() async throws {
        try await DeskWorld.with { desk in
            let (pool, now) = (desk.world.pool, desk.world.clock.now)
            let code = OneTimeCode.make()
            func reset(_ code: OneTimeCode?) async throws {
                let hash = try PasswordHash(of: "another password", parameters: DeskWorld.cheap)
                let isReset = try await pool.transaction {
                    try await OperatorAccounts.reset("support", hash, code, on: $0)
                }
                #expect(isReset)
            }
            func stored() async throws -> StoredOperator {
                try #require(try await OperatorAccounts.find("support", from: "home", in: pool))
            }
            func begin(_ stored: StoredOperator) async throws -> Bool {
                try await pool.transaction {
                    try await OperatorSessions.begin(
                        .make(), of: stored, from: "home", codeStep: nil, at: now, on: $0)
                }
            }
            let checked = try await stored()
            #expect(try await begin(checked))
            #expect(try await stored().knowsAddress)
            try await reset(code)
            #expect(try await begin(checked) == false)
            #expect(try await !stored().knowsAddress)
            try await reset(nil)
            #expect(try await stored().code?.secret == code.secret)
        }
    }

    @Test(
        "changes something by cookie for pages of the desk alone",
        arguments: [
            ([], 403), (["Sec-Fetch-Site: cross-site"], 403), (["Sec-Fetch-Site: same-site"], 403),
            (["Sec-Fetch-Site: none"], 403), (["Origin: http://desk"], 403),
            (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none"], 403),
            (["Sec-Fetch-Site: same-origin"], 201),
        ] as [([String], Int)])
    func crossSite(headers: [String], status: Int) async throws {
        try await DeskWorld.with { desk in
            let cookie = try await desk.cookie(.admin)
            let answer = try await desk.send(
                "POST", "/tokens", cookie: cookie, body: #"{"label":"a","role":"viewer","days":1}"#,
                headers: headers)
            #expect(answer.status == status)
            if status == 403 { #expect(answer.problem == "cross-site") }
        }
    }

    @Test("by token has the lesser role of the two, and an end")
    func tokens() async throws {
        try await DeskWorld.with { desk in
            let cookie = try await desk.cookie(.support)
            func make(_ role: String, _ days: Int) async throws -> RawHTTP.Response {
                try await desk.send(
                    "POST", "/tokens", cookie: cookie,
                    body: #"{"label":"a","role":"\#(role)","days":\#(days)}"#, headers: [DeskWorld.own])
            }
            #expect(try await make("admin", 1).status == 403)
            #expect(try await make("viewer", 0).status == 422)
            #expect(try await make("owner", 1).status == 422)
            let made = try await make("viewer", 2)
            let token = try #require(try made.json()["token"]?.string)
            #expect(try await desk.send("GET", "/session", token: token).json()["by"]?.string == "token")
            // A token needs no Sec-Fetch-Site, and has its own role.
            let (_, person) = try await desk.person("Ann")
            let act = try await desk.send("POST", "/people/\(person)/end-tokens", token: token)
            #expect(act.status == 403 && act.problem == "forbidden")
            let id = try #require(try made.json()["id"]?.int)
            let list = try await desk.send("GET", "/tokens", cookie: cookie)
            #expect(!list.text.contains(token) && list.text.contains(String(token.prefix(8))))
            #expect(
                try await desk.send("DELETE", "/tokens/\(id)", cookie: cookie, headers: [DeskWorld.own])
                    .status
                    == 204)
            #expect(try await desk.send("GET", "/session", token: token).status == 401)
            let second = try #require(try await make("viewer", 1).json()["token"]?.string)
            desk.world.clock.now = desk.world.clock.now.adding(.seconds(86_401))
            #expect(try await desk.send("GET", "/session", token: second).status == 401)
        }
    }

    @Test("locks an address out after twenty failures, for a quarter of an hour")
    func lockOut() async throws {
        try await DeskWorld.with { desk in
            for number in 0..<SignInGuard.mostFailures {
                #expect(try await desk.signIn("nobody-\(number)", "a wrong password").status == 401)
            }
            let locked = try await desk.signIn("support")
            #expect(locked.status == 429 && locked.problem == "quota-exceeded")
            #expect(locked.headers["retry-after"].flatMap { Int($0) }.map { $0 > 800 && $0 <= 901 } == true)
            desk.world.clock.now = desk.world.clock.now.adding(SignInGuard.window)
            #expect(try await desk.signIn("support").status == 200)
        }
    }

    @Test("makes a name wait longer and longer, and two seconds where it has signed in before")
    func names() throws {
        let failures = SignInGuard()
        var now = Timestamp(seconds: 1_000_000)
        func attempt(_ address: String, isKnown: Bool = false) -> Bool {
            do {
                try failures.begin("anna", from: address, isKnown: isKnown, at: now)
                failures.end("anna", from: address, hasSucceeded: false)
                return true
            } catch {
                return false
            }
        }
        for number in 0..<4 { #expect(attempt("\(number)")) }
        // Four failures: two seconds, anywhere.
        #expect(!attempt("5") && !attempt("home", isKnown: true))
        now = now.adding(.seconds(2))
        #expect(attempt("5"))
        // Five failures: four seconds, and two where the operator is known.
        now = now.adding(.seconds(2))
        #expect(!attempt("6"))
        #expect(attempt("home", isKnown: true))
        now = now.adding(.seconds(7))
        #expect(!attempt("6"))
        now = now.adding(.seconds(1))
        #expect(attempt("7"))
        #expect(SignInGuard.pause(after: 3) == .zero)
        #expect(SignInGuard.pause(after: 5) == .seconds(4))
        #expect(SignInGuard.pause(after: .max) == SignInGuard.longestWait)
    }

    @Test("lets an operator in who has signed in from there before, even if others are locked out")
    func knownAddress() async throws {
        try await DeskWorld.with { desk in
            #expect(try await desk.signIn("support").status == 200)
            for number in 0..<SignInGuard.mostFailures {
                _ = try await desk.signIn("nobody-\(number)", "a wrong password")
            }
            #expect(try await desk.signIn("admin").status == 429)
            #expect(try await desk.signIn("support").status == 200)
            // Elsewhere the operator is unknown, and no address is locked out.
            let elsewhere = ["X-Forwarded-For: 192.0.2.7"]
            #expect(try await desk.signIn("admin", headers: elsewhere).status == 200)
        }
    }

    @Test(
        "gives the cookie to https alone where a trusted proxy says that the browser came by it",
        arguments: [
            ([], false), (["X-Forwarded-Proto: http"], false), (["X-Forwarded-Proto: https"], true),
            (["X-Forwarded-Proto: HTTPS , http"], true), (["X-Forwarded-Proto: http, https"], false),
        ] as [([String], Bool)])
    func secure(headers: [String], isSecure: Bool) async throws {
        try await DeskWorld.with { desk in
            let answer = try await desk.signIn("support", headers: headers)
            let field = try #require(answer.headers["set-cookie"])
            #expect(field.hasSuffix("; Secure") == isSecure, "\(field)")
            #expect(field.hasPrefix(isSecure ? "__Host-letsswitch-desk=lsc_" : "letsswitch-desk=lsc_"))
            let cookie = "Cookie: " + field.prefix { $0 != ";" }
            #expect(try await desk.send("GET", "/session", headers: headers + [cookie]).status == 200)
            let out = try await desk.send("DELETE", "/session", headers: headers + [DeskWorld.own, cookie])
            #expect(out.status == 204 && out.headers["set-cookie"]?.hasSuffix("; Secure") == isSecure)
            #expect(try await desk.send("GET", "/session", headers: headers + [cookie]).status == 401)
        }
    }

    @Test("keeps a session that has the plain cookie when the browser comes by https")
    func plainCookie() async throws {
        try await DeskWorld.with { desk in
            let https = "X-Forwarded-Proto: https"
            let cookie = try await desk.cookie(.support)
            #expect(try await desk.send("GET", "/session", cookie: cookie, headers: [https]).status == 200)
            // A cookie with the prefix comes first: other hosts of the domain cannot set it.
            let strange = "Cookie: __Host-letsswitch-desk=lsc_\(String(repeating: "A", count: 43))"
            try await desk.send("GET", "/session", cookie: cookie, headers: [https, strange], expecting: 401)
        }
    }

    @Test("a success of one name does not forget what others have tried at the address")
    func success() throws {
        let failures = SignInGuard()
        let now = Timestamp(seconds: 1_000_000)
        func attempt(_ name: String, succeeds: Bool) throws {
            try failures.begin(name, from: "office", isKnown: false, at: now)
            failures.end(name, from: "office", hasSucceeded: succeeds)
        }
        for number in 1..<SignInGuard.mostFailures { try attempt("n\(number)", succeeds: false) }
        try attempt("bea", succeeds: true)
        try attempt("anna", succeeds: false)
        #expect(throws: APIError.self) { try attempt("bea", succeeds: true) }
    }

    @Test("locks an address out for those, too, who have signed in from there, after a hundred failures")
    func mostOfKnown() throws {
        let failures = SignInGuard()
        let now = Timestamp(seconds: 1_000_000)
        func attempt(_ name: String) throws {
            try failures.begin(name, from: "office", isKnown: true, at: now)
            failures.end(name, from: "office", hasSucceeded: false)
        }
        for number in 0..<SignInGuard.mostFailuresOfKnown { try attempt("n\(number)") }
        #expect(throws: APIError.self) { try attempt("anna") }
    }

    @Test("remembers no more failures than there is room for")
    func bounded() throws {
        let failures = SignInGuard()
        let now = Timestamp(seconds: 1_000_000)
        for number in 0..<(SignInGuard.capacity + 100) {
            try failures.begin("n\(number)", from: "a\(number)", isKnown: false, at: now)
            failures.end("n\(number)", from: "a\(number)", hasSucceeded: false)
        }
        let counts = failures.counts
        #expect(counts.addresses == SignInGuard.capacity && counts.names == SignInGuard.capacity)
    }

    @Test("checks only so many passwords at once")
    func together() throws {
        let failures = SignInGuard()
        let now = Timestamp(seconds: 1_000_000)
        for number in 0..<SignInGuard.together {
            try failures.begin("n\(number)", from: "a\(number)", isKnown: false, at: now)
        }
        #expect(throws: APIError.self) { try failures.begin("x", from: "x", isKnown: true, at: now) }
        failures.end("n0", from: "a0", hasSucceeded: true)
        try failures.begin("x", from: "x", isKnown: true, at: now)
    }
}

@Suite("Every route of the desk")
struct DeskRouteTests {
    /// Returns a path with something in the place of each parameter.
    private static func path(_ route: DeskRoute) -> String {
        let hasID = ["people", "rooms", "endpoints", "servers"].contains { route.path.contains("/\($0)/") }
        // Not the number of a token that the test has.
        let id = hasID ? "0198c0de-0000-7000-8000-000000000001" : "999999"
        return String(route.path.dropFirst(Desk.root.count))
            .replacing("{key}", with: "2027-03-01T13:00:00Z").replacing("{id}", with: id)
    }

    @Test("asks for its role, and for no more")
    func roles() async throws {
        try await DeskWorld.with { desk in
            var tokens: [OperatorRole: String] = [:]
            for role in OperatorRole.allCases { tokens[role] = try await desk.token(role) }
            let routes = desk.desk.routes
            #expect(routes.count > 40)
            // A stream does not end by itself.
            for route in routes where route.path != Desk.root + "/live" {
                let (method, path) = (route.method.rawValue, Self.path(route))
                guard let least = route.role else {
                    #expect(route.path == Desk.root + "/session" && route.method == .post)
                    continue
                }
                let unauthenticated = try await desk.send(method, path)
                #expect(unauthenticated.status == 401, "\(method) \(path)")
                for role in OperatorRole.allCases {
                    let answer = try await desk.send(method, path, token: tokens[role])
                    let isRefused = answer.status == 403 && answer.problem == "forbidden"
                    #expect(isRefused == (role < least), "\(method) \(path) as \(role): \(answer.text)")
                    #expect(answer.status != 401 && answer.status < 500, "\(method) \(path): \(answer.text)")
                }
            }
            try await desk.send("GET", "/live", expecting: 401)
        }
    }

    @Test("is in the description, and nothing else is")
    func described() async throws {
        try await DeskWorld.with { desk in
            let document = try await desk.send("GET", "/openapi.json").json()
            guard case .object(let paths)? = document["paths"] else { return #expect(Bool(false)) }
            var described: [String: String?] = [:]
            for path in paths {
                guard case .object(let operations) = path.value else { continue }
                for operation in operations {
                    described["\(operation.name.uppercased()) \(path.name)"] =
                        operation.value["x-role"]?.string
                }
            }
            let routes = desk.desk.routes
            #expect(Set(described.keys) == Set(routes.map { "\($0.method.rawValue) \($0.path)" }))
            for route in routes {
                #expect(described["\(route.method.rawValue) \(route.path)"] == route.role?.rawValue)
            }
        }
    }
}
