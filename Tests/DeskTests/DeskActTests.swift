import Contract
import Outbox
import Postgres
import Reactor
import Scheduling
import Testing

@testable import API
@testable import BackendTesting
@testable import Console
@testable import Database

@Suite("What operators do")
struct DeskActTests {
    private static let slot = "2027-03-01T13:00:00Z"
    private static let later = "2027-03-01T15:00:00Z"

    /// Two people in a room. The first has reported the second.
    private struct Abuse {
        let ann: (token: String, id: Identifier)
        let eve: (token: String, id: Identifier)
        let room: Identifier
        let registrations: [Identifier]
        let report: Int64
    }

    private static func abuse(_ desk: DeskWorld) async throws -> Abuse {
        let (ann, eve) = (try await desk.person("Ann"), try await desk.person("Eve"))
        let registrations = [
            try await desk.world.register(ann.token, slot, task: "Quiet work"),
            try await desk.world.register(eve.token, slot, task: "Loud work"),
        ]
        _ = try await desk.world.register(eve.token, later, task: "More of it")
        let room = try await desk.world.open(registrations, at: slot)
        try await desk.world.pool.query(
            """
            INSERT INTO blocks (user_id, other_id, registration_id, report, created_at)
            VALUES ($1, $2, $3, 'Eve was rude to me', $4)
            """, [ann.id, eve.id, registrations[1], desk.world.clock.now])
        let id = try await desk.world.pool.query("SELECT id FROM reports").first?.decode(0, Int64.self)
        return Abuse(
            ann: ann, eve: eve, room: room, registrations: registrations, report: try #require(id))
    }

    @Test("a report leads to a suspension: no sign-in, no room, no registration, and the other is told")
    func suspension() async throws {
        try await DeskWorld.with { desk in
            let abuse = try await Self.abuse(desk)
            let token = try await desk.token(.support)
            let report = try await desk.send("GET", "/reports/\(abuse.report)", token: token)
            #expect(report.status == 200 && !report.text.contains("rude"))
            #expect(try report.json()["about"]?["name"]?.string == "Eve")
            #expect(try report.json()["slot"]?.string == Self.slot)
            #expect(try await desk.actions() == [])
            let revealed = try await desk.send("POST", "/reports/\(abuse.report)/reveal", token: token)
            #expect(try revealed.json()["text"]?.string == "Eve was rude to me")
            #expect(try await desk.actions() == ["report.reveal"])
            #expect(try await desk.send("POST", "/reports/\(abuse.report)/take", token: token).status == 200)

            let until = desk.world.clock.now.adding(.seconds(86_400))
            let path = "/people/\(abuse.eve.id)/suspend"
            let past = try await desk.send(
                "POST", path, token: token, body: #"{"reason":"x","until":"2020-01-01T00:00:00Z"}"#)
            #expect(past.status == 422 && past.pointers == ["/until"])
            try await desk.send(
                "POST", path, token: token, body: #"{"reason":"x","reportId":999}"#, expecting: 409)
            #expect(try await desk.world.send("GET", "/v1/me", token: abuse.eve.token).status == 200)
            let done = try await desk.send(
                "POST", path, token: token,
                body: #"{"reason":"Rudeness","until":"\#(until)","reportId":\#(abuse.report)}"#)
            #expect(done.status == 200, "\(done.text)")
            #expect(try done.json()["isSuspended"]?.bool == true)

            let refused = try await desk.world.send("GET", "/v1/me", token: abuse.eve.token)
            #expect(refused.status == 403 && refused.problem == "suspended")
            #expect(try refused.json()["reason"]?.string == "Rudeness")
            #expect(try refused.json()["until"]?.string == "\(until)")
            let live = try await desk.world.pool.query(
                "SELECT FROM registrations WHERE user_id = $1 AND cancelled_at IS NULL", [abuse.eve.id])
            #expect(live.isEmpty)
            let members = try await desk.world.pool.query(
                "SELECT registration_id FROM members WHERE room_id = $1 AND left_revision IS NULL",
                [abuse.room])
            #expect(try members.map { try $0.decode(0, Identifier.self) } == [abuse.registrations[0]])
            let told = try await desk.world.pool.query(
                "SELECT type FROM notifications WHERE user_id = $1", [abuse.ann.id])
            #expect(try told.map { try $0.decode(0, String.self) } == ["room.changed"])
            let events = desk.world.changeEvents.withLock { $0 }
            #expect(events.contains(.user(abuse.eve.id)) && events.contains(.presence))

            let closed = try await desk.send("GET", "/reports/\(abuse.report)", token: token).json()
            #expect(closed["state"]?.string == "closed" && closed["outcome"]?.string == "suspended")
            #expect(
                try await desk.actions()
                    == ["report.reveal", "report.take", "report.suspend", "person.suspend"])
            #expect(try await desk.verification().fault == nil)

            let list = try await desk.send("GET", "/people?suspended=true", token: token).json()
            #expect(list["people"]?.array?.count == 1)
            try await desk.send("POST", "/people/\(abuse.eve.id)/unsuspend", token: token, expecting: 200)
            #expect(
                try await desk.send("POST", "/people/\(abuse.eve.id)/unsuspend", token: token).status == 409)
            #expect(try await desk.world.send("GET", "/v1/me", token: abuse.eve.token).status == 200)
        }
    }

    @Test("calendars and invites of a suspended person lead nowhere until the suspension is over")
    func suspendedAddresses() async throws {
        try await DeskWorld.with { desk in
            let (world, token) = (desk.world, try await desk.token(.support))
            let eve = try await desk.person("Eve")
            let registration = try await world.register(eve.token, Self.slot)
            let invite = try await world.send(
                "POST", "/v1/registrations/\(registration)/invite", token: eve.token)
            let code = try #require(try invite.json()["code"]?.string)
            let calendar = try await world.send("POST", "/v1/me/calendars", token: eve.token)
            let url = try #require(try calendar.json()["url"]?.string)
            let addresses = [
                String(url.dropFirst("http://test".count)), "/invites/\(code)", "/v1/invites/\(code)",
            ]
            // Other accounts keep theirs.
            let ann = try await desk.person("Ann")
            let other = try await world.send("POST", "/v1/me/calendars", token: ann.token).json()
            let others = String(try #require(other["url"]?.string).dropFirst("http://test".count))
            func statuses() async throws -> [Int] {
                #expect(try await world.send("GET", others).status == 200)
                var statuses: [Int] = []
                for address in addresses { statuses.append(try await world.send("GET", address).status) }
                return statuses
            }
            #expect(try await statuses() == [200, 200, 200])
            let path = "/people/\(eve.id)"
            try await desk.send(
                "POST", path + "/suspend", token: token, body: #"{"reason":"Rudeness"}"#, expecting: 200)
            #expect(try await statuses() == [404, 404, 404])
            #expect(try await desk.send("POST", path + "/unsuspend", token: token).status == 200)
            #expect(try await statuses() == [200, 200, 200])
        }
    }

    @Test("the evidence stays when the reported account is deleted, under one pseudonym, for REPORT_DAYS")
    func evidence() async throws {
        try await DeskWorld.with { desk in
            let abuse = try await Self.abuse(desk)
            let token = try await desk.token(.admin)
            let before = try await desk.send("GET", "/reports/\(abuse.report)", token: token).json()
            try await desk.send(
                "POST", "/people/\(abuse.eve.id)/delete", token: token, body: #"{"confirm":"Ann"}"#,
                expecting: 422)
            try await desk.send(
                "POST", "/people/\(abuse.eve.id)/delete", token: token, body: #"{"confirm":"Eve"}"#,
                expecting: 204)
            #expect(try await desk.send("GET", "/people/\(abuse.eve.id)", token: token).status == 404)
            let after = try await desk.send("GET", "/reports/\(abuse.report)", token: token).json()
            #expect(after["about"]?["name"] == .null && after["about"]?["id"] == .null)
            #expect(after["about"]?["pseudonym"] == before["about"]?["pseudonym"])
            let words = try await desk.send("POST", "/reports/\(abuse.report)/reveal", token: token)
            #expect(words.text.contains("rude"))
            #expect(try await desk.verification().fault == nil)
            func keep(_ seconds: Int) async throws -> Int {
                let now = desk.world.clock.now.adding(.seconds(seconds))
                try await OldDeskRows.remove(
                    auditDays: 0, reportDays: 10, announcementDays: 0, at: now, in: desk.world.pool)
                return try await desk.world.pool.query("SELECT FROM reports").count
            }
            #expect(try await keep(10 * 86_400) == 1)
            #expect(try await keep(10 * 86_400 + 1) == 0)
        }
    }

    @Test("a browser gets a last push when an operator ends the tokens of its person")
    func endsTokens() async throws {
        try await DeskWorld.withPerson { desk, ann in
            let cookie = try await EndpointSession.cookie(ann.token, in: desk.world)
            let body = try EndpointSession.browser("a")
            #expect(try await EndpointSession.register(body, cookie, in: desk.world) == 201)
            try await desk.send(
                "POST", "/people/\(ann.id)/end-tokens", token: try await desk.token(.support), expecting: 200)
            #expect(try await desk.world.send("GET", "/v1/me", headers: [cookie]).status == 401)
            #expect(try await EndpointSession.active(in: desk.world) == [])
            let claimed = try await EndpointSession.claim(in: desk.world)
            guard claimed.count == 1, case .farewell = claimed[0].message.content else {
                Issue.record("\(claimed)")
                return
            }
        }
    }

    @Test("names, tokens and recovery codes change, and each change is in the audit log")
    func account() async throws {
        try await DeskWorld.withPerson { desk, ann in
            let token = try await desk.token(.support)
            let path = "/people/\(ann.id)"
            let renamed = try await desk.send(
                "POST", path + "/rename", token: token, body: #"{"name":"Anna"}"#)
            #expect(try renamed.json()["name"]?.string == "Anna")
            #expect(
                try await desk.send("POST", path + "/rename", token: token, body: #"{"name":""}"#).status
                    == 422)
            let code = try await desk.send(
                "POST", path + "/recovery-code", token: token, body: #"{"reason":"A lost phone"}"#)
            let text = try #require(try code.json()["recoveryCode"]?.string)
            #expect(try await desk.send("POST", path + "/end-tokens", token: token).status == 200)
            #expect(try await desk.world.send("GET", "/v1/me", token: ann.token).status == 401)
            try await desk.world.send(
                "POST", "/v1/recover", body: #"{"recoveryCode":"\#(text)"}"#, expecting: 201)
            let note = try await desk.send(
                "POST", path + "/notes", token: token, body: #"{"text":"Called twice."}"#)
            #expect(note.status == 201)
            let person = try await desk.send("GET", path, token: token)
            #expect(try person.json()["notes"]?.int == 1 && !person.text.contains("Called"))
            let notes = try await desk.send(
                "POST", path + "/reveal", token: token, body: #"{"what":"notes"}"#)
            #expect(notes.text.contains("Called twice."))
            #expect(
                try await desk.actions() == [
                    "person.rename", "person.recovery-code", "person.end-tokens", "person.note",
                    "person.reveal",
                ])
            let export = try await desk.send("POST", path + "/export", token: try await desk.token(.admin))
            #expect(export.status == 200 && export.isWhole && export.text.contains("\"Anna\""))
        }
    }

    @Test("an announcement reaches those it is for, once, and shows in rooms at once")
    func announcements() async throws {
        try await DeskWorld.with { desk in
            let (ann, bea) = (try await desk.person("Ann"), try await desk.person("Bea"))
            _ = try await desk.world.register(ann.token, Self.slot)
            let support = try await desk.token(.support)
            func announce(_ to: String, _ token: String) async throws -> RawHTTP.Response {
                try await desk.send(
                    "POST", "/announcements", token: token, body: #"{"text":"Hello \"all\"","to":\#(to)}"#)
            }
            #expect(try await announce(#"{"everybody":true}"#, support).status == 403)
            for wrong in [
                "{}", "3", #"{"everybody":false}"#, #"{"slot":"x"}"#, #"{"slot":"a","person":"b"}"#,
            ] {
                #expect(try await announce(wrong, support).status == 422, "\(wrong)")
            }
            #expect(try await announce(#"{"slot":"2027-03-01T20:00:00Z"}"#, support).status == 404)
            let slot = try await announce(#"{"slot":"\#(Self.slot)"}"#, support)
            #expect(slot.status == 201, "\(slot.text)")
            #expect(try await announce(#"{"person":"\#(bea.id)"}"#, support).status == 201)
            let all = try await announce(#"{"everybody":true}"#, try await desk.token(.admin))
            #expect(all.status == 201)
            #expect(desk.announcementEvents == 3)
            let id = try #require(try all.json()["id"]?.int)
            #expect(desk.world.changeEvents.withLock { $0 }.contains(.announcement(id)))

            let worker = AnnouncementWorker(
                pool: desk.world.pool, now: desk.world.application.now,
                changed: desk.world.application.changed)
            try await worker.tellEverybody()
            try await worker.tellEverybody()
            for (token, count) in [(ann.token, 2), (bea.token, 2)] {
                let list = try await desk.world.send("GET", "/v1/notifications", token: token).json()
                let texts = (list["notifications"]?.array ?? []).map { $0["data"]?["text"]?.string }
                #expect(texts == Array(repeating: "Hello \"all\"", count: count))
            }
            let shown = try await desk.send("GET", "/announcements", token: support).json()
            let people = (shown["announcements"]?.array ?? []).map { $0["people"]?.int }
            #expect(people == [2, 1, 1])
            // They go with their notifications.
            let now = desk.world.clock.now.adding(.seconds(86_401))
            try await OldDeskRows.remove(
                auditDays: 0, reportDays: 0, announcementDays: 1, at: now, in: desk.world.pool)
            let left = try await desk.world.pool.query(
                "SELECT FROM notifications UNION ALL SELECT FROM announcements")
            #expect(left.isEmpty)
        }
    }

    @Test("a slot whose registration is closed takes none, until it is opened again")
    func registration() async throws {
        try await DeskWorld.with { desk in
            let (ann, bea) = (try await desk.person("Ann"), try await desk.person("Bea"))
            _ = try await desk.world.register(ann.token, Self.slot)
            let token = try await desk.token(.admin)
            let path = "/slots/\(Self.slot)"
            func register() async throws -> Int {
                try await desk.world.book(bea.token, [Self.slot]).status
            }
            #expect(try await desk.send("POST", path + "/open-registration", token: token).status == 409)
            #expect(try await desk.send("POST", path + "/close-registration", token: token).status == 200)
            #expect(try await register() == 409)
            #expect(try await desk.send("POST", path + "/match", token: token).status == 409)
            #expect(try await desk.send("POST", path + "/open-registration", token: token).status == 200)
            #expect(try await register() == 201)
        }
    }

    @Test("lists and single things are read, without what people have written")
    func reading() async throws {
        try await DeskWorld.with { desk in
            let abuse = try await Self.abuse(desk)
            let token = try await desk.token(.admin)
            var texts: [String] = []
            for path in [
                "/now", "/slots", "/slots/\(Self.slot)", "/rooms", "/rooms?slot=\(Self.slot)",
                "/rooms/\(abuse.room)", "/people", "/people?query=ev", "/people?query=\(abuse.eve.id)",
                "/people?query=\(abuse.eve.token.prefix(12))", "/people/\(abuse.eve.id)",
                "/people/\(abuse.eve.id)/registrations", "/people/\(abuse.eve.id)/audit", "/reports",
                "/reports?state=new", "/announcements", "/deliveries", "/deliveries?state=failed",
                "/delivery-hosts", "/endpoints", "/endpoints?state=disabled", "/servers", "/settings",
                "/operators", "/tokens", "/audit", "/audit/verification",
            ] {
                let answer = try await desk.send("GET", path, token: token)
                #expect(answer.status == 200, "\(path): \(answer.text)")
                _ = try answer.json()
                texts.append(answer.text)
            }
            for word in ["Loud work", "Quiet work", "rude"] {
                #expect(!texts.contains { $0.contains(word) }, "\(word)")
            }
            let found = try await desk.send("GET", "/people?query=EV", token: token).json()
            #expect(found["people"]?.array?.map { $0["name"]?.string } == ["Eve"])
            let room = try await desk.send("GET", "/rooms/\(abuse.room)", token: token).json()
            #expect(room["members"]?.array?.count == 2 && room["timeline"]?.array?.count == 1)
            let words = try await desk.send("POST", "/rooms/\(abuse.room)/reveal", token: token)
            #expect(words.text.contains("Loud work"))
            let slot = try await desk.send("GET", "/slots/\(Self.slot)", token: token).json()
            #expect(slot["people"]?.int == 2 && slot["state"]?.string == "open")
            for path in ["/slots/x", "/rooms/x", "/people/\(abuse.room)", "/reports/77", "/deliveries/1"] {
                #expect(try await desk.send("GET", path, token: token).status == 404, "\(path)")
            }
            for path in ["/people?limit=0", "/people?cursor=x", "/reports?state=x", "/people?query=lsk_a"] {
                #expect(try await desk.send("GET", path, token: token).status == 400, "\(path)")
            }
        }
    }

    @Test("pages of a list follow each other without a gap")
    func pages() async throws {
        try await DeskWorld.with { desk in
            var ids: Set<String> = []
            for number in 0..<7 { ids.insert(try await desk.person("Ann \(number)").id.description) }
            let token = try await desk.token(.viewer)
            for query in ["limit=3", "limit=3&query=an"] {
                var (seen, cursor): ([String], String?) = ([], nil)
                repeat {
                    let path = "/people?\(query)\(cursor.map { "&cursor=\($0)" } ?? "")"
                    let page = try await desk.send("GET", path, token: token).json()
                    seen += (page["people"]?.array ?? []).compactMap { $0["id"]?.string }
                    cursor = page["nextCursor"]?.string
                } while cursor != nil && seen.count < 20
                #expect(seen.count == 7 && Set(seen) == ids, "\(query)")
            }
        }
    }

    @Test("a stream of snapshots comes while a browser shows it, and none is made otherwise")
    func live() async throws {
        try await DeskWorld.with { desk in
            #expect(await desk.desk.board.count == 0)
            let snapshots = try #require(await desk.desk.board.look())
            var count = 0
            for await snapshot in snapshots {
                let json = try JSONValue.parse(snapshot)
                #expect(json["slots"] != nil && json["people"]?.int == 0 && json["problems"] != nil)
                count += 1
                if count == 2 { break }
            }
            #expect(count == 2)
        }
    }
}
