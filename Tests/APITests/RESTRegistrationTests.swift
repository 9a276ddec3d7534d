import Contract
import Postgres
import Reactor
import Scheduling
import TestKit
import Testing

@testable import BackendTesting

@Suite struct RESTRegistrationTests {
    @Test("one slot is answered with its registration and a Location that works")
    func one() async throws {
        try await RESTWorld.withAccount { world, token in
            let response = try await world.send(
                "POST", "/v1/registrations", token: token,
                body: #"{"task":" Write ","tag":"book","slots":["2027-03-02T10:00:00+01:00"]}"#)
            #expect(response.status == 201)
            let made = try #require(try response.json()["registrations"]?.array?.first)
            #expect(made["slot"]?["startsAt"]?.string == "2027-03-02T09:00:00Z")
            #expect(made["slot"]?["endsAt"]?.string == "2027-03-02T09:30:00Z")
            #expect(made["task"]?.string == "Write")
            #expect(made["state"]?.string == "registered")
            #expect(made["roomId"] == .null)
            let location = try #require(response.headers["location"])
            #expect(try await world.send("GET", location, token: token).json() == made)
            let startsAt = try #require(Timestamp("2027-03-02T09:00:00Z"))
            #expect(world.changeEvents.withLock { $0 } == [.slot(startsAt)])
        }
    }

    @Test("a slot that is closed, by a clock that is ahead of this one, is too late")
    func closed() async throws {
        try await RESTWorld.with { world in
            let slots = #"{"task":"Write","slots":["2027-03-02T09:30:00Z","2027-03-02T09:00:00Z"]}"#
            let first = try await world.signUp()
            #expect(
                try await world.send("POST", "/v1/registrations", token: first, body: slots).status == 201)
            try await world.pool.query(
                "UPDATE slots SET closed_at = now() WHERE starts_at = '2027-03-02T09:00:00Z'")
            let response = try await world.send(
                "POST", "/v1/registrations", token: try await world.signUp(), body: slots)
            #expect(response.status == 409)
            #expect(try response.json()["type"]?.string == "/problems/too-late")
            let pointers = try response.json()["errors"]?.array?.map { $0["pointer"]?.string }
            #expect(pointers == ["/slots/1"])
        }
    }

    @Test("several slots come back in the order asked for, without a Location")
    func several() async throws {
        try await RESTWorld.withAccount { world, token in
            let slots = ["2027-03-03T10:00:00Z", "2027-03-02T10:00:00Z", "2027-03-04T10:00:00Z"]
            let response = try await world.book(token, slots)
            let starts = try response.json()["registrations"]?.array?.map { $0["slot"]?["startsAt"]?.string }
            #expect(starts == slots)
            #expect(response.headers["location"] == nil)
        }
    }

