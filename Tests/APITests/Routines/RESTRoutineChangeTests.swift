import Contract
import Settings
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("A routine that changes")
struct RESTRoutineChangeTests {
    @Test("leaves a day out, and takes that back; a registration that is cancelled counts the same")
    func skips() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, "FREQ=DAILY;COUNT=4", "15:00")
            let path = "/v1/routines/\(made.id)/skips"
            let skipped = try await world.send(
                "POST", path, token: token, body: #"{"date":"2027-03-02"}"#)
            #expect(skipped.status == 201 && skipped.headers["location"] == "\(path)/2027-03-02")
            #expect(
                try skipped.routine().next.map(\.state.known) == [
                    .registered, .skipped, .registered, .registered,
                ])
            let again = try await world.send("POST", path, token: token, body: #"{"date":"2027-03-02"}"#)
            #expect(try again.status == 201 && again.routine().exdates.map(\.description) == ["2027-03-02"])
            try await world.cancel(try #require(made.next[2].registrationId), token)
            #expect(try await world.registrations(token, "cancelled").count == 2)
            // Whatever happens, a day that is left out stays so.
            world.clock.now = RESTWorld.noon.adding(.seconds(7200))
            try await world.makeDue(made.id)
            #expect(try await world.worker().step() == .planned)
            let now = try await world.routine(made.id, token)
            #expect(now.next.map(\.state.known) == [.registered, .skipped, .skipped, .registered])
            #expect(now.exdates.count == 2)
            for day in ["2027-03-02", "2027-03-03"] {
                #expect(try await world.send("DELETE", "\(path)/\(day)", token: token).status == 204)
                #expect(try await world.send("DELETE", "\(path)/\(day)", token: token).status == 404)
            }
            let back = try await world.routine(made.id, token)
            #expect(back.next.allSatisfy { $0.state == .registered } && back.exdates.isEmpty)
            #expect(back.next[0].registrationId == made.next[0].registrationId)
            #expect(back.next[1].registrationId != made.next[1].registrationId)
        }
    }

    @Test(
        "leaves out only days that it has and that are to come",
        arguments: [
            ("{}", 422), (#"{"date":"soon"}"#, 422), (#"{"date":"2027-03-09"}"#, 422),
            (#"{"date":"2027-03-01"}"#, 422), (#"{"date":"2028-03-06"}"#, 422),
            (#"{"date":"2028-02-28"}"#, 201),
        ])
    func badSkips(_ body: String, status: Int) async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, "FREQ=WEEKLY", "09:00")
            let answer = try await world.send(
                "POST", "/v1/routines/\(made.id)/skips", token: token, body: body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(
                try await world.send("DELETE", "/v1/routines/\(made.id)/skips/x", token: token).status == 404)
        }
    }

    @Test("from a day on: what fits stays with the new task, what does not is made again")
    func changes() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, "FREQ=DAILY;COUNT=5", "15:00")
            let ids = made.next.map(\.registrationId)
            let renamed = try await world.change(
                made.id, token, #"{"task":"Edit","tag":"x","from":"2027-03-03"}"#)
            #expect(renamed.next.map(\.registrationId) == ids)
            let tasks = try await world.registrations(token).map(\.task)
            #expect(tasks == ["Write", "Write", "Edit", "Edit", "Edit"])
            let moved = try await world.change(
                made.id, token, #"{"localTime":"16:00","from":"2027-03-04","tag":null}"#)
            #expect(
                moved.next.map(\.startsAt.description) == [
                    "2027-03-01T15:00:00Z", "2027-03-02T15:00:00Z", "2027-03-03T15:00:00Z",
                    "2027-03-04T16:00:00Z", "2027-03-05T16:00:00Z",
                ])
            #expect(moved.next.allSatisfy { $0.state == .registered } && moved.tag == nil)
            #expect(Array(moved.next.map(\.registrationId).prefix(3)) == Array(ids.prefix(3)))
            #expect(try await world.registrations(token, "cancelled").count == 2)
            // Another rule counts from the start. Days that it shares with the old one keep their
            // registrations.
            let ruled = try await world.change(
                made.id, token, #"{"rrule":"FREQ=DAILY;INTERVAL=2;COUNT=3","from":"2027-03-04"}"#)
            #expect(
                ruled.next.map(\.date.description) == [
                    "2027-03-01", "2027-03-02", "2027-03-03", "2027-03-04", "2027-03-06", "2027-03-08",
                ])
            #expect(ruled.next[3].registrationId == moved.next[3].registrationId)
            #expect(try await world.registrations(token, "registered").count == 6)
            let none = try await world.change(made.id, token, "{}")
            #expect(none.next == ruled.next)
        }
    }

    @Test(
        "keeps its phase and its registrations while FREQ and INTERVAL stay, whatever the day of the change",
        arguments: [
            // The routine begins on Monday, 1 March; 10 March is in an off week.
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=3", "15 29 43"),
            ("FREQ=WEEKLY;INTERVAL=2", "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270412", "15 29 43"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=3", "15 18 29"),
            ("FREQ=WEEKLY;INTERVAL=2", "FREQ=WEEKLY;INTERVAL=2;COUNT=3", "15 29 43"),
            ("FREQ=WEEKLY", "FREQ=WEEKLY;COUNT=2", "15 22"),
            ("FREQ=DAILY;INTERVAL=4", "FREQ=DAILY;INTERVAL=4;COUNT=3", "13 17 21"),
            ("FREQ=DAILY;INTERVAL=4", "FREQ=DAILY;INTERVAL=4;BYDAY=TU,SU,WE;COUNT=3", "17 21 37"),
        ])
    func phase(_ old: String, _ new: String, days: String) async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, old, "15:00")
            let before = try await world.registrations(token)
            world.clock.now = RESTWorld.noon.adding(.seconds(9 * 86_400))
            let changed = try await world.change(made.id, token, #"{"rrule":"\#(new)"}"#)
            let last = try #require(LocalDate("2027-02-28"))
            let expected = try days.split(separator: " ").map { last.adding(days: try #require(Int($0))) }
            let ahead = changed.next.filter { $0.date > LocalDate(utc: world.clock.now) }
            #expect(ahead.map(\.date) == expected)
            for occurrence in ahead {
                let known = before.first { $0.slot.startsAt == occurrence.startsAt }
                #expect(occurrence.state == .registered)
                if let known { #expect(occurrence.registrationId == known.id) }
            }
        }
    }

    @Test(
        "is refused what makes no sense, and stays as it is",
        arguments: [
            (#"{"from":"2027-02-28"}"#, "/from"), (#"{"from":"2027-05-02","task":"x"}"#, "/from"),
            (#"{"localTime":"15:10"}"#, "/localTime"), (#"{"timeZone":"Mars/Crater"}"#, "/timeZone"),
            (#"{"rrule":"FREQ=DAILY;UNTIL=20270101"}"#, "/rrule"), (#"{"paused":1}"#, "/paused"),
            (#"{"rrule":"FREQ=MONTHLY"}"#, "/rrule"), (#"{"exdates":[]}"#, "/exdates"),
        ])
    func badChanges(_ body: String, pointer: String) async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, "FREQ=DAILY;COUNT=2", "15:00")
            let refused = try await world.send("PATCH", "/v1/routines/\(made.id)", token: token, body: body)
            #expect(refused.status == 422 && refused.pointers == [pointer], "\(refused.text)")
            #expect(try await world.routine(made.id, token) == made)
        }
    }

    @Test("is changed only as If-Match says, and answers briefly where that is preferred")
    func conditions() async throws {
        try await RESTWorld.withAccount { world, token in
            let path = "/v1/routines/\(try await world.make(token, "FREQ=DAILY;COUNT=2", "15:00").id)"
            let tag = try #require(try await world.send("GET", path, token: token).headers["etag"])
            try await world.send(
                "GET", path, token: token, headers: ["If-None-Match: \(tag)"], expecting: 304)
            let changed = try await world.send(
                "PATCH", path, token: token, body: #"{"task":"a"}"#,
                headers: ["If-Match: \(tag)", "Prefer: return=minimal"])
            #expect(changed.status == 204 && changed.body.isEmpty && changed.headers["etag"] != nil)
            try await world.send(
                "PATCH", path, token: token, body: #"{"task":"b"}"#, headers: ["If-Match: \(tag)"],
                expecting: 412)
            #expect(try await world.send("GET", path, token: token).routine().task == "a")
        }
    }

    @Test("registers nothing while it is paused, and goes on from then")
    func pause() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, "FREQ=DAILY", "15:00")
            let skip = #"{"date":"2027-03-05"}"#
            #expect(
                try await world.send("POST", "/v1/routines/\(made.id)/skips", token: token, body: skip).status
                    == 201)
            let paused = try await world.change(made.id, token, #"{"paused":true}"#)
            #expect(paused.state == .paused && paused.next.count == 10)
            #expect(
                paused.next.map(\.state.known).filter { $0 == .planned }.count == 9
                    && paused.next[4].state == .skipped)
            #expect(try await world.registrations(token, "registered").isEmpty)
            world.clock.now = RESTWorld.noon.adding(.seconds(2 * 86_400))
            #expect(try await world.worker().step() == .nothingIsDue)
            let active = try await world.change(made.id, token, #"{"paused":false}"#)
            #expect(active.state == .active && active.problems.isEmpty)
            #expect(active.next.map(\.state.known).filter { $0 == .registered }.count == 9)
            #expect(try await world.registrations(token, "registered").count == 59)
        }
    }

    @Test("takes back after a pause what the pause cancelled, and makes nothing new")
    func takenBack() async throws {
        let perDay = { (configuration: inout ServerConfiguration) in
            configuration.accountRegistrationsPerDay = 60
        }
        try await RESTWorld.with(configure: perDay) { world in
            let token = try await world.signUp()
            let made = try await world.make(token, "FREQ=DAILY", "15:00")
            let ids = try await world.registrations(token).map(\.id)
            #expect(ids.count == 60)
            for _ in 0..<3 {
                let paused = try await world.change(made.id, token, #"{"paused":true}"#)
                #expect(
                    paused.next.allSatisfy {
                        $0.state == .planned && $0.registrationId == nil
                    })
                #expect(try await world.registrations(token, "cancelled").count == 60)
                world.clock.now = world.clock.now.adding(.seconds(60))
                let active = try await world.change(made.id, token, #"{"paused":false,"task":"Edit"}"#)
                #expect(active.next.map(\.registrationId) == made.next.map(\.registrationId))
                #expect(active.next.allSatisfy { $0.state == .registered })
            }
            let registrations = try await world.registrations(token)
            #expect(registrations.map(\.id) == ids)
            #expect(registrations.allSatisfy { $0.state == .registered && $0.task == "Edit" })
            #expect(registrations.allSatisfy { $0.routineId == made.id && $0.updatedAt == world.clock.now })
            let others = try await world.send("GET", "/v1/slots?date=2027-03-02", token: token)
            let slots = try JSON.decode(SlotList.self, from: others.body).slots
            #expect(slots.filter { $0.state == .registered }.count == 1)
            #expect(slots.allSatisfy { $0.others == 0 })
        }
    }

    @Test("makes its days new after a pause that changed its time, or outlasted its registrations")
    func notTakenBack() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, "FREQ=DAILY;COUNT=5", "15:00")
            _ = try await world.change(made.id, token, #"{"paused":true}"#)
            _ = try await world.change(made.id, token, #"{"localTime":"16:00"}"#)
            let moved = try await world.change(made.id, token, #"{"paused":false}"#)
            #expect(moved.next.allSatisfy { $0.state == .registered })
            #expect(Set(moved.next.map(\.registrationId)).isDisjoint(with: made.next.map(\.registrationId)))
            _ = try await world.change(made.id, token, #"{"paused":true}"#)
            world.clock.now = RESTWorld.noon.adding(.seconds(86_400))
            let cancelled = CancelledRegistrations(
                pool: world.pool, quiet: Quiet(world.application.configuration), now: world.application.now)
            #expect(try await cancelled.tidy(everything: true).count == 10)
            let active = try await world.change(made.id, token, #"{"paused":false}"#)
            #expect(active.next.count == 4 && active.next.allSatisfy { $0.state == .registered })
            #expect(active.exdates.isEmpty)
            #expect(Set(active.next.map(\.registrationId)).isDisjoint(with: moved.next.map(\.registrationId)))
            #expect(try await world.registrations(token).count == 4)
        }
    }

    @Test("goes on as it is now after a pause, also before the day of its last change")
    func pausedChange() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, "FREQ=DAILY", "15:00")
            let changed = try await world.change(
                made.id, token, #"{"localTime":"16:00","from":"2027-03-03"}"#)
            #expect(changed.next[1].startsAt.description == "2027-03-02T15:00:00Z")
            _ = try await world.change(made.id, token, #"{"paused":true}"#)
            #expect(try await world.registrations(token, "registered").isEmpty)
            let active = try await world.change(made.id, token, #"{"paused":false}"#)
            #expect(
                active.next.prefix(3).map { "\($0.startsAt) \($0.state)" } == [
                    "2027-03-01T16:00:00Z registered", "2027-03-02T16:00:00Z registered",
                    "2027-03-03T16:00:00Z registered",
                ])
        }
    }

    @Test("ends, and its registrations with it or not; one whose room is about to open stays")
    func end() async throws {
        try await RESTWorld.withAccount { world, token in
            let kept = try await world.make(token, "FREQ=DAILY;COUNT=3", "15:00")
            let path = "/v1/routines/\(kept.id)"
            try await world.send("DELETE", "\(path)?registrations=all", token: token, expecting: 400)
            #expect(try await world.send("DELETE", "\(path)?registrations=keep", token: token).status == 204)
            #expect(try await world.send("DELETE", path, token: token).status == 404)
            let registrations = try await world.registrations(token, "registered")
            #expect(registrations.count == 3 && registrations.allSatisfy { $0.routineId == nil })
            let ended = try await world.make(token, "FREQ=DAILY;COUNT=3", "16:00")
            // The room opens a minute before 16:00.
            world.clock.now = try #require(Timestamp("2027-03-01T15:58:40Z"))
            let body = #"{"date":"2027-03-01"}"#
            let late = try await world.send(
                "POST", "/v1/routines/\(ended.id)/skips", token: token, body: body)
            #expect(late.status == 409 && late.text.contains("/v1/registrations/"), "\(late.text)")
            #expect(try await world.send("DELETE", "/v1/routines/\(ended.id)", token: token).status == 204)
            #expect(try await world.registrations(token, "registered").count == 4)
        }
    }
}
