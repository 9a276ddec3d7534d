import Contract
import Postgres
import Testing

@testable import BackendTesting

@Suite("Calendars")
struct RESTCalendarTests {
    /// Makes a calendar; returns its id and the path of its address.
    static func make(_ world: RESTWorld, _ token: String) async throws -> (id: String, path: String) {
        let made = try await world.send("POST", "/v1/me/calendars", token: token)
        #expect(made.status == 201, "\(made.text)")
        let url = try #require(try made.json()["url"]?.string)
        #expect(url.hasPrefix("http://test/calendars/") && url.hasSuffix(".ics"))
        #expect(try made.json()["webcal"]?.string == "webcal" + url.dropFirst(4))
        return (try #require(try made.json()["id"]?.string), String(url.dropFirst("http://test".count)))
    }

    static func lines(_ response: RawHTTP.Response) -> [String] {
        response.text.split(separator: "\r\n").map(String.init)
    }

    @Test("show the registrations of one account, by the address alone")
    func events() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let id = try await world.register(ann, "2027-03-01T13:00:00Z", task: "Plan; write, send")
            _ = try await world.register(bea, "2027-03-01T13:00:00Z", task: "Secret of Bea")
            let calendar = try await Self.make(world, ann)
            let read = try await world.send("GET", calendar.path)
            #expect(read.status == 200)
            #expect(read.headers["content-type"] == "text/calendar; charset=utf-8")
            #expect(read.headers["cache-control"] == "private, no-cache")
            let lines = Self.lines(read)
            for line in [
                "UID:\(id)", "DTSTART:20270301T130000Z", "DTEND:20270301T133000Z", "SEQUENCE:0",
                "SUMMARY:Plan\\; write\\, send", "STATUS:CONFIRMED", "TRIGGER:-PT1M",
            ] { #expect(lines.contains(line), "\(line) in \(read.text)") }
            #expect(!read.text.contains("Bea"))
            #expect(try await world.send("HEAD", calendar.path).status == 200)
        }
    }

