import Contract
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Scheduling
@testable import Settings

/// Slots of several lengths: 25 and 50 minutes, each five minutes. It is noon on the first of March 2027.
@Suite("Lengths of slots")
struct RESTLengthTests {
    @Test("a day's slots have the first length, or the one that is asked for")
    func lists() async throws {
        try await RESTWorld.withLengths { world in
            let token = try await world.signUp()
            for (query, minutes, end) in [("", 25, "00:25:00Z"), ("&minutes=50", 50, "00:50:00Z")] {
                let path = "/v1/slots?date=2027-03-02\(query)"
                let list = try await world.send("GET", path, token: token).json()
                #expect(list["minutes"]?.int == Int64(minutes))
                #expect(list["lengths"]?.array?.map(\.int) == [25, 50])
                let slots = list["slots"]?.array ?? []
                #expect(slots.count == 288)
                #expect(slots.first?["startsAt"]?.string == "2027-03-02T00:00:00Z")
                #expect(slots.first?["endsAt"]?.string == "2027-03-02T\(end)")
                #expect(slots.last?["localTime"]?.string == "2027-03-02T23:55")
            }
            for wrong in ["minutes=30", "minutes=x", "minutes=", "minutes=25&minutes=50", "minutes=-25"] {
                let response = try await world.send("GET", "/v1/slots?\(wrong)", token: token)
                #expect(response.status == 400 && response.text.contains("minutes"), "\(wrong)")
            }
        }
    }

    @Test("people meet in a slot of the same start and length, and see the others of that slot alone")
    func meets() async throws {
        try await RESTWorld.withLengths { world in
            let (ann, bea) = (try await world.signUp("Ann"), try await world.signUp("Bea"))
            _ = try await world.book(ann, "12:30", 25)
            _ = try await world.book(bea, "12:30", 50)
            let short = try await world.lengthSlot("12:30", 25, bea)
            #expect(short["state"]?.string == "waiting" && short["others"]?.int == 1)
            let long = try await world.lengthSlot("12:30", 50, bea)
            #expect(long["state"]?.string == "registered" && long["others"]?.int == 0)
            #expect(long["registrationId"]?.string != nil)
        }
    }

