import Contract
import Postgres
import Testing

@testable import BackendTesting

@Suite struct RESTBadInputTests {
    @Test(
        "a body that is not JSON is a 400",
        arguments: [
            "", "rubbish", "{", #"{"name":"A"} x"#, #"{"name":"A",}"#, #"{"name":"A","name":"B"}"#,
            #"{"name":"\ud800"}"#, "\u{FEFF}{}", "{'name':'A'}", String(repeating: "[", count: 100),
        ])
    func unreadable(_ body: String) async throws {
        try await RESTWorld.with { world in
            let response = try await world.send("POST", "/v1/users", body: body)
            #expect(response.status == 400, "\(body)")
            #expect(response.problem == "unreadable")
        }
    }

    @Test("bytes that are no UTF-8 are a 400")
    func notUTF8() async throws {
        try await RESTWorld.with { world async throws in
            let head = "POST /v1/users HTTP/1.1\r\nHost: t\r\nConnection: close\r\nContent-Length: 12\r\n"
            let request =
                Array((head + "Content-Type: application/json\r\n\r\n").utf8)
                + Array(#"{"name":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
            #expect(try await RawHTTP.exchange(port: world.port, request).status == 400)
        }
    }

    @Test(
        "a body that can be read and is wrong is a 422 with a place",
        arguments: [
            (#"{}"#, "/name"), (#"[]"#, ""), (#"{"name":1}"#, "/name"), (#"{"name":null}"#, "/name"),
            (#"{"name":""}"#, "/name"), (#"{"name":"   "}"#, "/name"), (#"{"name":"a\u0000b"}"#, "/name"),
            (#"{"name":"a\nb"}"#, "/name"), (#"{"name":"A","x/y":1}"#, "/x~1y"),
        ])
    func invalid(_ body: String, pointer: String) async throws {
        try await RESTWorld.with { world in
            let response = try await world.send("POST", "/v1/users", body: body)
            #expect(response.status == 422, "\(body)")
            #expect(response.problem == "invalid")
            #expect(response.pointers == [pointer])
        }
    }

    @Test("a name is counted in scalars", arguments: [(64, 201), (65, 422)])
    func longName(_ length: Int, status: Int) async throws {
        try await RESTWorld.with { world in
            let name = String(repeating: "\u{1F37A}", count: length)
            let response = try await world.send("POST", "/v1/users", body: #"{"name":"\#(name)"}"#)
            #expect(response.status == status)
        }
    }

    @Test("a name of 10 MB is a 413 before it was read")
    func tooLarge() async throws {
        try await RESTWorld.with { world in
            let name = String(repeating: "a", count: 10 << 20)
            let response = try await world.send("POST", "/v1/users", body: #"{"name":"\#(name)"}"#)
            #expect(response.status == 413)
            #expect(response.problem == "content-too-large")
        }
    }

    @Test("a body that stops half way is a 400")
    func stopsHalfWay() async throws {
        try await RESTWorld.with { world in
            let request =
                "POST /v1/users HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n"
                + "Content-Length: 100\r\n\r\n{\"name\":"
            let response = try await RawHTTP.exchange(
                port: world.port, Array(request.utf8), endsInput: true)
            #expect(response.status == 400)
            #expect(response.problem == "unreadable")
        }
    }

    @Test(
        "a body of another type is a 415",
        arguments: [
            ("text/plain", 415), ("application/json; charset=latin1", 415), ("application/jsonx", 415),
            ("application/x-www-form-urlencoded", 415), ("application/json; charset=UTF-8", 201),
            ("Application/JSON ; charset=\"utf-8\"", 201), ("application/json; v=1", 201),
        ])
    func mediaType(_ type: String, status: Int) async throws {
        try await RESTWorld.with { world in
            let response = try await world.send(
                "POST", "/v1/users", body: #"{"name":"Ann"}"#, headers: ["Content-Type: \(type)"])
            #expect(response.status == status)
        }
    }

    @Test("a body without a type is a 415")
    func noMediaType() async throws {
        try await RESTWorld.with { world in
            let request =
                "POST /v1/users HTTP/1.1\r\nHost: t\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
            let response = try await RawHTTP.exchange(port: world.port, Array(request.utf8))
            #expect(response.status == 415)
        }
    }

    @Test("an unknown path is a 404, and a wrong method a 405 that names the right ones")
    func routing() async throws {
        try await RESTWorld.with { world in
            #expect(try await world.send("GET", "/v2/me").problem == "not-found")
            let wrong = try await world.send("PUT", "/v1/slots")
            #expect(wrong.status == 405)
            #expect(wrong.headers["allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test("a header or an address beyond its limit is a 431 or a 414")
    func limits() async throws {
        try await RESTWorld.with { world async throws in
            let long = String(repeating: "a", count: 20_000)
            #expect(try await world.send("GET", "/v1/me", headers: ["X-Long: \(long)"]).status == 431)
            #expect(try await world.send("GET", "/v1/slots?date=\(long)").status == 414)
        }
    }

    @Test(
        "a query parameter that makes no sense is a 400 that names it",
        arguments: [
            ("/v1/slots?date=2027-02-30", "date"), ("/v1/slots?date=today", "date"),
            ("/v1/slots?date=0000-01-01", "date"), ("/v1/slots?date=10000-01-01", "date"),
            ("/v1/slots?timeZone=Mars", "timeZone"), ("/v1/registrations?from=yesterday", "from"),
            ("/v1/registrations?to=2027-03-01", "to"), ("/v1/registrations?state=asleep", "state"),
            ("/v1/registrations?limit=0", "limit"), ("/v1/registrations?limit=201", "limit"),
            ("/v1/registrations?limit=", "limit"), ("/v1/registrations?limit=99999999999999999999", "limit"),
            ("/v1/registrations?limit=1&limit=2", "limit"), ("/v1/registrations?cursor=x", "cursor"),
            ("/v1/rooms?limit=-1", "limit"), ("/v1/rooms?cursor=AAAA", "cursor"),
            ("/v1/notifications?after=-1", "after"), ("/v1/notifications?after=x", "after"),
            ("/v1/notifications?limit=1.5", "limit"), ("/v1/notifications?before=-1", "before"),
            ("/v1/notifications?order=newest", "order"), ("/v1/notifications?order=asc&order=desc", "order"),
        ])
    func badParameter(_ path: String, name: String) async throws {
        try await RESTWorld.withAccount { world, token in
            let response = try await world.send("GET", path, token: token)
            #expect(response.status == 400, "\(path)")
            #expect(try response.json()["detail"]?.string?.contains(name) == true)
        }
    }

    @Test("unknown query parameters are ignored")
    func unknownParameter() async throws {
        try await RESTWorld.withAccount { world, token in
            try await world.send("GET", "/v1/rooms?colour=red", token: token, expecting: 200)
        }
    }

    @Test("while the database is away the answer is a 503 that says when to come back")
    func noDatabase() async throws {
        try await RESTWorld.with { world in
            await world.pool.shutdown()
            let response = try await world.send("POST", "/v1/users", body: #"{"name":"Ann"}"#)
            #expect(response.status == 503)
            #expect(["1", "2", "3", "4"].contains(response.headers["retry-after"]))
        }
    }
}
