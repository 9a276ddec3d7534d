import Contract
import Postgres
import Reactor
import Scheduling
import TestKit
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("What is said about a session")
struct SessionWordsTests {
    private static let slot = "2027-03-01T12:30:00Z"

    /// Two people in a room of the slot, whose words are asked for at instants of it.
    private struct Pair: Sendable {
        let world: RESTWorld
        let ann: SocialPerson
        let bea: SocialPerson
        let ids: [Identifier]
        let room: Identifier

        static func with(_ body: @Sendable (Pair) async throws -> Void) async throws {
            try await RESTWorld.withTwoPeople { world, ann, bea in
                let ids = [
                    try await world.register(ann.token, slot), try await world.register(bea.token, slot),
                ]
                let room = try await world.open(ids, at: slot)
                world.changeEvents.withLock { $0 = [] }
                try await body(Pair(world: world, ann: ann, bea: bea, ids: ids, room: room))
            }
        }

        /// Sets the clock to so many seconds after the start of the slot.
        func set(_ seconds: Int) throws {
            world.clock.now = try #require(Timestamp(slot)).adding(.seconds(seconds))
        }

        /// Ann says something.
        func say(_ body: String, headers: [String] = []) async throws -> RawHTTP.Response {
            try await world.send(
                "PATCH", "/v1/registrations/\(ids[0])", token: ann.token, body: body, headers: headers)
        }

        /// Returns Ann's words, as Bea sees them in the room.
        func seen() async throws -> SessionWords? {
            let answer = try await world.send("GET", "/v1/rooms/\(room)", token: bea.token)
            return try JSON.decode(Room.self, from: answer.body).members.first { $0.id == ids[0] }?.words
        }
    }

