import Contract
import Postgres
import TestKit
import Testing

@testable import API
@testable import BackendTesting
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
        try await RESTWorld.withAccount { world, token in
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
        try await RESTWorld.withAccount { world, token in
            let path = try await Self.path(kind, world, token)
            let tag = try #require(try await world.send("GET", path, token: token).headers["etag"])
            let statuses = try await concurrently(0..<4) { number in
                try await world.send(
                    "PATCH", path, token: token, body: Self.body(kind, "Change \(number)"),
                    headers: ["If-Match: \(tag)"]
                ).status
            }
            #expect(statuses.sorted() == [200, 412, 412, 412])
        }
    }

    @Test("If-None-Match is a 304 for a client that has the state", arguments: ["me", "registration"])
    func ifNoneMatch(kind: String) async throws {
        try await RESTWorld.withAccount { world, token in
            let path = try await Self.path(kind, world, token)
            let tag = try #require(try await world.send("GET", path, token: token).headers["etag"])
            let same = try await world.send("GET", path, token: token, headers: ["If-None-Match: W/\(tag)"])
            #expect(same.status == 304 && same.body.isEmpty)
            try await world.send("GET", path, token: token, headers: ["If-None-Match: \"x\""], expecting: 200)
        }
    }

    @Test(
        "a list, a room and the document are a 304 for a client that has them, by weak comparison",
        arguments: [
            "/v1/slots", "/v1/registrations", "/v1/rooms", "room", "/openapi.json", "/v1/openapi.yaml",
        ])
    func weak(kind: String) async throws {
        try await RESTWorld.withAccount { world, token in
            let id = try await world.register(token, Self.slot)
            let room = try await world.open([id], at: Self.slot)
            let path = kind == "room" ? "/v1/rooms/\(room)" : kind
            let isPublic = path.contains("openapi")
            let holdsTicket = path.contains("rooms")
            let caching = isPublic ? "no-cache" : holdsTicket ? "no-store" : "private, no-cache"
            let read = try await world.send("GET", path, token: token)
            let tag = try #require(read.headers["etag"])
            #expect(tag.hasPrefix("W/\"") && read.headers["cache-control"] == caching, "\(tag)")
            let strong = String(tag.dropFirst(2))
            let known = ["*", tag, strong, "\"x\", \(tag)", "W/\"a\",\(strong) , \"b\"", " \(tag) "]
            for value in known {
                for method in ["GET", "HEAD"] {
                    let same = try await world.send(
                        method, path, token: token, headers: ["If-None-Match: \(value)"])
                    #expect(same.status == 304 && same.body.isEmpty, "\(value): \(same.status)")
                    #expect(same.headers["etag"] == tag && same.headers["cache-control"] == caching)
                }
            }
            try await world.send(
                "GET", path, token: token, headers: ["If-None-Match: \"x\"", "If-None-Match: \(tag)"],
                expecting: 304)
            for value in [
                "\"x\"", "", "w/\(strong)", String(strong.dropFirst().dropLast()), "\"*\"", "\"x\", *",
            ] {
                let other = try await world.send(
                    "GET", path, token: token, headers: ["If-None-Match: \(value)"])
                #expect(other.status == 200 && other.body == read.body, "\(value)")
            }
            if isPublic { return }
            // A changed resource has another tag. With it a stranger gets a list of their own, or a 404.
            try await world.pool.query("UPDATE registrations SET task = 'Read', updated_at = now()")
            let changed = try await world.send("GET", path, token: token, headers: ["If-None-Match: \(tag)"])
            #expect(changed.status == 200 && changed.headers["etag"] != tag)
            let stranger = try await world.signUp("Bea")
            let theirs = try await world.send(
                "GET", path, token: stranger, headers: ["If-None-Match: \(tag)"])
            #expect(theirs.status == (kind == "room" ? 404 : 200))
            try await world.send("GET", path, headers: ["If-None-Match: *"], expecting: 401)
        }
    }

    @Test("a page that is known is a 304, and a query that makes no sense is refused first")
    func knownPage() async throws {
        try await RESTWorld.withAccount { world, token in
            for hour in 13..<16 { _ = try await world.register(token, "2027-03-01T\(hour):00:00Z") }
            let page = try await world.send("GET", "/v1/registrations?limit=2", token: token)
            let tag = try #require(page.headers["etag"])
            #expect(page.headers["link"] != nil)
            let all = try await world.send("GET", "/v1/registrations", token: token)
            #expect(all.headers["etag"] != tag)
            try await world.send(
                "GET", "/v1/registrations?limit=2", token: token, headers: ["If-None-Match: \(tag)"],
                expecting: 304)
            for path in ["/v1/registrations?limit=x", "/v1/slots?date=x", "/v1/rooms?cursor=x"] {
                let wrong = try await world.send("GET", path, token: token, headers: ["If-None-Match: *"])
                #expect(wrong.status == 400, "\(path)")
            }
        }
    }

    @Test("a registration keeps its strong tag, with which it can be changed")
    func strong() async throws {
        try await RESTWorld.withAccount { world, token in
            let path = try await Self.path("registration", world, token)
            let read = try await world.send("GET", path, token: token)
            #expect(read.headers["etag"]?.hasPrefix("\"") == true)
            #expect(read.headers["cache-control"] == "private, no-cache")
            try await world.send("GET", path, token: token, headers: ["If-None-Match: *"], expecting: 304)
        }
    }

    @Test("Prefer: return=minimal leaves the body out, and nothing else changes")
    func minimal() async throws {
        try await RESTWorld.withAccount { world, token in
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
        try await RESTWorld.withAccount { world, token in
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
        try await RESTWorld.withAccount { world, token in
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
            try await world.send("GET", "/v1/notifications?cursor=x", token: token, expecting: 400)
        }
    }
}
