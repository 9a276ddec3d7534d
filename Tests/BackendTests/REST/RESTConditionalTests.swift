import Contract
import Testing

@testable import API
@testable import Backend
@testable import Database

@Suite("Conditions and preferences of a request")
struct RESTConditionalTests {
    private static let slot = "2027-03-01T13:00:00Z"

    /// Returns the path of the account, or that of a registration.
    private static func path(_ kind: String, _ world: RESTWorld, _ token: String) async throws -> String {
        if kind == "me" { return "/v1/me" }
        return "/v1/registrations/\(try await world.register(token, slot))"
    }

    private static func body(_ kind: String, _ text: String) -> String {
        kind == "me" ? #"{"name":"\#(text)"}"# : #"{"task":"\#(text)"}"#
    }

    @Test(
        "If-Match lets one of two changes through that were made of the same state",
        arguments: ["me", "registration"])
    func ifMatch(kind: String) async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp()
            let path = try await Self.path(kind, world, token)
            let tag = try #require(try await world.send("GET", path, token: token).headers["etag"])
            let first = try await world.send(
                "PATCH", path, token: token, body: Self.body(kind, "One"), headers: ["If-Match: \(tag)"])
            #expect(first.status == 200, "\(first.text)")
            let second = try await world.send(
                "PATCH", path, token: token, body: Self.body(kind, "Two"), headers: ["If-Match: \(tag)"])
            #expect(second.status == 412 && second.problem == "precondition-failed")
            let read = try await world.send("GET", path, token: token)
            #expect(read.text.contains("One") && read.headers["etag"] == first.headers["etag"])
            let current = try #require(read.headers["etag"])
            for (value, status) in [
                ("W/\(current)", 412), ("\"x\"", 412), ("", 412), ("\"x\" , \(current)", 200), ("*", 200),
            ] {
                let answer = try await world.send(
                    "PATCH", path, token: token, body: Self.body(kind, "One"),
                    headers: ["If-Match: \(value)"])
                #expect(answer.status == status, "\(value): \(answer.text)")
                #expect(status == 412 || kind == "registration" || answer.headers["etag"] == current)
                // A registration notes the instant of each change, here the same one.
                if status == 200, kind == "registration" { break }
            }
        }
    }

    @Test("two changes at once with the same If-Match: one wins", arguments: ["me", "registration"])
    func race(kind: String) async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp()
            let path = try await Self.path(kind, world, token)
            let tag = try #require(try await world.send("GET", path, token: token).headers["etag"])
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        try await world.send(
                            "PATCH", path, token: token, body: Self.body(kind, "Change \(number)"),
                            headers: ["If-Match: \(tag)"]
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 412, 412, 412])
        }
    }

    @Test("If-None-Match is a 304 for whoever has the state", arguments: ["me", "registration"])
    func ifNoneMatch(kind: String) async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp()
            let path = try await Self.path(kind, world, token)
            let tag = try #require(try await world.send("GET", path, token: token).headers["etag"])
            let same = try await world.send("GET", path, token: token, headers: ["If-None-Match: W/\(tag)"])
            #expect(same.status == 304 && same.body.isEmpty)
            let other = try await world.send("GET", path, token: token, headers: ["If-None-Match: \"x\""])
            #expect(other.status == 200)
        }
    }

    @Test("Prefer: return=minimal leaves the body out, and nothing else changes")
    func minimal() async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp()
            let body = #"{"task":"Write","slots":["\#(Self.slot)"]}"#
            let made = try await world.send(
                "POST", "/v1/registrations", token: token, body: body,
                headers: ["Prefer: respond-async, return = minimal; x=1"])
            #expect(made.status == 201 && made.body.isEmpty && made.headers["content-type"] == nil)
            #expect(made.headers["preference-applied"] == "return=minimal")
            let path = try #require(made.headers["location"])
            let changed = try await world.send(
                "PATCH", path, token: token, body: #"{"task":"Read"}"#,
                headers: ["Prefer: return=\"minimal\""])
            #expect(changed.status == 204 && changed.body.isEmpty && changed.headers["etag"] != nil)
            #expect(try await world.send("GET", path, token: token).json()["task"]?.string == "Read")
            let me = try await world.send(
                "PATCH", "/v1/me", token: token, body: #"{"name":"Bea"}"#,
                headers: ["Prefer: return=representation"])
            #expect(me.status == 200 && me.headers["preference-applied"] == nil)
            let refused = try await world.send(
                "PATCH", "/v1/me", token: token, body: #"{"name":""}"#, headers: ["Prefer: return=minimal"])
            #expect(refused.status == 422 && !refused.body.isEmpty)
        }
    }

    @Test("each list links to its next page, and the pages have everything once")
    func pages() async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp()
            for hour in 13..<18 { _ = try await world.register(token, "2027-03-01T\(hour):00:00Z") }
            var next: String? = "/v1/registrations?limit=2&state=registered"
            var seen: [String] = []
            var count = 0
            while let path = next {
                let page = try await world.send("GET", path, token: token)
                #expect(page.status == 200, "\(page.text)")
                seen += try page.json()["registrations"]?.array?.compactMap { $0["id"]?.string } ?? []
                let link = page.headers["link"]
                #expect((link == nil) == (try page.json()["nextCursor"] == nil))
                next = link.map { String($0.dropFirst().prefix { $0 != ">" }) }
                #expect(link == nil || link?.hasSuffix("; rel=\"next\"") == true)
                #expect(next == nil || next?.contains("state=registered") == true)
                count += 1
            }
            #expect(count == 3 && seen.count == 5 && Set(seen).count == 5)
        }
    }

    @Test("notifications page like other lists, in both orders", arguments: ["asc", "desc"])
    func notificationPages(order: String) async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp()
            for hour in 13..<18 {
                let id = try await world.register(token, "2027-03-01T\(hour):00:00Z")
                try await world.tell(id, .sessionMissed, nil, revision: nil)
            }
            var next: String? = "/v1/notifications?order=\(order)&limit=2"
            var ids: [Int64] = []
            while let path = next {
                let page = try await world.send("GET", path, token: token)
                ids += try page.json()["notifications"]?.array?.compactMap { $0["id"]?.int } ?? []
                next = page.headers["link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
            }
            #expect(ids.count == 5 && ids == ids.sorted { order == "asc" ? $0 < $1 : $0 > $1 })
            let wrong = try await world.send("GET", "/v1/notifications?cursor=x", token: token)
            #expect(wrong.status == 400)
        }
    }
}