    @Test("is stored, shown to oneself and to the partner, and told to the server of the room")
    func shown() async throws {
        try await Pair.with { pair in
            try pair.set(60)
            let before = try await pair.world.send(
                "GET", "/v1/registrations/\(pair.ids[0])", token: pair.ann.token)
            #expect(["checkIn", "outcome", "note"].allSatisfy { !before.text.contains($0) })
            let checkedIn = try await pair.say(#"{"checkIn":" Ready 🙂 "}"#)
            #expect(checkedIn.status == 200, "\(checkedIn.text)")
            #expect(try checkedIn.json()["checkIn"]?.string == "Ready 🙂")
            try pair.set(70)
            let ended = try await pair.say(#"{"outcome":"partly","note":"Half of it"}"#)
            let registration = try JSON.decode(Registration.self, from: ended.body)
            let all = SessionWords(checkIn: "Ready 🙂", outcome: .partly, note: "Half of it")
            #expect(registration.words == all && registration.state == .matched)
            #expect(registration.updatedAt == pair.world.clock.now)
            #expect(try await pair.seen() == all)
            let list = try await pair.world.send("GET", "/v1/registrations", token: pair.ann.token)
            #expect(
                try JSON.decode(RegistrationList.self, from: list.body).registrations == [registration])
            #expect(pair.world.changeEvents.withLock { $0 } == [.room(pair.room), .room(pair.room)])
            // Words that were said already are not told again.
            #expect(try await pair.say(#"{"outcome":"partly"}"#).body == ended.body)
            #expect(pair.world.changeEvents.withLock { $0.count } == 2)
            let back = try await pair.say(#"{"outcome":null,"checkIn":null}"#)
            #expect(back.status == 200 && !back.text.contains("note"))
            #expect(try await pair.seen() == SessionWords())
        }
    }

    @Test(
        "has its time: a check-in until the end of the session, an outcome from its start until a day later",
        arguments: [
            (-60, 200, 409), (-1, 200, 409), (0, 200, 200), (1799, 200, 200), (1800, 409, 200),
            (1800 + 86_399, 409, 200), (1800 + 86_400, 409, 409),
        ])
    func times(seconds: Int, checkIn: Int, outcome: Int) async throws {
        try await Pair.with { pair in
            try pair.set(seconds)
            #expect(try await pair.say(#"{"checkIn":"Ready"}"#).status == checkIn)
            #expect(try await pair.say(#"{"outcome":"done"}"#).status == outcome)
            let both = try await pair.say(#"{"outcome":"not","checkIn":"Go"}"#)
            #expect(both.status == max(checkIn, outcome))
            if both.status == 409 {
                #expect(both.problem == "conflict")
                // One that is refused changes nothing.
                #expect(try await pair.seen()?.outcome == (outcome == 200 ? .done : nil))
            }
        }
    }

    @Test(
        "can be said by a person who missed the session, not by one who cancelled or has no room yet")
    func states() async throws {
        try await RESTWorld.withPerson { world, ann in
            try await world.went(ann, ["missed", "lapsed", "late"])
            let now = RESTWorld.past(3)
            _ = try await world.registered(ann, now)
            world.clock.now = now
            let list = try await world.send("GET", "/v1/registrations", token: ann.token)
            let all = try JSON.decode(RegistrationList.self, from: list.body).registrations
            for (registration, status) in zip(all, [200, 409, 409, 409]) {
                let answer = try await world.send(
                    "PATCH", "/v1/registrations/\(registration.id)", token: ann.token,
                    body: #"{"outcome":"not"}"#)
                #expect(answer.status == status, "\(registration.state): \(answer.text)")
            }
            #expect(all.map(\.state.known) == [.missed, .lapsed, .cancelled, .registered])
        }
    }

    @Test("is refused if it makes no sense, or is for another person's session")
    func refused() async throws {
        try await Pair.with { pair in
            try pair.set(60)
            for (body, status) in [
                (#"{"outcome":"maybe"}"#, 422), (#"{"outcome":null,"note":"x"}"#, 422),
                (#"{"task":"New","outcome":"done"}"#, 422), (#"{"checkIn":""}"#, 422), ("{", 400),
                (#"{"note":"x"}"#, 409), (#"{"task":"New"}"#, 409),
            ] {
                #expect(try await pair.say(body).status == status, "\(body)")
            }
            // Nothing is there to be taken back, and that is no error.
            #expect(try await pair.say(#"{"outcome":null,"note":null,"checkIn":null}"#).status == 200)
            let theirs = try await pair.world.send(
                "PATCH", "/v1/registrations/\(pair.ids[1])", token: pair.ann.token,
                body: #"{"outcome":"done"}"#)
            #expect(theirs.status == 404)
            #expect(pair.world.changeEvents.withLock { $0 }.isEmpty)
            #expect(try await pair.world.count("session_words") == 0)
        }
    }

    @Test("a note stays with a new outcome, and can be taken back alone")
    func notes() async throws {
        try await Pair.with { pair in
            try pair.set(60)
            _ = try await pair.say(#"{"outcome":"not","note":"Ill"}"#)
            let done = try await pair.say(#"{"outcome":"done"}"#)
            #expect(try done.json()["note"]?.string == "Ill")
            let bare = try await pair.say(#"{"note":null}"#)
            #expect(try bare.json()["note"] == nil && bare.json()["outcome"]?.string == "done")
            #expect(try await pair.say(#"{"note":"Late"}"#).status == 200)
        }
    }

    @Test("of several changes with the same If-Match one is made, and a short answer can be had")
    func conditional() async throws {
        try await Pair.with { pair in
            try pair.set(60)
            let path = "/v1/registrations/\(pair.ids[0])"
            let tag = try #require(
                try await pair.world.send("GET", path, token: pair.ann.token).headers["etag"])
            let statuses = try await concurrently(0..<4) { number in
                try await pair.say(#"{"checkIn":"\#(number)"}"#, headers: ["If-Match: \(tag)"]).status
            }
            #expect(statuses.sorted() == [200, 412, 412, 412])
            let minimal = try await pair.say(#"{"outcome":"done"}"#, headers: ["Prefer: return=minimal"])
            #expect(minimal.status == 204 && minimal.body.isEmpty)
            #expect(minimal.headers["etag"] != tag && minimal.headers["etag"] != nil)
        }
    }

    @Test("counts in the figures, once for each session, and not where it was cancelled after all")
    func figures() async throws {
        try await RESTWorld.withPerson { world, ann in
            #expect(try await !world.send("GET", "/v1/stats", token: ann.token).text.contains("outcomes"))
            let slots = (0..<5).map(RESTWorld.past)
            var ids: [Identifier] = []
            for slot in slots {
                let id = try await world.registered(ann, slot)
                try await world.met(slot, [id], isOver: slot != slots[4])
                ids.append(id)
            }
            world.clock.now = slots[4]
            for (id, outcome) in zip(ids, ["done", "done", "partly", "not", "done"]) {
                try await world.send(
                    "PATCH", "/v1/registrations/\(id)", token: ann.token, body: #"{"outcome":"\#(outcome)"}"#,
                    expecting: 200)
            }
            #expect(
                try await world.stats(ann.token).outcomes == Stats.Outcomes(done: 3, partly: 1, not: 1))
            try await world.cancel(ids[4], at: slots[4])
            let stats = try await world.stats(ann.token)
            #expect(stats.outcomes == Stats.Outcomes(done: 2, partly: 1, not: 1))
            #expect(stats.outcomes?.donePercent == 50)
        }
    }

    @Test("goes with the account, also where a server of the previous release deletes it")
    func deletion() async throws {
        try await Pair.with { pair in
            try pair.set(60)
            _ = try await pair.say(#"{"checkIn":"Ready","outcome":"done","note":"Secret"}"#)
            try await pair.world.close(Self.slot)
            #expect(try await pair.seen()?.note == "Secret")
            // The statements that the previous release sends last.
            try await pair.world.pool.query(
                "UPDATE registrations SET user_id = NULL, task = NULL, tag = NULL WHERE user_id = $1",
                [pair.ann.id])
            try await pair.world.pool.query("DELETE FROM users WHERE id = $1", [pair.ann.id])
            #expect(try await pair.seen() == SessionWords())
            #expect(try await pair.world.count("session_words") == 0)
        }
    }

    @Test("of which COMMIT's answer is lost, the room is looked at", .timeLimit(.minutes(1)))
    func lostCommit() async throws {
        try await Pair.with { pair in
            try pair.set(60)
            try await pair.world.loseCommits(of: "INSERT ON session_words")
            #expect(try await pair.say(#"{"checkIn":"Ready"}"#).status == 503)
            #expect(pair.world.changeEvents.withLock { $0 } == [.room(pair.room)])
        }
    }
}
