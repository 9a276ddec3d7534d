import Postgres
import Reactor
import Testing

@testable import BackendTesting
@testable import Console
@testable import Contract
@testable import Database

@Suite("The desk's lists of people, rooms and tokens")
struct DeskSearchTests {
    private static func names(_ desk: DeskWorld, _ query: String, _ token: String) async throws -> [String] {
        let text = Array(query.utf8).map { byte in
            "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
        let answer = try await desk.send("GET", "/people?query=\(text)", token: token)
        #expect(answer.status == 200, "\(answer.text)")
        return try (answer.json()["people"]?.array ?? []).compactMap { $0["name"]?.string }
    }

    @Test("a name is found by its beginning in any case of any script")
    func anyCase() async throws {
        try await DeskWorld.withToken(.viewer) { desk, token in
            let names = ["Ärzte", "ÉLODIE", "Жанна", "Σοφος", "İpek", "Zoë Ä"]
            for name in names { _ = try await desk.person(name) }
            for (query, name) in [
                ("ärz", "Ärzte"), ("ÄRZTE", "Ärzte"), ("élo", "ÉLODIE"), ("жАН", "Жанна"), ("ΣΟΦ", "Σοφος"),
                ("σοφος", "Σοφος"), ("ΣΟΦΟΣ", "Σοφος"), ("zoË", "Zoë Ä"),
            ] {
                #expect(try await Self.names(desk, query, token) == [name], "\(query)")
            }
            #expect(try await Self.names(desk, "nna", token) == [])
        }
    }

    @Test(
        "case does not depend on the locale of the database",
        arguments: [("Ärzte", "ÄRZTE"), ("élodie", "ÉLODIE"), ("Жанна", "жАННА"), ("σοφος", "ΣΟΦΟΣ")])
    func locale(name: String, other: String) async throws {
        try await DeskWorld.with { desk in
            let row = try await desk.world.pool.query(
                #"SELECT folded_name($1::text COLLATE "C") = folded_name($2::text COLLATE "C")"#,
                [name, other]
            ).first
            #expect(try row?.decode(0, Bool.self) == true)
        }
    }

    @Test("names are found by an index")
    func index() async throws {
        try await DeskWorld.with { desk in
            let plan = try await desk.world.pool.transaction { connection in
                try await connection.query("SET LOCAL enable_seqscan = off")
                return try await connection.query(
                    """
                    EXPLAIN SELECT id FROM accounts AS person
                    WHERE folded_name(person.name) COLLATE "C" >= folded_name('ä')
                        AND folded_name(person.name) COLLATE "C" < folded_name('ä') || 'z'
                    """
                ).map { try $0.decode(0, String.self) }
            }
            #expect(plan.contains { $0.contains("users_by_folded_name") }, "\(plan)")
        }
    }

    @Test("people whose names show nothing are listed, page by page, and no others")
    func invisible() async throws {
        try await DeskWorld.withToken(.viewer) { desk, token in
            var hidden: Set<String> = []
            // Names of before: no name is accepted that shows nothing.
            for name in ["\u{200B}", "\u{3164}", "\u{2800}\u{2060}", "\u{E0041}", "\u{0301}"] {
                let id = try await desk.person("Ann").id
                try await desk.world.pool.query("UPDATE users SET name = $2 WHERE id = $1", [id, name])
                hidden.insert(id.description)
            }
            for name in ["Ben", "太郎", "👍", "é"] { _ = try await desk.person(name) }
            var (seen, cursor): ([String], String?) = ([], nil)
            repeat {
                let path = "/people?names=invisible&limit=2\(cursor.map { "&cursor=\($0)" } ?? "")"
                let page = try await desk.send("GET", path, token: token).json()
                seen += (page["people"]?.array ?? []).compactMap { $0["id"]?.string }
                cursor = page["nextCursor"]?.string
            } while cursor != nil && seen.count < 20
            #expect(seen.count == hidden.count && Set(seen) == hidden)
            #expect(seen == seen.sorted(by: >))
            for path in ["/people?names=x", "/people?names=invisible&query=a"] {
                #expect(try await desk.send("GET", path, token: token).status == 400, "\(path)")
            }
        }
    }

    @Test("the open rooms of the first screen are those of the list of rooms")
    func openRooms() async throws {
        try await DeskWorld.with { desk in
            let slot = "2027-03-01T13:00:00Z"
            let token = try await desk.token(.viewer)
            var registrations: [Identifier] = []
            for name in ["Ann", "Ben"] {
                let person = try await desk.person(name)
                registrations.append(try await desk.world.register(person.token, slot, task: "Write"))
            }
            _ = try await desk.world.open(registrations, at: slot)
            let now = try await desk.send("GET", "/now", token: token).json()
            let rooms = try await desk.send("GET", "/rooms", token: token).json()["rooms"]?.array?.count
            // No member has entered.
            #expect(now["rooms"]?.int == 0 && now["people"]?.int == 0)
            #expect(rooms == 1 && now["openRooms"]?.int == 1)
        }
    }

    @Test("a token takes name and expiresAt, and for one release label and days")
    func tokenMembers() async throws {
        try await DeskWorld.withToken(.admin) { desk, token in
            func make(_ body: String) async throws -> (status: Int, json: JSONValue) {
                let answer = try await desk.send("POST", "/tokens", token: token, body: body)
                return (answer.status, try answer.json())
            }
            let end = desk.world.clock.now.adding(.seconds(1800))
            let made = try await make(#"{"name":"bot","role":"viewer","expiresAt":"\#(end)"}"#)
            #expect(made.status == 201 && made.json["expiresAt"]?.string == "\(end)", "\(made)")
            #expect(made.json["name"]?.string == "bot" && made.json["label"]?.string == "bot")
            #expect(try await make(#"{"label":"old","role":"viewer","days":1}"#).status == 201)
            let list = try await desk.send("GET", "/tokens", token: token).json()["tokens"]?.array ?? []
            #expect(Set(list.compactMap { $0["name"]?.string }) == ["bot", "old", "test"])
            let past = desk.world.clock.now
            let far = past.adding(.seconds(367 * 86_400))
            for (body, pointer) in [
                (#"{"name":"a","label":"b","role":"viewer","days":1}"#, "/label"),
                (#"{"name":"a","role":"viewer","days":1,"expiresAt":"\#(end)"}"#, "/days"),
                (#"{"role":"viewer","days":1}"#, "/name"), (#"{"name":"a","role":"viewer"}"#, "/expiresAt"),
                (#"{"name":"a","role":"viewer","days":0}"#, "/days"),
                (#"{"name":"a","role":"viewer","expiresAt":"\#(past)"}"#, "/expiresAt"),
                (#"{"name":"a","role":"viewer","expiresAt":"\#(far)"}"#, "/expiresAt"),
            ] {
                let refused = try await make(body)
                let pointers = refused.json["errors"]?.array?.compactMap { $0["pointer"]?.string }
                #expect(refused.status == 422 && pointers == [pointer], "\(body): \(refused)")
            }
        }
    }

    @Test("problems of one thing are said in the singular")
    func singular() {
        let figures = DeskFigures(
            members: [], waiting: 0, oldestSeconds: 0, disabled: 0, newReports: 1, worstLateness: 0,
            failed: 0, settled: 0)
        let texts = DeskProblem.find(figures: figures, servers: [], openCircuits: 1, isClockCertain: true)
            .map(\.text)
        #expect(
            texts == [
                "1 host gets no deliveries for a while: no answer came.", "1 report waits for an operator.",
            ])
        #expect(counted(0, "room") == "0 rooms" && counted(2, "entry", "entries") == "2 entries")
    }
}
