import Contract
import Reactor
import TestKit
import Testing

@Suite("Bad input", .timeLimit(.minutes(5)))
struct BadInputTests {
    @Test("is answered with a problem document that says what to do, and the server goes on")
    func problems() async throws {
        try await Stage.withPerson { _, server, ada in
            let users = "\(server.url)/v1/users"
            for (body, status) in [
                ("{\"name\":\"\\ud800\"}", 400), ("{\"name\":\"A\",}", 400), ("", 400), ("[]", 422),
                ("{\"name\":\"A\",\"nmae\":1}", 422), ("{\"name\":\" \"}", 422),
                ("{\"name\":\"\(String(repeating: "x", count: 65))\"}", 422),
                ("{\"name\":\"A\\u0007\"}", 422), ("{\"name\":\"A\",\"timeZone\":\"Mars/Base\"}", 422),
                ("{\"name\":\"A\",\"name\":\"B\"}", 400),
                (String(repeating: "[", count: 40) + String(repeating: "]", count: 40), 400),
            ] {
                let answer = try await Curl.post(users, body)
                expect(answer, [400, 422].contains(status) ? [400, 422] : [status], body)
            }
            #expect(try await Curl.post(users, "{\"name\":\"A\",\"nmae\":1}").body.contains("nmae"))
            #expect(
                try await Curl.post(users, "{\"name\":\"\(String(repeating: "\\u00e9", count: 64))\"}").status
                    == 201)
            let token = ["-H", "Authorization: Bearer \(ada.token)"]
            expect(try await Curl(users), [405])
            expect(try await Curl("\(server.url)/nothing"), [404])
            expect(try await Curl("\(server.url)/v1/me"), [401])
            expect(try await Curl(["\(server.url)/v1/registrations?limit=201"] + token), [400])
            expect(try await Curl(["\(server.url)/v1/slots?date=2027-02-30"] + token), [400])
            expect(try await Curl(["\(server.url)/v1/rooms/nonsense"] + token), [400, 404])
            expect(try await Curl("-X", "POST", users, "-d", "name=A"), [415])
            expect(try await Curl("\(server.url)/\(String(repeating: "x", count: 20_000))"), [414])
            expect(
                try await Curl("\(server.url)/", "-H", "X-Long: \(String(repeating: "x", count: 60_000))"),
                [431])
            expect(try await Curl("-X", "BREW", "\(server.url)/"), [405, 501])
            for (slots, status) in [
                ("\"2027-03-28T09:30:01Z\"", 422), ("\"2001-01-01T00:00:00Z\"", 409),
                ("\"9999-01-01T00:00:00Z\"", 422),
                ("\"2027-02-30T00:00:00Z\"", 422),
            ] {
                let answer = try await Curl.post(
                    "\(server.url)/v1/registrations", "{\"task\":\"T\",\"slots\":[\(slots)]}",
                    token: ada.token)
                expect(answer, [status], slots)
                if status == 422 { #expect(answer.body.contains("/slots/0"), "\(slots) \(answer.body)") }
            }
            #expect(try await Curl("\(server.url)/readyz").status == 200)
        }
    }

    @Test("of ten megabytes is refused by its length, and while it comes in chunks")
    func tooLarge() async throws {
        try await Stage.withServer { _, server in
            let folder = TemporaryFolder()
            let file = try folder.file(
                "body", "{\"name\":\"" + String(repeating: "x", count: 10_000_000) + "\"}")
            for extra in [[], ["-H", "Transfer-Encoding: chunked"], ["-H", "Expect:"]] {
                let answer = try await Curl(
                    [
                        "-X", "POST", "\(server.url)/v1/users", "-H", "Content-Type: application/json", "-T",
                        file,
                    ]
                        + extra)
                expect(answer, [413])
            }
            #expect(try await Curl("\(server.url)/readyz").status == 200)
        }
    }

    @Test("that stops half way is given up: 408, and the connection is closed")
    func halfSent() async throws {
        try await Stage.withServer { _, server in
            let head = try await Wire.connect(port: server.port)
            await head.write("GET / HTTP/1.1\r\nHost:")
            let body = try await Wire.connect(port: server.port)
            await body.write(
                "POST /v1/users HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 20\r\n\r\n{\"name\":")
            for wire in [head, body] {
                let answer = try await wire.readAll()
                #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
                #expect(answer.contains(Problem.mediaType))
            }
        }
    }

    private func expect(
        _ answer: Curl, _ statuses: [Int], _ what: String = "", _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(
            statuses.contains(answer.status), "\(what) \(answer.status) \(answer.body)",
            sourceLocation: location)
        #expect(answer.headers["content-type"] == Problem.mediaType, "\(what)", sourceLocation: location)
        #expect(answer.headers["x-request-id"] != nil, "\(what)", sourceLocation: location)
        let problem = try? JSON.decode(Problem.self, from: Array(answer.body.utf8))
        #expect(problem?.status == answer.status, "\(what) \(answer.body)", sourceLocation: location)
        #expect(problem?.detail.isEmpty == false, "\(what)", sourceLocation: location)
        #expect(problem?.instance == answer.headers["x-request-id"], "\(what)", sourceLocation: location)
    }
}
