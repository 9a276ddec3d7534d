import Contract
import Settings
import Testing

@testable import BackendTesting
@testable import Database

@Suite("A routine")
struct RESTRoutineTests {
    @Test(
        "of which something is wrong is refused, and names the place",
        arguments: [
            ("", 400, [], ""), ("[]", 422, [""], ""),
            ("{}", 422, ["/task", "/rrule", "/localTime"], ""),
            (#"{"task":"t","rrule":"FREQ=DAILY;BYMONTH=1","localTime":"09:00"}"#, 422, ["/rrule"], "BYMONTH"),
            (#"{"task":"t","rrule":"FREQ=HOURLY","localTime":"09:00"}"#, 422, ["/rrule"], "FREQ=HOURLY"),
            (#"{"task":"t","rrule":"FREQ=DAILY","localTime":"9"}"#, 422, ["/localTime"], ""),
            (
                #"{"task":"t","rrule":"FREQ=DAILY","localTime":"09:10"}"#, 422, ["/localTime"],
                "No slot starts"
            ),
            (
                #"{"task":"t","rrule":"FREQ=DAILY","localTime":"09:00","timeZone":"Asia/Kathmandu"}"#, 422,
                ["/localTime"], "03:15"
            ),
            (
                #"{"task":"t","rrule":"FREQ=DAILY","localTime":"09:00","timeZone":"Mars/Crater"}"#, 422,
                ["/timeZone"], ""
            ),
            (
                #"{"task":"t","rrule":"FREQ=DAILY;UNTIL=20270301","localTime":"12:00"}"#, 422, ["/rrule"],
                "no day"
            ),
            (
                #"{"task":"t","rrule":"FREQ=DAILY;INTERVAL=7;BYDAY=TU","localTime":"12:00"}"#, 422,
                ["/rrule"], "no day"
            ),
            (
                #"{"task":"t","rrule":"FREQ=DAILY","localTime":"09:00","startDate":"2028-03-03"}"#, 422,
                ["/startDate"], ""
            ),
            (
                #"{"task":"t","rrule":"FREQ=DAILY","localTime":"09:00","exdates":["x"]}"#, 422,
                ["/exdates/0"], ""
            ),
        ])
    func badBodies(_ body: String, status: Int, pointers: [String], text: String) async throws {
        try await RESTWorld.withAccount { world, token in
            let refused = try await world.send("POST", "/v1/routines", token: token, body: body)
            #expect(refused.status == status && refused.pointers == pointers, "\(refused.text)")
            #expect(text.isEmpty || refused.text.contains(text), "\(refused.text)")
            #expect(try await world.registrations(token).isEmpty)
        }
    }

    @Test("is registered as far ahead as one may, on the clocks of its zone, and shows what follows")
    func making() async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp(timeZone: "Europe/Berlin")
            let answer = try await world.send(
                "POST", "/v1/routines", token: token,
                body: #"""
                    {"task":" Write ","tag":"book","rrule":"byday=we,mo;freq=weekly","localTime":"09:00",
                    "exdates":["2027-03-10"]}
                    """#)
            #expect(answer.status == 201, "\(answer.text)")
            let routine = try answer.routine()
            #expect(answer.headers["location"] == "/v1/routines/\(routine.id)")
            #expect(routine.task == "Write" && routine.tag == "book")
            #expect(routine.rrule.description == "FREQ=WEEKLY;BYDAY=MO,WE")
            #expect(routine.timeZone == "Europe/Berlin" && routine.startDate.description == "2027-03-01")
            #expect(routine.state == .active && routine.problems.isEmpty)
            // The clocks go forward on 2027-03-28.
            #expect(
                routine.next.map { "\($0.date) \($0.startsAt) \($0.state.rawValue)" } == [
                    "2027-03-03 2027-03-03T08:00:00Z registered",
                    "2027-03-08 2027-03-08T08:00:00Z registered", "2027-03-10 2027-03-10T08:00:00Z skipped",
                    "2027-03-15 2027-03-15T08:00:00Z registered",
                    "2027-03-17 2027-03-17T08:00:00Z registered",
                    "2027-03-22 2027-03-22T08:00:00Z registered",
                    "2027-03-24 2027-03-24T08:00:00Z registered",
                    "2027-03-29 2027-03-29T07:00:00Z registered",
                    "2027-03-31 2027-03-31T07:00:00Z registered",
                    "2027-04-05 2027-04-05T07:00:00Z registered",
                ])
            #expect(routine.exdates.map(\.description) == ["2027-03-10"])
            // Eight Mondays and nine Wednesdays are within 60 days, and one is left out.
            let registrations = try await world.registrations(token)
            #expect(registrations.count == 16)
            #expect(
                registrations.allSatisfy {
                    $0.routineId == routine.id && $0.task == "Write" && $0.tag == "book"
                })
            #expect(registrations.map(\.id).contains(try #require(routine.next[0].registrationId)))
            let read = try await world.send("GET", "/v1/routines/\(routine.id)", token: token)
            #expect(try read.routine() == routine)
            let one = try await world.send("GET", "/v1/registrations/\(registrations[0].id)", token: token)
            #expect(try one.json()["routineId"]?.string == routine.id.description)
        }
    }

    @Test("meets a gap and an overlap of the clocks as RFC 5545 says, and skips no day")
    func clocks() async throws {
        let march = try #require(Timestamp("2027-03-26T12:00:00Z"))
        try await RESTWorld.with(at: march) { world in
            let token = try await world.signUp()
            let gap = try await world.make(
                token, "FREQ=DAILY", "02:30", more: #","timeZone":"Europe/Berlin""#)
            #expect(
                gap.next.prefix(3).map { "\($0.startsAt) \($0.adjusted?.rawValue ?? "")" } == [
                    "2027-03-27T01:30:00Z ", "2027-03-28T01:30:00Z gap", "2027-03-29T00:30:00Z ",
                ])
            let adjusted = try await world.registrations(token).filter { $0.adjusted != nil }
            #expect(adjusted.map(\.id) == [try #require(gap.next[1].registrationId)])
            // Lord Howe's clocks go back by half an hour on 2027-04-04, at two o'clock.
            let overlap = try await world.make(
                token, "FREQ=DAILY;COUNT=1", "01:30",
                more: #","timeZone":"Australia/Lord_Howe","startDate":"2027-04-04""#)
            #expect(overlap.next.map(\.startsAt.description) == ["2027-04-03T14:30:00Z"])
            #expect(overlap.next.map(\.adjusted?.known) == [.overlap])
        }
    }

    @Test("tells of a slot that is taken, and takes it once it is free")
    func conflict() async throws {
        try await RESTWorld.withAccount { world, token in
            let own = try await world.register(token, "2027-03-03T09:00:00Z", task: "Mine")
            let routine = try await world.make(
                token, "FREQ=DAILY;COUNT=3", "09:00", more: start("2027-03-02"))
            #expect(routine.next.map(\.state.known) == [.registered, .conflict, .registered])
            #expect(routine.problems.map(\.date.description) == ["2027-03-03"])
            #expect(routine.problems[0].detail?.contains("another registration") == true)
            let worker = world.worker()
            #expect(try await worker.step() == .nothingIsDue)
            try await world.cancel(own, token)
            world.clock.now = RESTWorld.noon.adding(.seconds(3600))
            #expect(try await worker.step() == .planned)
            #expect(try await worker.step() == .nothingIsDue)
            let now = try await world.routine(routine.id, token)
            #expect(now.next.map(\.state.known) == [.registered, .registered, .registered])
            #expect(now.problems.isEmpty)
            #expect(try await world.registrations(token, "registered").count == 3)
        }
    }

    private static func four(_ configuration: inout ServerConfiguration) {
        configuration.accountRegistrations = 4
    }

    @Test("keeps to the limit of registrations, says so, and goes on when there is a place")
    func limit() async throws {
        try await RESTWorld.with(configure: Self.four) { world in
            let token = try await world.signUp()
            _ = try await world.register(token, "2027-03-20T09:00:00Z")
            let routine = try await world.make(token, "FREQ=DAILY", "09:00")
            #expect(
                routine.next.map(\.state.known) == Array(repeating: .registered, count: 3)
                    + Array(repeating: .limit, count: 7))
            #expect(routine.problems.count == 57)
            world.clock.now = RESTWorld.noon.adding(.seconds(86_400))
            #expect(try await world.worker().step() == .planned)
            let now = try await world.routine(routine.id, token)
            #expect(now.next.map(\.state.known).prefix(4) == [.registered, .registered, .registered, .limit])
        }
    }

    @Test("belongs to one account, of which it can have twenty, in pages")
    func accounts() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let first = try await world.make(ann, "FREQ=WEEKLY;COUNT=2", "09:00")
            for (method, path, body) in [
                ("GET", "", nil), ("PATCH", "", "{}"), ("DELETE", "", nil),
                ("POST", "/skips", #"{"date":"2027-03-08"}"#), ("DELETE", "/skips/2027-03-08", nil),
            ] as [(String, String, String?)] {
                let path = "/v1/routines/\(first.id)\(path)"
                #expect(try await world.send(method, path, token: bea, body: body).status == 404)
                #expect(try await world.send(method, path, body: body).status == 401)
            }
            for number in 1..<20 { _ = try await world.make(ann, "FREQ=WEEKLY", "\(number + 1):00".hour) }
            let refused = try await world.send(
                "POST", "/v1/routines", token: ann,
                body: #"{"task":"t","rrule":"FREQ=DAILY","localTime":"22:00"}"#)
            #expect(refused.status == 409 && refused.text.contains("limit-reached"))
            let page = try await world.send("GET", "/v1/routines?limit=15", token: ann)
            let list = try JSON.decode(RoutineList.self, from: page.body)
            #expect(list.routines.count == 15)
            #expect(page.headers["link"]?.contains("rel=\"next\"") == true)
            let cursor = try #require(list.nextCursor)
            let rest = try await world.send("GET", "/v1/routines?limit=15&cursor=\(cursor)", token: ann)
            let others = try JSON.decode(RoutineList.self, from: rest.body).routines
            let ids = Set((list.routines + others).map(\.id))
            #expect(ids.count == 20 && ids.contains(first.id))
            #expect(try await world.send("GET", "/v1/routines?cursor=x", token: ann).status == 400)
        }
    }

    @Test("is made once for an idempotency key, and answered alike")
    func key() async throws {
        try await RESTWorld.withAccount { world, token in
            let body = #"{"task":"t","rrule":"FREQ=DAILY;COUNT=2","localTime":"15:00"}"#
            let header = ["Idempotency-Key: \"one\""]
            let first = try await world.send(
                "POST", "/v1/routines", token: token, body: body, headers: header)
            let again = try await world.send(
                "POST", "/v1/routines", token: token, body: body, headers: header)
            #expect(first.status == 201 && again.status == 201 && first.body == again.body)
            #expect(again.headers["idempotent-replayed"] == "true")
            #expect(try await world.registrations(token).count == 2)
        }
    }
}

func start(_ date: String) -> String { #","startDate":"\#(date)""# }

extension String {
    /// The time with two digits for the hour.
    fileprivate var hour: String { count == 5 ? self : "0" + self }
}
