import Contract
import Settings
import Testing

@testable import BackendTesting

@Suite("Lists that are short come in pages like longer ones")
struct RESTPageTests {
    /// How a list is filled, and the call that removes one entry of it.
    struct Kind: CustomTestStringConvertible, Sendable {
        let path: String
        let member: String
        let body: @Sendable (Int) -> String?
        var made: String?
        /// The number of entries before any is added.
        var least = 0

        var testDescription: String { path }
    }

    @Test("name the next page below the path of the service")
    func belowPath() async throws {
        let below: (inout ServerConfiguration) -> Void = { $0.explicitPublicURL = "http://test/switch" }
        try await RESTWorld.with(configure: below) { world in
            let token = try await world.signUp()
            for _ in 0..<2 { try await world.send("POST", "/v1/me/calendars", token: token) }
            let page = try await world.send("GET", "/v1/me/calendars?limit=1", token: token)
            #expect(page.headers["link"]?.hasPrefix("</switch/v1/me/calendars?limit=1&cursor=") == true)
        }
    }

    private static let kinds = [
        Kind(path: "/v1/me/tokens", member: "tokens", body: { #"{"name":"Bot \#($0)"}"# }, least: 1),
        Kind(path: "/v1/me/sessions", member: "sessions", body: { _ in nil }, made: "/v1/me/session"),
        Kind(path: "/v1/me/calendars", member: "calendars", body: { _ in nil }),
        Kind(
            path: "/v1/endpoints", member: "endpoints",
            body: { #"{"kind":"webhook","url":"http://127.0.0.1:9/\#($0)"}"# }),
    ]

    private static func ids(_ answer: RawHTTP.Response, _ kind: Kind) throws -> [String] {
        try #require(try answer.json()[kind.member]?.array).compactMap { $0["id"]?.string }
    }

    private static func fill(_ kind: Kind, _ count: Int, _ world: RESTWorld) async throws -> String {
        let token = try await world.signUp()
        for number in 0..<count {
            world.clock.now = world.clock.now.adding(.seconds(1))
            let made = try await world.send(
                "POST", kind.made ?? kind.path, token: token, body: kind.body(number))
            #expect(made.status == 201, "\(made.text)")
        }
        return token
    }

    @Test("without a limit all of them come, and nothing about a next page", arguments: kinds)
    func whole(kind: Kind) async throws {
        try await RESTWorld.with { world in
            let token = try await Self.fill(kind, 5, world)
            let answer = try await world.send("GET", kind.path, token: token)
            #expect(try Self.ids(answer, kind).count == 5 + kind.least)
            #expect(answer.headers["link"] == nil && !answer.text.contains("nextCursor"))
        }
    }

    @Test("with a limit the pages together are the list, by nextCursor and by Link", arguments: kinds)
    func pages(kind: Kind) async throws {
        try await RESTWorld.with { world in
            let token = try await Self.fill(kind, 5, world)
            let all = try Self.ids(try await world.send("GET", kind.path, token: token), kind)
            for limit in 1...6 {
                var (path, found): (String?, [String]) = ("\(kind.path)?limit=\(limit)", [])
                while let next = path {
                    let answer = try await world.send("GET", next, token: token)
                    let ids = try Self.ids(answer, kind)
                    #expect((1...limit).contains(ids.count))
                    found += ids
                    let cursor = try answer.json()["nextCursor"]?.string
                    path = cursor.map { "\(kind.path)?limit=\(limit)&cursor=\($0)" }
                    #expect(answer.headers["link"] == path.map { "<\($0)>; rel=\"next\"" })
                }
                #expect(found == all, "limit \(limit)")
            }
        }
    }

    @Test(
        "the next page begins where it would have, also if the last entry of a page is gone", arguments: kinds
    )
    func removed(kind: Kind) async throws {
        try await RESTWorld.with { world in
            let token = try await Self.fill(kind, 5, world)
            let all = try Self.ids(try await world.send("GET", kind.path, token: token), kind)
            let page = try await world.send("GET", "\(kind.path)?limit=3", token: token)
            let cursor = try #require(try page.json()["nextCursor"]?.string)
            let last = try #require(try Self.ids(page, kind).last)
            #expect(try await world.send("DELETE", "\(kind.path)/\(last)", token: token).status == 204)
            let next = try await world.send("GET", "\(kind.path)?cursor=\(cursor)", token: token)
            #expect(try Self.ids(next, kind) == Array(all[3...]))
        }
    }

    @Test("a limit or a cursor that makes no sense is a 400 that names it", arguments: kinds)
    func refused(kind: Kind) async throws {
        try await RESTWorld.withAccount { world, token in
            for query in [
                "limit=0", "limit=201", "limit=x", "cursor=x", "cursor=1_x", "cursor=_", "cursor=",
            ] {
                let answer = try await world.send("GET", "\(kind.path)?\(query)", token: token)
                #expect(answer.status == 400 && answer.text.contains(query.prefix { $0 != "=" }), "\(query)")
            }
        }
    }
}