    @Test("without minutes a registration has the first length, and its slot tells the end")
    func registers() async throws {
        try await RESTWorld.withLengths { world in
            let token = try await world.signUp()
            for (minutes, start, end) in [
                (nil, "12:30", "12:55"), (50, "13:00", "13:50"), (25, "14:05", "14:30"),
            ] {
                let made = try await world.book(token, start, minutes)
                #expect(made.status == 201, "\(made.text)")
                let slot = try made.json()["registrations"]?.array?.first?["slot"]
                #expect(slot?["startsAt"]?.string == "2027-03-01T\(start):00Z")
                #expect(slot?["endsAt"]?.string == "2027-03-01T\(end):00Z")
            }
            let local = try await world.send(
                "POST", "/v1/registrations", token: token,
                body: #"{"task":"t","localSlots":["2027-03-01T15:00"],"minutes":50}"#)
            #expect(local.status == 201 && local.text.contains("2027-03-01T15:50:00Z"))
        }
    }

    @Test(
        "another length, and a start off the grid, are refused by their pointers",
        arguments: [
            (#""slots":["2027-03-01T12:30:00Z"],"minutes":30"#, "/minutes"),
            (#""slots":["2027-03-01T12:30:00Z"],"minutes":"25""#, "/minutes"),
            (#""slots":["2027-03-01T12:30:00Z"],"minutes":25.5"#, "/minutes"),
            (#""slots":["2027-03-01T12:30:00Z"],"minutes":99999999999999999999"#, "/minutes"),
            (#""slots":["2027-03-01T12:31:00Z"],"minutes":25"#, "/slots/0"),
            (#""slots":["2027-03-01T12:30:00.000025Z"],"minutes":25"#, "/slots/0"),
            (#""slots":["2027-03-01T12:30:00Z","2027-03-01T12:50:00Z"]"#, "/slots/1"),
            (#""localSlots":["2027-03-01T12:30","2027-03-01T12:10"],"minutes":50"#, "/localSlots/1"),
        ])
    func invalid(_ members: String, _ pointer: String) async throws {
        try await RESTWorld.withLengths { world in
            let token = try await world.signUp()
            let response = try await world.send(
                "POST", "/v1/registrations", token: token, body: #"{"task":"t",\#(members)}"#)
            #expect(response.status == 422)
            #expect(try response.json()["errors"]?.array?.map { $0["pointer"]?.string } == [pointer])
            #expect(try await world.count("registrations") == 0)
        }
    }

    @Test("sessions of one user may follow each other, but not overlap; cancelling leaves the time to others")
    func overlaps() async throws {
        try await RESTWorld.withLengths { world in
            let (ann, bea) = (try await world.signUp("Ann"), try await world.signUp("Bea"))
            let first = try await world.book(ann, "12:30", 50).json()
            let id = try #require(first["registrations"]?.array?.first?["id"]?.string)
            // One that ends as it begins, and one that begins as it ends.
            #expect(try await world.book(ann, "12:05", 25).status == 201)
            #expect(try await world.book(ann, "13:20", 25).status == 201)
            for (start, minutes) in [("12:10", 25), ("12:30", 25), ("12:50", 25), ("13:15", 50)] {
                let refused = try await world.book(ann, start, minutes)
                let problem = try refused.json()
                #expect(refused.status == 409 && problem["type"]?.string == "/problems/overlaps")
                let error = problem["errors"]?.array?.first
                #expect(error?["pointer"]?.string == "/slots/0")
                #expect(error?["detail"]?.string?.hasPrefix("You have a session from 2027-03-01T") == true)
            }
            let detail = try await world.book(ann, "12:50", 25).text
            #expect(detail.contains("from 2027-03-01T12:30:00Z to 2027-03-01T13:20:00Z."))
            let again = try await world.book(ann, "12:30", 50).json()
            #expect(again["type"]?.string == "/problems/already-registered")
            #expect(try await world.book(bea, "12:50", 25).status == 201)
            try await world.pool.query(
                "UPDATE registrations SET cancelled_at = now() WHERE id::text = $1", [id])
            #expect(try await world.book(ann, "12:40", 25).status == 201)
            // All or none: the first slot would be free.
            let some = try await world.book(ann, ["2027-03-01T16:00:00Z", "2027-03-01T12:45:00Z"])
            #expect(try some.json()["errors"]?.array?.map { $0["pointer"]?.string } == ["/slots/1"])
            #expect(try await world.book(ann, "16:00", 50).status == 201)
        }
    }

    @Test("sessions from before the setting was turned on count too")
    func before() async throws {
        try await RESTWorld.withLengths { world in
            let ann = try await world.account("Ann")
            try await world.store([world.request(ann, [1])])
            let spans = try #require(RegistrationSpans(world.application.configuration))
            let session = SlotSpan(
                startsAt: RESTWorld.noon.adding(.seconds(1800)), endsAt: RESTWorld.noon.adding(.seconds(3600))
            )
            #expect(
                try await world.keep([world.timed(ann, 25 * 60, 25)], spans)
                    == [.settled(.overlaps([0: session]))])
            #expect(try await world.keep([world.timed(ann, 5 * 60, 25)], spans) == [.settled(.registered)])
            #expect(try await world.keep([world.timed(ann, 60 * 60, 25)], spans) == [.settled(.registered)])
        }
    }

    @Test("a page goes on where the last one ended, among slots that start together")
    func pages() async throws {
        try await RESTWorld.withLengths { world in
            let token = try await world.signUp()
            var expected: [String] = []
            for (start, minutes) in [("12:30", 25), ("12:55", 50), ("13:45", 25)] {
                let made = try await world.book(token, start, minutes).json()
                expected.append(try #require(made["registrations"]?.array?.first?["id"]?.string))
            }
            // A cancelled one of the same start comes before the live one or after it, and only once.
            let cancelled = try await world.book(token, "14:30", 25).json()
            expected.append(try #require(cancelled["registrations"]?.array?.first?["id"]?.string))
            try await world.pool.query(
                "UPDATE registrations SET cancelled_at = now() WHERE id::text = $1", [expected[3]])
            let live = try await world.book(token, "14:30", 50).json()
            expected.append(try #require(live["registrations"]?.array?.first?["id"]?.string))
            var (found, cursor): ([String], String?) = ([], nil)
            repeat {
                let query = cursor.map { "&cursor=\($0)" } ?? ""
                let page = try await world.send("GET", "/v1/registrations?limit=1\(query)", token: token)
                    .json()
                found += (page["registrations"]?.array ?? []).compactMap { $0["id"]?.string }
                cursor = page["nextCursor"]?.string
            } while cursor != nil && found.count < 10
            #expect(found == expected)
        }
    }

    @Test(
        "the key of a slot is never shown: not in lists, rooms, notifications or calendars"
    )
    func hidesKeys() async throws {
        try await RESTWorld.withLengths { world in
            let (ann, bea) = (try await world.signUp("Ann"), try await world.signUp("Bea"))
            var ids: [Identifier] = []
            for token in [ann, bea] {
                let made = try await world.book(token, "12:30", 50)
                #expect(!made.text.contains("."), "\(made.text)")
                let id = try made.json()["registrations"]?.array?.first?["id"]?.string
                ids.append(try #require(id.flatMap { Identifier($0) }))
            }
            let room = try await world.open(ids, at: "2027-03-01T12:30:00.000050Z")
            try await world.pool.query(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                SELECT user_id, 'room.opened', $1, id, $2, 1 FROM registrations
                """, [world.clock.now, room])
            let made = try await world.send("POST", "/v1/me/calendars", token: ann).json()
            let address = try #require(made["url"]?.string?.split(separator: "/").last)
            for path in [
                "/v1/slots?date=2027-03-01&minutes=50", "/v1/registrations", "/v1/registrations/\(ids[0])",
                "/v1/rooms", "/v1/rooms/\(room)", "/v1/rooms/\(room)/explanation", "/v1/notifications",
                "/v1/me/export",
            ] {
                let text = try await world.send("GET", path, token: ann).text
                #expect(!text.contains("00.000050"), "\(path): \(text)")
                #expect(
                    path.hasSuffix("explanation") || text.contains("2027-03-01T12:30:00Z"), "\(path): \(text)"
                )
            }
            let calendar = try await world.send("GET", "/calendars/\(address)").text
            #expect(calendar.contains("DTSTART:20270301T123000Z\r\nDTEND:20270301T132000Z"), "\(calendar)")
            let opened = try await world.send("GET", "/v1/rooms/\(room)", token: ann).json()
            #expect(opened["opensAt"]?.string == "2027-03-01T12:29:00Z")
            #expect(opened["closesAt"]?.string == "2027-03-01T13:20:00Z")
        }
    }

    @Test("a slot can be had until late, or its own end; its registration counts as open until then")
    func late() async throws {
        try await RESTWorld.withLengths(
            configure: { configuration in
                configuration.slotLengths = [5, 50]
                configuration.lateSeconds = 300
                configuration.leadSeconds = 60
                configuration.accountRegistrations = 1
            },
            { world in
                let (ann, bea) = (try await world.signUp("Ann"), try await world.signUp("Bea"))
                world.clock.now = RESTWorld.noon.adding(.seconds(300))
                #expect(try await world.book(ann, "12:00", 5).json()["type"]?.string == "/problems/too-late")
                #expect(try await world.book(ann, "12:00", 50).status == 201)
                #expect(try await world.book(bea, "12:05", 5).status == 201)
                world.clock.now = RESTWorld.noon.adding(.seconds(601))
                #expect(try await world.book(bea, "12:15", 5).status == 201)
                #expect(try await world.book(ann, "13:00", 5).status == 429)
                world.clock.now = RESTWorld.noon.adding(.seconds(3001))
                #expect(try await world.book(ann, "13:00", 5).status == 201)
            })
    }

    @Test("a length that is that of SLOT_SECONDS has today's keys")
    func usual() async throws {
        try await RESTWorld.withLengths(
            configure: { $0.slotLengths = [30, 60] },
            { world in
                let token = try await world.signUp()
                #expect(try await world.book(token, "12:35", 30).status == 201)
                #expect(try await world.book(token, "13:05", 60).status == 201)
                #expect(try await world.book(token, "13:30", 30).status == 409)
                let keys = try await world.pool.query("SELECT starts_at FROM slots ORDER BY starts_at")
                #expect(try keys[0].decode(0, Timestamp.self) == RESTWorld.noon.adding(.seconds(35 * 60)))
                #expect(SlotKey(try keys[1].decode(0, Timestamp.self)).minutes == 60)
                #expect(try await world.lengthSlot("12:35", 30, token)["state"]?.string == "registered")
            })
    }

    @Test("a routine registers the first length, on the grid of all, and not over another session")
    func routines() async throws {
        try await RESTWorld.withLengths { world in
            let token = try await world.signUp()
            #expect(try await world.book(token, "12:50", 25).status == 201)
            let body = #"{"task":"t","rrule":"FREQ=DAILY;COUNT=2","localTime":"13:05"}"#
            let made = try await world.send("POST", "/v1/routines", token: token, body: body)
            #expect(made.status == 201, "\(made.text)")
            let days = try made.json()["next"]?.array ?? []
            #expect(days.map { $0["state"]?.string } == ["conflict", "registered"])
            #expect(days.map { $0["startsAt"]?.string } == ["2027-03-01T13:05:00Z", "2027-03-02T13:05:00Z"])
            let list = try await world.send(
                "GET", "/v1/registrations?from=2027-03-02T00:00:00Z", token: token)
            let slot = try list.json()["registrations"]?.array?.first?["slot"]
            #expect(slot?["startsAt"]?.string == "2027-03-02T13:05:00Z")
            #expect(slot?["endsAt"]?.string == "2027-03-02T13:30:00Z")
            #expect(try await world.book(token, "13:07", 25).status == 422)
            let off = #"{"task":"t","rrule":"FREQ=DAILY","localTime":"13:07"}"#
            let refused = try await world.send("POST", "/v1/routines", token: token, body: off)
            #expect(refused.status == 422 && refused.pointers == ["/localTime"])
        }
    }

    @Test("without the setting there is no member minutes, no length in the list, and no span")
    func unset() async throws {
        try await RESTWorld.withAccount { world, token in
            let refused = try await world.book(token, "12:30", 30)
            #expect(refused.status == 422)
            let error = try refused.json()["errors"]?.array?.first
            #expect(error?["pointer"]?.string == "/minutes")
            #expect(
                error?["detail"]?.string
                    == "There is no member minutes here; there is task, tag, slots, localSlots, timeZone, "
                    + "invite, with, quiet.")
            let forged = #"{"task":"t","slots":["2027-03-01T12:30:00.000025Z"]}"#
            #expect(
                try await world.send("POST", "/v1/registrations", token: token, body: forged).status == 422)
            #expect(try await world.book(token, "12:30", nil).status == 201)
            let list = try await world.send("GET", "/v1/slots?minutes=7", token: token)
            #expect(list.status == 200 && !list.text.contains("minutes") && !list.text.contains("lengths"))
            #expect(try await world.count("registration_spans") == 0)
        }
    }
}

extension RESTWorld {
    /// Lends a world with slots of 25 and 50 minutes, each five minutes.
    static func withLengths(
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (RESTWorld) async throws -> Void
    ) async throws {
        try await with(
            configure: { configuration in
                configuration.slotLengths = [25, 50]
                configuration.slotGridMinutes = 5
                configure(&configuration)
            }, body)
    }

    /// Registers for a slot of the day; without `minutes`, for one of the usual length.
    func book(_ token: String, _ time: String, _ minutes: Int?) async throws -> RawHTTP.Response {
        let length = minutes.map { #","minutes":\#($0)"# } ?? ""
        return try await send(
            "POST", "/v1/registrations", token: token,
            body: #"{"task":"Write","slots":["2027-03-01T\#(time):00Z"]\#(length)}"#)
    }

    func lengthSlot(_ time: String, _ minutes: Int, _ token: String) async throws -> JSONValue {
        let path = "/v1/slots?date=2027-03-01&timeZone=UTC&minutes=\(minutes)"
        let list = try await send("GET", path, token: token).json()
        return try #require(
            list["slots"]?.array?.first { $0["startsAt"]?.string == "2027-03-01T\(time):00Z" })
    }

    /// Returns a request for a slot of so many minutes that starts that many seconds from now.
    func timed(_ user: Identifier, _ seconds: Int, _ minutes: Int) -> RegistrationRequest {
        var random = SystemRandomNumberGenerator()
        let key = application.rules.key(startsAt: clock.now.adding(.seconds(seconds)), minutes: minutes)
        return RegistrationRequest(
            user: user, task: "Write", createdAt: clock.now,
            slots: [
                RequestedSlot(
                    id: .v7(at: clock.now, using: &random), startsAt: key,
                    endsAt: application.rules.endsAt(key))
            ])
    }

    func keep(
        _ requests: [RegistrationRequest], _ spans: RegistrationSpans?
    ) async throws -> [RegistrationWriter.Decision] {
        try await pool.transaction { try await RegistrationWriter.write(requests, nil, nil, spans, on: $0) }.0
    }
}
