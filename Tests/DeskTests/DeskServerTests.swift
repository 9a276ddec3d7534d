import Contract
import HTTP1
import Postgres
import Reactor
import Scheduling
import Testing

@testable import API
@testable import BackendTesting
@testable import Console
@testable import Database
@testable import Settings

@Suite("Servers, settings and slots at the desk")
struct DeskServerTests {
    @Test("each setting is shown with its source, and no secret with its value")
    func settings() async throws {
        try await DeskWorld.withToken(.admin) { desk, token in
            let answer = try await desk.send("GET", "/settings", token: token).json()
            let rows = answer["settings"]?.array ?? []
            #expect(rows.map { $0["name"]?.string } == Setting.allCases.map(\.name))
            #expect(answer["warnings"]?.array == [.string("A warning.")])
            for (row, setting) in zip(rows, Setting.allCases) {
                #expect(row["isSecret"]?.bool == setting.isSecret)
                #expect(row["help"]?.string == setting.meaning)
                let value = row["value"]?.string
                if setting.isSecret { #expect(value == nil || value == "set", "\(setting.name)") }
            }
        }
    }

    @Test("a server that is known is asked to stop, and the act is in the audit log before it does")
    func drain() async throws {
        try await DeskWorld.withToken(.admin) { desk, token in
            let id = Identifier(value: 77)
            let path = "/servers/\(id)/drain"
            #expect(try await desk.send("POST", path, token: token).status == 404)
            try await desk.world.pool.query(
                """
                INSERT INTO servers (name, alive_at, alive_until)
                VALUES ($1, clock_timestamp(), clock_timestamp() + interval '1 hour')
                """, ["\(id)"])
            #expect(try await desk.actions() == [])
            #expect(try await desk.send("POST", path, token: token).status == 202)
            #expect(desk.world.changeEvents.withLock { $0 }.contains(.drain(id)))
            #expect(try await desk.actions() == ["server.drain"])
        }
    }

    @Test("an open slot is matched again, and one that is not open or unknown is not")
    func match() async throws {
        try await DeskWorld.with { desk in
            let slot = "2027-03-01T13:00:00Z"
            let ann = try await desk.person("Ann")
            let registration = try await desk.world.register(ann.token, slot)
            let token = try await desk.token(.support)
            let path = "/slots/\(slot)/match"
            let early = try await desk.send("POST", path, token: token)
            #expect(early.status == 409 && early.text.contains("not open"), "\(early.text)")
            _ = try await desk.world.open([registration], at: slot)
            try await desk.send("POST", path, token: token, expecting: 202)
            let start = try #require(Timestamp(slot))
            let events = desk.world.changeEvents.withLock { $0 }
            #expect(events.contains(.left(start)) && events.contains(.presence))
            try await desk.world.close(slot)
            #expect(try await desk.send("POST", path, token: token).status == 409)
            try await desk.send("POST", "/slots/2027-03-02T13:00:00Z/match", token: token, expecting: 404)
            #expect(try await desk.actions() == ["slot.match"])
        }
    }

    @Test("the registration of a slot that is over is neither closed nor opened")
    func over() async throws {
        try await DeskWorld.with { desk in
            let slot = "2027-03-01T13:00:00Z"
            let ann = try await desk.person("Ann")
            _ = try await desk.world.open([try await desk.world.register(ann.token, slot)], at: slot)
            try await desk.world.close(slot)
            let token = try await desk.token(.admin)
            for verb in ["close-registration", "open-registration"] {
                let refused = try await desk.send("POST", "/slots/\(slot)/\(verb)", token: token)
                #expect(refused.status == 409 && refused.text.contains("over"), "\(refused.text)")
            }
        }
    }

    @Test("a slot that was not matched has no explanation")
    func explanation() async throws {
        try await DeskWorld.withPerson { desk, ann in
            _ = try await desk.world.register(ann.token, "2027-03-01T13:00:00Z")
            let answer = try await desk.send(
                "GET", "/slots/2027-03-01T13:00:00Z/explanation", token: try await desk.token(.viewer))
            #expect(answer.status == 404 && answer.text.contains("has not been matched"), "\(answer.text)")
        }
    }
}

@Suite("What is wrong in a call of the desk")
struct DeskInputTests {
    /// Returns a path with something in the place of each parameter that exists nowhere.
    private static func path(_ route: DeskRoute) -> String {
        String(route.path.dropFirst(Desk.root.count))
            .replacing("{key}", with: "2027-03-01T13:00:00Z").replacing("{id}", with: "999999")
    }

    @Test("a body that is no JSON, has a member that is unknown, or one of a wrong type, is refused")
    func bodies() async throws {
        try await DeskWorld.withToken(.admin) { desk, token in
            let routes = desk.desk.routes.filter { !$0.body.isEmpty && $0.role != nil }
            #expect(routes.count > 8)
            for route in routes {
                let (method, path) = (route.method.rawValue, Self.path(route))
                let wrong = route.body.map { "\"\($0.name)\":[[]]" }.joined(separator: ",")
                for body in ["{", "[]", "\"x\"", #"{"strange":1}"#, "{\(wrong)}", "\u{0}"] {
                    let answer = try await desk.send(method, path, token: token, body: body)
                    // A thing that does not exist may be noticed first.
                    #expect([400, 404, 422].contains(answer.status), "\(path) \(body): \(answer.text)")
                    #expect(answer.headers["content-type"] == "application/problem+json")
                }
            }
        }
    }

    @Test("a body that is larger than the members of its route can be is refused before it is read")
    func size() async throws {
        try await DeskWorld.withToken(.admin) { desk, token in
            for route in desk.desk.routes where !route.body.isEmpty {
                let (method, path) = (route.method.rawValue, Self.path(route))
                let body = String(repeating: " ", count: route.maximumBytes) + "{}"
                let answer = try await desk.send(method, path, token: token, body: body)
                #expect(answer.status == 413, "\(path): \(answer.text)")
            }
        }
    }

    @Test("a parameter of a query that has no meaning, or two, is refused by its name")
    func queries() async throws {
        try await DeskWorld.withToken(.admin) { desk, token in
            let lists = desk.desk.routes.filter { $0.query.contains("limit") }
            #expect(lists.count > 8)
            for route in lists where !route.path.contains("{") {
                for query in ["limit=0", "limit=x", "limit=1&limit=2", "limit=100000"] {
                    let answer = try await desk.send("GET", "\(Self.path(route))?\(query)", token: token)
                    #expect(answer.status == 400, "\(route.path) \(query): \(answer.text)")
                    #expect(answer.text.contains("limit"), "\(answer.text)")
                }
                // Some cursors are a text or a time, so that few are none.
                for cursor in ["x", "-1", "%00", "99999999999999999999999"] {
                    let answer = try await desk.send(
                        "GET", "\(Self.path(route))?cursor=\(cursor)", token: token)
                    #expect([200, 400].contains(answer.status), "\(route.path) \(cursor): \(answer.text)")
                }
            }
        }
    }
}
