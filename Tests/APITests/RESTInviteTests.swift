import Contract
import Postgres
import Reactor
import TestKit
import Testing

@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite("Invites")
struct RESTInviteTests {
    private static let slot = "2027-03-01T13:00:00Z"

    /// Makes an invite; returns its code.
    private static func invite(_ world: RESTWorld, _ token: String, to id: Identifier) async throws -> String
    {
        let made = try await world.send("POST", "/v1/registrations/\(id)/invite", token: token)
        #expect(made.status == 201, "\(made.text)")
        let code = try #require(try made.json()["code"]?.string)
        #expect(try made.json()["url"]?.string == "http://test/invites/\(code)")
        return code
    }

    private static func use(
        _ world: RESTWorld, _ token: String, _ code: String, more: String = ""
    ) async throws -> RawHTTP.Response {
        try await world.send(
            "POST", "/v1/registrations", token: token,
            body: #"{"task":"Read","invite":"\#(code)"\#(more)}"#)
    }

    private static func name(_ response: RawHTTP.Response) throws -> String? {
        try response.json()["type"]?.string.map { String($0.dropFirst("/problems/".count)) }
    }

    private static func pairs(_ world: RESTWorld) async throws -> Int64? {
        try await world.pool.query("SELECT count(*) FROM intents WHERE invited_by IS NOT NULL").first?
            .decode(0, Int64.self)
    }

    @Test("an invite registers a friend for the same slot, once")
    func used() async throws {
        try await RESTWorld.with { world in
            let (ann, bea, cid) = (
                try await world.signUp("Ann"), try await world.signUp("Bea"), try await world.signUp("Cid")
            )
            let id = try await world.register(ann, Self.slot)
            let code = try await Self.invite(world, ann, to: id)
            #expect(code.utf8.count == 43)
            let shown = try await world.send("GET", "/v1/invites/\(code)")
            #expect(try shown.json()["name"]?.string == "Ann")
            #expect(try shown.json()["slot"]?["startsAt"]?.string == Self.slot)
            #expect(try shown.json()["expiresAt"]?.string == "2027-03-01T13:05:00Z")
            #expect(try shown.json()["usable"]?.bool == true)
            #expect(!shown.text.contains("Write") && !shown.text.contains("\(id)"))
            let made = try await Self.use(world, bea, code, more: #","quiet":true"#)
            #expect(made.status == 201, "\(made.text)")
            let registration = try #require(try made.json()["registrations"]?.array?.first)
            #expect(registration["slot"]?["startsAt"]?.string == Self.slot)
            #expect(registration["quiet"]?.bool == true)
            #expect(made.headers["location"] == "/v1/registrations/\(registration["id"]?.string ?? "")")
            #expect(try await Self.pairs(world) == 1)
            let again = try await Self.use(world, cid, code)
            #expect(again.status == 409)
            #expect(try Self.name(again) == "invite-unusable")
            let theirs = try await world.send("GET", "/v1/registrations", token: cid)
            #expect(try theirs.json()["registrations"]?.array?.isEmpty == true)
            #expect(try await world.send("GET", "/v1/invites/\(code)").json()["usable"]?.bool == false)
            #expect(world.changeEvents.withLock { $0.count { "\($0)".contains("slot") } } == 2)
        }
    }

    @Test("a party that is full takes no more people, though another of its invites is good")
    func fullParty() async throws {
        let configure = { (configuration: inout ServerConfiguration) in configuration.roomSize = 3 }
        try await RESTWorld.with(configure: configure) { world in
            var people: [String] = []
            for name in ["Ann", "Bea", "Cid", "Dan"] { people.append(try await world.signUp(name)) }
            let anns = try await world.register(people[0], Self.slot)
            let first = try await Self.use(
                world, people[1], try await Self.invite(world, people[0], to: anns))
            let beas = try #require(
                try first.json()["registrations"]?.array?.first?["id"]?.string.flatMap { Identifier($0) })
            let codes = [
                try await Self.invite(world, people[0], to: anns),
                try await Self.invite(world, people[1], to: beas),
            ]
            #expect(try await Self.use(world, people[2], codes[0]).status == 201)
            let fourth = try await Self.use(world, people[3], codes[1])
            #expect(fourth.status == 409)
            #expect(try Self.name(fourth) == "invite-unusable")
            #expect(try await Self.pairs(world) == 2)
        }
    }

    @Test("an invite that would bring together two people who may not meet, by a third one, cannot be used")
    func blockedFriend() async throws {
        let configure = { (configuration: inout ServerConfiguration) in configuration.roomSize = 3 }
        try await RESTWorld.with(configure: configure) { world in
            let (ann, bea, cid) = (
                try await world.signUp("Ann"), try await world.signUp("Bea"), try await world.signUp("Cid")
            )
            let anns = try await world.register(ann, Self.slot)
            let cids = try await world.register(cid, "2027-03-01T14:00:00Z")
            let used = try await Self.use(world, bea, try await Self.invite(world, ann, to: anns))
            #expect(used.status == 201)
            try await world.pool.query(
                """
                INSERT INTO blocks (user_id, other_id, registration_id, created_at)
                SELECT bea.id, cid.id, $1, now() FROM users AS bea, users AS cid
                WHERE bea.name = 'Bea' AND cid.name = 'Cid'
                """, [cids])
            let refused = try await Self.use(world, cid, try await Self.invite(world, ann, to: anns))
            #expect(refused.status == 409)
            #expect(try Self.name(refused) == "invite-unusable")
        }
    }

    @Test("the address for people says what to do, in plain text, and when it is too late")
    func page() async throws {
        try await RESTWorld.with { world in
            let (ann, bea) = (try await world.signUp("Ann <b>"), try await world.signUp("Bea"))
            let id = try await world.register(ann, Self.slot)
            let code = try await Self.invite(world, ann, to: id)
            let page = try await world.send("GET", "/invites/\(code)")
            #expect(page.headers["content-type"] == "text/plain; charset=utf-8")
            #expect(page.headers["x-content-type-options"] == "nosniff")
            #expect(page.headers["cache-control"] == "no-store")
            #expect(page.text.contains("Ann <b> invites you"))
            #expect(page.text.contains("letsswitch register \"What you will do\" --invite \(code)\n"))
            #expect(page.text.contains("http://test/v1/registrations"))
            let german = try await world.send(
                "GET", "/invites/\(code)", headers: ["Accept-Language: de"])
            #expect(german.text.contains("Ann <b> lädt dich ein"), "\(german.text)")
            #expect(german.text.contains("letsswitch register \"Was du vorhast\" --invite \(code)\n"))
            #expect(german.headers["content-language"] == "de")
            #expect(german.headers["vary"]?.contains("Accept-Language") == true)
            _ = try await Self.use(world, bea, code)
            #expect(try await world.send("GET", "/invites/\(code)").text.contains("can no longer be used"))
            #expect(try await world.send("GET", "/invites/nonsense").status == 404)
        }
    }

    @Test("what is no code, and what goes with none, is refused by name")
    func badInput() async throws {
        try await RESTWorld.withAccount { world, ann in
            let unknown = String(repeating: "A", count: 43)
            for code in ["x", unknown, "../../v1/me", "%00"] {
                let answer = try await Self.use(world, ann, code)
                #expect(answer.status == 404, "\(code): \(answer.text)")
            }
            #expect(try await world.send("GET", "/v1/invites/\(unknown)").status == 404)
            for (more, pointer) in [
                (#","slots":["\#(Self.slot)"]"#, "/slots"),
                (#","localSlots":["2027-03-01T13:00"]"#, "/localSlots"), (#","timeZone":"UTC""#, "/timeZone"),
            ] {
                let answer = try await Self.use(world, ann, unknown, more: more)
                #expect(answer.status == 422)
                #expect(
                    try answer.json()["errors"]?.array?.compactMap { $0["pointer"]?.string } == [pointer])
            }
            try await world.send(
                "POST", "/v1/registrations", token: ann, body: #"{"task":"t","invite":7}"#, expecting: 422)
            let id = try await world.register(ann, Self.slot)
            let bea = try await world.signUp("Bea")
            for method in ["POST", "DELETE"] {
                try await world.send(method, "/v1/registrations/\(id)/invite", token: bea, expecting: 404)
                #expect(try await world.send(method, "/v1/registrations/\(id)/invite").status == 401)
            }
            let body = try await world.send(
                "POST", "/v1/registrations/\(id)/invite", token: ann, body: #"{"a":1}"#)
            #expect(body.status == 413)
        }
    }

    @Test("its maker does not use it, and a person who is registered already keeps their registration")
    func own() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let code = try await Self.invite(world, ann, to: try await world.register(ann, Self.slot))
            let own = try await Self.use(world, ann, code)
            #expect(try Self.name(own) == "invite-unusable")
            #expect(own.text.contains("your own invite"))
            _ = try await world.register(bea, Self.slot)
            let taken = try await Self.use(world, bea, code)
            #expect(try Self.name(taken) == "already-registered")
            #expect(try taken.json()["errors"]?.array?.first?["pointer"]?.string == "/invite")
            // The invite was not used up by that.
            #expect(try await world.send("GET", "/v1/invites/\(code)").json()["usable"]?.bool == true)
        }
    }

    @Test("it ends when it is replaced or taken back, and when its maker cancels or deletes the account")
    func ended() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let id = try await world.register(ann, Self.slot)
            let first = try await Self.invite(world, ann, to: id)
            let second = try await Self.invite(world, ann, to: id)
            #expect(try await Self.use(world, bea, first).status == 404)
            for _ in 0..<2 {
                try await world.send("DELETE", "/v1/registrations/\(id)/invite", token: ann, expecting: 204)
            }
            #expect(try await Self.use(world, bea, second).status == 404)
            let third = try await Self.invite(world, ann, to: id)
            try await world.cancel(id, at: world.clock.now)
            #expect(try Self.name(try await Self.use(world, bea, third)) == "invite-unusable")
            #expect(try await world.send("GET", "/v1/invites/\(third)").json()["usable"]?.bool == false)
            try await world.send("POST", "/v1/registrations/\(id)/invite", token: ann, expecting: 409)
            let other = try await world.register(ann, "2027-03-01T14:00:00Z")
            let fourth = try await Self.invite(world, ann, to: other)
            let status = try await world.delete("/v1/me", ann)
            #expect(status == 204)
            #expect(try await Self.use(world, bea, fourth).status == 404)
            try await world.eraseDeletedAccounts()
            #expect(
                try await world.pool.query("SELECT count(*) FROM invites").first?.decode(0, Int64.self) == 0)
        }
    }

    @Test("a block is not told: it sounds as if the invite was used")
    func blocked() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let cid = try await world.signUp("Cid")
            let past = [
                try await world.registered(ann, RESTWorld.past(1)),
                try await world.registered(bea, RESTWorld.past(1)),
            ]
            for (blocking, blocked, theirs) in [(ann, bea, past[1]), (bea, ann, past[0])] {
                try await world.pool.query("DELETE FROM blocks")
                try await world.pool.query(
                    """
                    INSERT INTO blocks (user_id, other_id, registration_id, created_at)
                    VALUES ($1, $2, $3, $4)
                    """, [blocking.id, blocked.id, theirs, RESTWorld.past(1)])
                let slot = blocking === ann ? Self.slot : "2027-03-01T14:00:00Z"
                let code = try await Self.invite(
                    world, ann.token, to: try await world.register(ann.token, slot))
                let refused = try await Self.use(world, bea.token, code)
                #expect(try await Self.use(world, cid, code).status == 201)
                let used = try await Self.use(world, bea.token, code)
                let strip = { (text: String) in text.replacing(/"instance":"[^"]*"/, with: "") }
                #expect(strip(refused.text) == strip(used.text))
            }
        }
    }

    @Test("it can be used while the slot can be had, and as long as there is a place in the room")
    func late() async throws {
        try await RESTWorld.with { world in
            let people = [
                try await world.signUp("Ann"), try await world.signUp("Bea"), try await world.signUp("Cid"),
                try await world.signUp("Dan"), try await world.signUp("Eve"),
            ]
            let ids = [
                try await world.register(people[0], Self.slot),
                try await world.register(people[1], Self.slot),
            ]
            let startsAt = try #require(Timestamp(Self.slot))
            world.clock.now = startsAt.adding(.seconds(10))
            let room = try await world.open(ids, at: Self.slot)
            let code = try await Self.invite(world, people[0], to: ids[0])
            #expect(try await Self.use(world, people[2], code).status == 201)
            // Two are in the room, and the third is on the way; with a third member it is full.
            let third = try await world.register(people[4], Self.slot)
            try await world.pool.query(
                "INSERT INTO members (room_id, registration_id) VALUES ($1, $2)", [room, third])
            let full = try await Self.invite(world, people[1], to: ids[1])
            #expect(try Self.name(try await Self.use(world, people[3], full)) == "invite-unusable")
            world.clock.now = startsAt.adding(.seconds(301))
            #expect(try Self.name(try await Self.use(world, people[3], full)) == "invite-unusable")
            try await world.pool.query("DELETE FROM members WHERE registration_id = $1", [third])
            #expect(try Self.name(try await Self.use(world, people[3], full)) == "too-late")
            let late = try await world.send("POST", "/v1/registrations/\(ids[1])/invite", token: people[1])
            #expect(try Self.name(late) == "too-late")
        }
    }

    @Test("of two friends at once one gets it, and the other nothing", arguments: 0..<4)
    func race(round: Int) async throws {
        try await RESTWorld.withAccount { world, ann in
            let code = try await Self.invite(world, ann, to: try await world.register(ann, Self.slot))
            var friends: [String] = []
            for number in 0..<6 { friends.append(try await world.signUp("Friend \(number)")) }
            let answers = try await concurrently(friends) { try await Self.use(world, $0, code) }
            #expect(answers.map(\.status).sorted() == [201, 409, 409, 409, 409, 409])
            #expect(try await Self.pairs(world) == 1)
            let live = try await world.pool.query("SELECT count(*) FROM registrations")
            #expect(try live.first?.decode(0, Int64.self) == 2)
        }
    }

    @Test("a person in a pair invites no other one, until the pair is off; in larger rooms as many as fit")
    func party() async throws {
        for size in [2, 3] {
            let sized = { (configuration: inout ServerConfiguration) in configuration.roomSize = size }
            try await RESTWorld.with(configure: sized) { world in
                let (ann, bea) = (try await world.signUp("Ann"), try await world.signUp("Bea"))
                let id = try await world.register(ann, Self.slot)
                let made = try await Self.use(world, bea, try await Self.invite(world, ann, to: id))
                let theirs = try #require(
                    try made.json()["registrations"]?.array?.first?["id"]?.string.flatMap { Identifier($0) })
                if size == 3 {
                    let cid = try await world.signUp("Cid")
                    let next = try await Self.invite(world, bea, to: theirs)
                    #expect(try await Self.use(world, cid, next).status == 201)
                }
                for (token, id) in [(ann, id), (bea, theirs)] {
                    let refused = try await world.send("POST", "/v1/registrations/\(id)/invite", token: token)
                    #expect(try Self.name(refused) == "conflict", "\(refused.text)")
                }
                try await world.cancel(theirs, at: world.clock.now)
                _ = try await Self.invite(world, ann, to: id)
            }
        }
    }

    @Test("under an idempotency key the same invite is shown again, and none is made")
    func key() async throws {
        try await RESTWorld.withAccount { world, ann in
            let path = "/v1/registrations/\(try await world.register(ann, Self.slot))/invite"
            let first = try await world.send("POST", path, token: ann, headers: ["Idempotency-Key: a"])
            let again = try await world.send("POST", path, token: ann, headers: ["Idempotency-Key: a"])
            #expect(first.status == 201 && again.status == 201)
            #expect(try first.json() == again.json())
            #expect(again.headers["idempotent-replayed"] == "true")
            let code = try #require(try first.json()["code"]?.string)
            let kept = try await world.pool.query("SELECT body FROM idempotency_keys").first?
                .decode(0, [UInt8].self)
            #expect(!String(decoding: kept ?? [], as: UTF8.self).contains(code))
        }
    }

    @Test("the explanation of a room names inviters and guests, and the favourites that a person asked for")
    func explanation() async throws {
        try await RESTWorld.withThreePeople { world, ann, bea, cid in
            let startsAt = RESTWorld.past(100)
            var ids: [Identifier] = []
            for person in [ann, bea, cid] { ids.append(try await world.registered(person, startsAt)) }
            try await world.pool.query(
                "INSERT INTO intents (registration_id, invited_by) VALUES ($1, $2)", [ids[1], ids[0]])
            try await world.pool.query(
                "INSERT INTO intents (registration_id, favourites_only) VALUES ($1, true)", [ids[2]])
            let room = try await world.met(startsAt, Array(ids[0...1]), isOver: false)
            let alone = try await world.met(startsAt, [ids[2]], isOver: false)
            let hers = try await world.explain(room, ann)
            #expect(hers.members.first?.reasons.first?.kind == .invited)
            #expect(hers.members.first?.reasons.first?.text == "You invited Bea.")
            #expect(
                try await world.explain(room, bea).members.first?.reasons.first?.text == "Ann invited you.")
            #expect(try await world.explain(alone, cid).message.contains("favourites only"))
        }
    }
}