    @Test("speak the language of the calendar program, and without one that of the account")
    func languages() async throws {
        try await RESTWorld.withAccount { world, ann in
            let path = try await Self.make(world, ann).path
            let asked = ["Accept-Language: ja"]
            let english = try await world.send("GET", path)
            #expect(english.text.contains("DESCRIPTION:Your sessions"), "\(english.text)")
            try await world.send("PATCH", "/v1/me", token: ann, body: #"{"language":"de"}"#, expecting: 200)
            let german = try await world.send("GET", path)
            #expect(german.text.contains("DESCRIPTION:Deine Sessions"), "\(german.text)")
            #expect(german.headers["content-language"] == "de")
            let japanese = try await world.send("GET", path, headers: asked)
            #expect(japanese.text.contains("DESCRIPTION:Let's Switchの予定"), "\(japanese.text)")
            #expect(japanese.headers["vary"]?.contains("Accept-Language") == true)
        }
    }

    @Test("are the same bytes until something changes, and a 304 for clients that have them")
    func entityTag() async throws {
        try await RESTWorld.withAccount { world, ann in
            let id = try await world.register(ann, "2027-03-01T13:00:00Z")
            let path = try await Self.make(world, ann).path
            let first = try await world.send("GET", path)
            let tag = try #require(first.headers["etag"])
            world.clock.now = RESTWorld.noon.adding(.seconds(60))
            for value in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let again = try await world.send("GET", path, headers: ["If-None-Match: \(value)"])
                #expect(again.status == 304 && again.body.isEmpty, "\(value)")
                #expect(again.headers["etag"] == tag)
            }
            try await world.send(
                "PATCH", "/v1/registrations/\(id)", token: ann, body: #"{"task":"Read"}"#, expecting: 200)
            let second = try await world.send("GET", path, headers: ["If-None-Match: \(tag)"])
            #expect(second.status == 200 && second.headers["etag"] != tag)
            #expect(Self.lines(second).contains("SEQUENCE:1"), "\(second.text)")
            #expect(Self.lines(second).contains("LAST-MODIFIED:20270301T120100Z"))
        }
    }

    @Test("keep what is over for 30 days")
    func past() async throws {
        try await RESTWorld.withAccount { world, ann in
            _ = try await world.register(ann, "2027-03-01T14:00:00Z", task: "Kept")
            let path = try await Self.make(world, ann).path
            world.clock.now = RESTWorld.noon.adding(.seconds(30 * 86_400 + 60))
            #expect(try await world.send("GET", path).text.contains("SUMMARY:Kept"))
            world.clock.now = RESTWorld.noon.adding(.seconds(31 * 86_400))
            #expect(!(try await world.send("GET", path)).text.contains("VEVENT"))
        }
    }

    @Test("are listed without their addresses, with the hour of the last reading, and end when removed")
    func listAndRemove() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let (one, other) = (try await Self.make(world, ann), try await Self.make(world, ann))
            world.clock.now = RESTWorld.noon.adding(.seconds(90 * 60))
            #expect(try await world.send("GET", one.path).status == 200)
            let list = try await world.send("GET", "/v1/me/calendars", token: ann)
            let calendars = try #require(try list.json()["calendars"]?.array)
            #expect(Set(calendars.map { $0["id"]?.string }) == [one.id, other.id])
            #expect(!list.text.contains("url") && !list.text.contains("ics"))
            let read = calendars.first { $0["id"]?.string == one.id }
            #expect(read?["lastReadAt"]?.string == "2027-03-01T13:00:00Z")
            let path = "/v1/me/calendars/\(one.id)"
            #expect(try await world.send("DELETE", path, token: bea).status == 404)
            #expect(try await world.send("GET", one.path).status == 200)
            #expect(try await world.send("DELETE", path, token: ann).status == 204)
            #expect(try await world.send("DELETE", path, token: ann).status == 404)
            #expect(try await world.send("GET", one.path).status == 404)
            #expect(try await world.send("GET", other.path).status == 200)
            let status = try await world.delete("/v1/me", ann)
            #expect(status == 204)
            #expect(try await world.send("GET", other.path).status == 404)
        }
    }

    @Test("are stored as hashes, and ten of an account at most")
    func limit() async throws {
        try await RESTWorld.withAccount { world, ann in
            var paths: [String] = []
            for _ in 0..<Limits.calendars { paths.append(try await Self.make(world, ann).path) }
            #expect(Set(paths).count == Limits.calendars)
            let refused = try await world.send("POST", "/v1/me/calendars", token: ann)
            #expect(refused.status == 409 && refused.problem == "limit-reached", "\(refused.text)")
            let secret = paths[0].dropFirst("/calendars/".count).dropLast(".ics".count)
            let stored = try await world.pool.query(
                "SELECT count(*) FROM calendars WHERE position($1 IN calendars::text) > 0", [String(secret)])
            #expect(try stored[0].decode(0, Int64.self) == 0)
        }
    }

    @Test(
        "at an address that was never given out are not found",
        arguments: [
            "x", ".ics", "x.ics", String(repeating: "A", count: 43),
            String(repeating: "A", count: 43) + ".ics",
            String(repeating: "A", count: 42) + "!.ics", String(repeating: "A", count: 43) + ".ICS",
            "%20.ics", String(repeating: "A", count: 2000) + ".ics",
        ])
    func unknown(name: String) async throws {
        try await RESTWorld.with { world in
            try await world.send("GET", "/calendars/\(name)", expecting: 404)
        }
    }

    @Test("need a token, and take no body")
    func badInput() async throws {
        try await RESTWorld.with { world in
            #expect(try await world.send("POST", "/v1/me/calendars").status == 401)
            #expect(try await world.send("GET", "/v1/me/calendars").status == 401)
            let ann = try await world.signUp()
            try await world.send(
                "POST", "/v1/me/calendars", token: ann, body: #"{"name":"x"}"#, expecting: 413)
            #expect(try await world.send("DELETE", "/v1/me/calendars/x", token: ann).status == 404)
        }
    }
}