    @Test(
        "a slot that is none, or too far, or there twice is a 422 with its place; one that is over a 409",
        arguments: [
            (#"["2027-03-02T10:00:00Z","2027-03-02T10:10:00Z"]"#, 422, "invalid", "/slots/1"),
            (#"["2027-03-02T10:00:00.5Z"]"#, 422, "invalid", "/slots/0"),
            (#"["2027-03-02T10:00:00Z","2027-03-02T11:00:00+01:00"]"#, 422, "invalid", "/slots/1"),
            (#"["2027-04-30T12:30:00Z"]"#, 422, "invalid", "/slots/0"),
            (#"["9999-12-31T23:30:00Z"]"#, 422, "invalid", "/slots/0"),
            (#"["1970-01-01T00:00:00Z"]"#, 409, "too-late", "/slots/0"),
            (#"["0000-01-01T00:00:00Z"]"#, 409, "too-late", "/slots/0"),
            (#"["2027-03-01T11:30:00Z"]"#, 409, "too-late", "/slots/0"),
            // Invalid slots are reported before late ones.
            (#"["1970-01-01T00:00:00Z","2027-03-02T10:10:00Z"]"#, 422, "invalid", "/slots/1"),
            (#"["2027-02-30T10:00:00Z"]"#, 422, "invalid", "/slots/0"),
            (#"["2027-03-02T10:00:00"]"#, 422, "invalid", "/slots/0"), (#"[]"#, 422, "invalid", "/slots"),
        ])
    func wrong(_ slots: String, status: Int, problem: String, pointer: String) async throws {
        try await RESTWorld.withAccount { world, token in
            let response = try await world.send(
                "POST", "/v1/registrations", token: token, body: #"{"task":"W","slots":\#(slots)}"#)
            #expect(response.status == status)
            #expect(response.problem == problem)
            #expect(response.pointers == [pointer])
            #expect(try await world.count("registrations") == 0)
        }
    }

    @Test("the last slot that can be had is 60 days ahead, and the earliest began five minutes ago")
    func bounds() async throws {
        try await RESTWorld.with(at: RESTWorld.noon.adding(.seconds(300))) { world in
            let token = try await world.signUp()
            _ = try await world.register(token, "2027-03-01T12:00:00Z")
            _ = try await world.register(token, "2027-04-30T12:00:00Z")
        }
    }

    @Test("49 slots are too many")
    func tooMany() async throws {
        try await RESTWorld.withAccount { world, token in
            let noon = RESTWorld.noon
            for (count, status) in [(48, 201), (49, 422)] {
                let slots = (1...count).map { "\(noon.adding(.seconds(1800 * ($0 + count * 2))))" }
                let response = try await world.book(token, slots)
                #expect(response.status == status)
            }
        }
    }

    @Test("with one of the slots taken, none is stored")
    func allOrNone() async throws {
        try await RESTWorld.withAccount { world, token in
            _ = try await world.register(token, "2027-03-02T10:00:00Z")
            let response = try await world.book(token, ["2027-03-02T09:00:00Z", "2027-03-02T10:00:00Z"])
            #expect(response.status == 409)
            #expect(response.problem == "already-registered")
            #expect(response.pointers == ["/slots/1"])
            #expect(try await world.count("registrations") == 1)
        }
    }

    @Test("of two requests for the same slot at once one is answered 201 and one 409")
    func race() async throws {
        try await RESTWorld.withAccount { world, token in
            let statuses = try await concurrently(0..<8) { _ in
                try await world.book(token, ["2027-03-02T10:00:00Z"]).status
            }
            #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 7))
        }
    }

    @Test("a cancelled slot can be had again")
    func again() async throws {
        try await RESTWorld.withAccount { world, token in
            let first = try await world.register(token, "2027-03-02T10:00:00Z")
            try await world.pool.query("UPDATE registrations SET cancelled_at = now()")
            let second = try await world.register(token, "2027-03-02T10:00:00Z")
            let list = try await world.send("GET", "/v1/registrations", token: token).json()
            let ids = list["registrations"]?.array?.compactMap { $0["id"]?.string }
            #expect(Set(ids ?? []) == [first.description, second.description])
            let states = list["registrations"]?.array?.compactMap { $0["state"]?.string }
            #expect(Set(states ?? []) == ["cancelled", "registered"])
        }
    }

    @Test("task and tag change until the room opens; null clears the tag")
    func patch() async throws {
        try await RESTWorld.withAccount { world, token in
            let slot = "2027-03-01T12:30:00Z"
            let id = try await world.register(token, slot)
            let path = "/v1/registrations/\(id)"
            let tagged = try await world.send("PATCH", path, token: token, body: #"{"tag":"x"}"#).json()
            #expect(tagged["tag"]?.string == "x")
            #expect(tagged["task"]?.string == "Write")
            let kept = try await world.send("PATCH", path, token: token, body: #"{"task":"Read"}"#).json()
            #expect(kept["tag"]?.string == "x")
            #expect(kept["task"]?.string == "Read")
            let cleared = try await world.send("PATCH", path, token: token, body: #"{"tag":null}"#).json()
            #expect(cleared["tag"] == .null)
            let nothing = try await world.send("PATCH", path, token: token, body: #"{"task":null}"#)
            #expect(nothing.pointers == ["/task"])
            world.clock.now = try #require(Timestamp("2027-03-01T12:29:00Z"))
            let late = try await world.send("PATCH", path, token: token, body: #"{"task":"Run"}"#)
            #expect(late.status == 409)
            #expect(late.problem == "conflict")
            #expect(try await world.send("GET", path, token: token).json()["task"]?.string == "Read")
        }
    }

    @Test("a registration that is in a room, or cancelled, keeps its task")
    func unchangeable() async throws {
        try await RESTWorld.withAccount { world, token in
            let slot = "2027-03-02T10:00:00Z"
            let id = try await world.register(token, slot)
            let room = try await world.open([id], at: slot)
            let path = "/v1/registrations/\(id)"
            let matched = try await world.send("GET", path, token: token).json()
            #expect(matched["state"]?.string == "matched")
            #expect(matched["roomId"]?.string == room.description)
            #expect(
                try await world.send("PATCH", path, token: token, body: #"{"task":"R"}"#).status == 409)
            let other = try await world.register(token, "2027-03-03T10:00:00Z")
            try await world.pool.query(
                "UPDATE registrations SET cancelled_at = now() WHERE id = $1", [other])
            try await world.send(
                "PATCH", "/v1/registrations/\(other)", token: token, body: #"{"task":"R"}"#, expecting: 409)
        }
    }

    @Test("another person's registration, and a text that is no id, are not found")
    func notFound() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let id = try await world.register(ann, "2027-03-02T10:00:00Z")
            for path in ["\(id)", "x", "00000000-0000-0000-0000-000000000000"] {
                let read = try await world.send("GET", "/v1/registrations/\(path)", token: bea)
                #expect(read.problem == "not-found")
                let change = try await world.send(
                    "PATCH", "/v1/registrations/\(path)", token: bea, body: #"{"task":"R"}"#)
                #expect(change.problem == "not-found")
            }
            let upper = "\(id)".uppercased()
            #expect(try await world.send("GET", "/v1/registrations/\(upper)", token: ann).status == 200)
        }
    }

    @Test("pages follow each other without a gap, in the order of the slots")
    func pages() async throws {
        try await RESTWorld.withAccount { world, token in
            for hour in [14, 9, 11, 10, 13] {
                _ = try await world.register(token, "2027-03-02T\(hour < 10 ? "0" : "")\(hour):00:00Z")
            }
            var starts: [String] = []
            var cursor: String?
            repeat {
                let query = "limit=2" + (cursor.map { "&cursor=\($0)" } ?? "")
                let page = try await world.send("GET", "/v1/registrations?\(query)", token: token).json()
                let items = page["registrations"]?.array ?? []
                #expect(items.count == 2 || page["nextCursor"] == nil)
                starts += items.compactMap { $0["slot"]?["startsAt"]?.string }
                cursor = page["nextCursor"]?.string
            } while cursor != nil
            #expect(starts == ["09", "10", "11", "13", "14"].map { "2027-03-02T\($0):00:00Z" })
        }
    }

    @Test("a list can be narrowed to a time and to a state")
    func filters() async throws {
        try await RESTWorld.withAccount { world, token in
            for hour in 10...13 { _ = try await world.register(token, "2027-03-02T\(hour):00:00Z") }
            try await world.pool.query(
                "UPDATE registrations SET cancelled_at = now() WHERE starts_at = $1",
                [try #require(Timestamp("2027-03-02T12:00:00Z"))])
            func count(_ query: String) async throws -> Int? {
                let list = try await world.send("GET", "/v1/registrations?\(query)", token: token).json()
                return list["registrations"]?.array?.count
            }
            #expect(try await count("from=2027-03-02T11:00:00Z&to=2027-03-02T13:00:00Z") == 2)
            #expect(try await count("from=2027-03-02T12:00:00+01:00&to=2027-03-02T14:00:00%2B01:00") == 2)
            #expect(try await count("state=cancelled") == 1)
            #expect(try await count("state=registered&from=2027-03-02T12:00:00Z") == 1)
            #expect(try await count("state=matched") == 0)
        }
    }

    @Test("what became of a registration follows from what happened")
    func states() async throws {
        try await RESTWorld.with { world in
            let slot = "2027-03-01T12:30:00Z"
            let tokens = [
                try await world.signUp("A"), try await world.signUp("B"), try await world.signUp("C"),
            ]
            var ids: [Identifier] = []
            for token in tokens { ids.append(try await world.register(token, slot)) }
            _ = try await world.open(Array(ids[..<2]), at: slot)
            try await world.pool.query(
                "UPDATE members SET entered_at = $1 WHERE registration_id = $2", [world.clock.now, ids[0]])
            func states() async throws -> [String?] {
                var states: [String?] = []
                for (token, id) in zip(tokens, ids) {
                    states.append(
                        try await world.send("GET", "/v1/registrations/\(id)", token: token)
                            .json()["state"]?.string)
                }
                return states
            }
            #expect(try await states() == ["matched", "matched", "registered"])
            try await world.close(slot)
            #expect(try await states() == ["attended", "missed", "lapsed"])
            try await world.pool.query("UPDATE slots SET served_at = NULL")
            #expect(try await states() == ["attended", "lapsed", "lapsed"])
        }
    }
}
