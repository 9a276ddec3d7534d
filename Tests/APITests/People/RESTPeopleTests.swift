import Codecs
import Contract
import Postgres
import TestKit
import Testing

@testable import BackendTesting
@testable import Database

/// The tests that blocks and favourites share.
@Suite("The lists of people")
struct RESTPeopleTests {
    private static let lists = ["blocks", "favourites"]

    @Test("a past partner is put on the list, shown by name, and taken off it again", arguments: lists)
    func addAndRemove(list: String) async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let ids = try await world.meet(ann, bea, at: 0)
            let body = #"{"registrationId":"\#(ids.theirs)"}"#
            let added = try await world.send("POST", "/v1/\(list)", token: ann.token, body: body)
            #expect(added.status == 201)
            #expect(try added.json()["registrationId"]?.string == ids.theirs.description)
            #expect(try added.json()["name"]?.string == "Bea")
            #expect(try added.json()["createdAt"]?.string == RESTWorld.noon.description)
            #expect(!added.text.contains(bea.id.description))
            let listed = try await world.send("GET", "/v1/\(list)", token: ann.token).json()
            #expect(try listed[list]?.array == [added.json()])
            #expect(listed["nextCursor"] == nil)
            // The other person learns nothing of the entry.
            let others = try await world.send("GET", "/v1/\(list)", token: bea.token).json()
            #expect(others[list]?.array == [])
            for _ in 0..<2 {
                try await world.send("DELETE", "/v1/\(list)/\(ids.theirs)", token: ann.token, expecting: 204)
            }
            #expect(try await world.send("GET", "/v1/\(list)", token: ann.token).json()[list]?.array == [])
        }
    }

    @Test("any registration of the same person names the same entry", arguments: lists)
    func samePerson(list: String) async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let first = try await world.meet(ann, bea, at: 0)
            let second = try await world.meet(ann, bea, at: 1)
            let one = try await world.mark(list, ann, first.theirs)
            let again = try await world.mark(list, ann, second.theirs)
            #expect((one.status, again.status) == (201, 200))
            #expect(try again.json() == one.json())
            #expect(try await world.count(list) == 1)
            try await world.send("DELETE", "/v1/\(list)/\(second.theirs)", token: ann.token)
            #expect(try await world.send("GET", "/v1/\(list)", token: ann.token).json()[list]?.array == [])
            // An entry that is removed and made again is a new one, and the old one is kept for what it
            // explains.
            #expect(try await world.mark(list, ann, second.theirs).status == 201)
            #expect(try await world.count(list) == 2)
        }
    }

    @Test("strangers cannot be told from ids that do not exist", arguments: lists)
    func strangers(list: String) async throws {
        try await RESTWorld.withThreePeople { world, ann, bea, cid in
            let apart = try await world.meet(bea, cid, at: 0)
            let alone = try await world.registered(ann, RESTWorld.past(0))
            try await world.met(RESTWorld.past(0), [alone])
            let registered = try await world.registered(bea, RESTWorld.past(5))
            for id in [apart.own, apart.theirs, registered, Identifier(value: 9)] {
                let refused = try await world.mark(list, ann, id)
                #expect(refused.problem == "not-found")
                #expect(try refused.json()["detail"]?.string == Met.stranger.problem.detail)
                let removal = try await world.send("DELETE", "/v1/\(list)/\(id)", token: ann.token)
                #expect(removal.problem == "not-found")
            }
            #expect(try await world.send("DELETE", "/v1/\(list)/x", token: ann.token).status == 404)
        }
    }

    @Test("a member who left before another one came has not met them; one who stayed has", arguments: lists)
    func notAtOnce(list: String) async throws {
        try await RESTWorld.withThreePeople { world, ann, bea, cid in
            let slot = RESTWorld.past(0)
            let ids = [
                try await world.registered(ann, slot), try await world.registered(bea, slot),
                try await world.registered(cid, slot),
            ]
            try await world.met(slot, ids)
            // Ann was a member until revision 2, Cid from then on.
            try await world.pool.query(
                "UPDATE members SET left_revision = 2 WHERE registration_id = $1", [ids[0]])
            try await world.pool.query(
                "UPDATE members SET joined_revision = 2 WHERE registration_id = $1", [ids[2]])
            #expect(try await world.mark(list, ann, ids[2]).status == 404)
            #expect(try await world.mark(list, cid, ids[0]).status == 404)
            #expect(try await world.mark(list, ann, ids[1]).status == 201)
            #expect(try await world.mark(list, cid, ids[1]).status == 201)
        }
    }

    @Test("oneself is refused by the member's pointer, and a former user is not there", arguments: lists)
    func oneselfAndFormer(list: String) async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let ids = try await world.meet(ann, bea, at: 0)
            let oneself = try await world.mark(list, ann, ids.own)
            #expect(oneself.status == 422)
            #expect(oneself.pointers == ["/registrationId"])
            #expect(try await world.send("DELETE", "/v1/\(list)/\(ids.own)", token: ann.token).status == 404)
            try await world.pool.query(
                "UPDATE registrations SET user_id = NULL, task = NULL WHERE user_id = $1", [bea.id])
            let former = try await world.mark(list, ann, ids.theirs)
            #expect(former.problem == "not-found")
            #expect(try former.json()["detail"]?.string?.contains("deleted") == true)
            try await world.send("DELETE", "/v1/\(list)/\(ids.theirs)", token: ann.token, expecting: 204)
        }
    }

    @Test("without a token there is no list", arguments: lists)
    func signedOut(list: String) async throws {
        try await RESTWorld.with { world in
            let answers = [
                try await world.send("GET", "/v1/\(list)"),
                try await world.send("POST", "/v1/\(list)", body: #"{"registrationId":"x"}"#),
                try await world.send("DELETE", "/v1/\(list)/\(Identifier(value: 1))"),
            ]
            #expect(answers.map(\.problem) == Array(repeating: "unauthenticated", count: 3))
        }
    }

    @Test(
        "a body that is wrong is refused by pointer",
        arguments: [
            ("{}", ["/registrationId"]), (#"{"registrationId":7}"#, ["/registrationId"]),
            (#"{"registrationId":"x","why":1}"#, ["/registrationId", "/why"]),
        ])
    func badBodies(body: String, pointers: [String]) async throws {
        try await RESTWorld.withAccount { world, token in
            for list in Self.lists {
                let refused = try await world.send("POST", "/v1/\(list)", token: token, body: body)
                #expect(refused.pointers == pointers)
            }
            let report = #"{"registrationId":"\#(Identifier(value: 1))","report":""}"#
            #expect(
                try await world.send("POST", "/v1/blocks", token: token, body: report).pointers == ["/report"]
            )
            #expect(
                try await world.send("POST", "/v1/favourites", token: token, body: report).pointers
                    == ["/report"])
        }
    }

    @Test("a report is kept, replaced by the next one, and not by none")
    func reports() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let id = try await world.meet(ann, bea, at: 0).theirs
            func block(_ report: String) async throws -> RawHTTP.Response {
                try await world.send(
                    "POST", "/v1/blocks", token: ann.token,
                    body: #"{"registrationId":"\#(id)","report":\#(report)}"#)
            }
            #expect(try await block("null").json()["report"] == nil)
            #expect(try await block(#"" Rude.\nTwice. ""#).json()["report"]?.string == "Rude.\nTwice.")
            #expect(try await block("null").json()["report"]?.string == "Rude.\nTwice.")
            #expect(try await block(#""Sorry, once""#).json()["report"]?.string == "Sorry, once")
            #expect(try await world.count("blocks") == 1)
        }
    }

    @Test("the list is paged, newest first, with every entry once", arguments: lists)
    func pages(list: String) async throws {
        try await RESTWorld.withPerson { world, ann in
            var ids: [String?] = []
            for number in 0..<5 {
                let other = try await world.person("P\(number)")
                let id = try await world.meet(ann, other, at: number).theirs
                try await world.mark(list, ann, id)
                ids.insert(id.description, at: 0)
            }
            var seen: [String?] = []
            var path = "/v1/\(list)?limit=2"
            while seen.count < 10 {
                let page = try await world.send("GET", path, token: ann.token).json()
                seen += (page[list]?.array ?? []).map { $0["registrationId"]?.string }
                guard let cursor = page["nextCursor"]?.string else { break }
                // A page whose cursor is removed meanwhile keeps its place.
                if seen.count == 2 {
                    try await world.send("DELETE", "/v1/\(list)/\(cursor)", token: ann.token)
                }
                path = "/v1/\(list)?limit=2&cursor=\(cursor)"
            }
            #expect(seen == ids)
            #expect(
                try await world.send("GET", "/v1/\(list)?cursor=no", token: ann.token).problem == "unreadable"
            )
        }
    }

    @Test("a list has a limit, which is told, and what was taken back does not count", arguments: lists)
    func limit(list: String) async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let id = try await world.meet(ann, bea, at: 0).theirs
            try await world.pool.query(
                """
                WITH other AS (
                    INSERT INTO users (id, name, time_zone, token_hash, created_at)
                    SELECT gen_random_uuid(), 'x', 'UTC', sha256(number::text::bytea), $3
                    FROM generate_series(1, $4::int8) AS number
                    RETURNING id)
                INSERT INTO \(list) (user_id, other_id, registration_id, created_at)
                SELECT $1, id, $2, $3 FROM other
                """, [ann.id, id, RESTWorld.noon, Int64(Limits.peopleMarked)])
            let full = try await world.mark(list, ann, id)
            #expect(full.status == 409)
            #expect(full.problem == "limit-reached")
            try await world.pool.query(
                "UPDATE \(list) SET removed_at = created_at WHERE id = (SELECT min(id) FROM \(list))")
            #expect(try await world.mark(list, ann, id).status == 201)
            // A person who is on the list already makes no new entry.
            #expect(try await world.mark(list, ann, id).status == 200)
        }
    }

    @Test("of what was taken back, only so much is kept", arguments: lists)
    func history(list: String) async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let id = try await world.meet(ann, bea, at: 0).theirs
            try await world.pool.query(
                """
                INSERT INTO \(list) (user_id, other_id, registration_id, created_at, removed_at)
                SELECT $1, $2, $3, $4, $4 FROM generate_series(1, $5::int8)
                """, [ann.id, bea.id, id, RESTWorld.past(0), Int64(PeopleList.removedKept)])
            try await world.mark(list, ann, id)
            try await world.send("DELETE", "/v1/\(list)/\(id)", token: ann.token)
            #expect(try await world.count(list) == Int64(PeopleList.removedKept))
            let newest = try await world.pool.query("SELECT max(removed_at) FROM \(list)")
            #expect(try newest[0].decode(0, Timestamp.self) == RESTWorld.noon)
        }
    }

    @Test("the same words at once make one entry", arguments: lists)
    func atOnce(list: String) async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let ids = [
                try await world.meet(ann, bea, at: 0).theirs, try await world.meet(ann, bea, at: 1).theirs,
            ]
            let statuses = try await concurrently(0..<8) { number in
                try await world.mark(list, ann, ids[number % 2]).status
            }
            #expect(statuses.sorted() == [200, 200, 200, 200, 200, 200, 200, 201])
            #expect(try await world.count(list) == 1)
        }
    }

    @Test("whatever people say and take back, a list is what a set of them would be")
    func model() async throws {
        let seed = UInt64.random(in: .min ... .max)
        try await RESTWorld.with { world in
            var random = SplitMix64(seed: seed)
            let ann = try await world.person("Ann")
            // There are three people, each met twice.
            var ids: [[Identifier]] = []
            for number in 0..<3 {
                let other = try await world.person("P\(number)")
                ids.append([
                    try await world.meet(ann, other, at: 2 * number).theirs,
                    try await world.meet(ann, other, at: 2 * number + 1).theirs,
                ])
            }
            var order: [Int] = []
            for step in 0..<40 {
                let list = "favourites"
                let person = Int.random(in: 0..<3, using: &random)
                let id = ids[person][Int.random(in: 0..<2, using: &random)]
                if Bool.random(using: &random) {
                    let status = try await world.mark(list, ann, id).status
                    #expect(status == (order.contains(person) ? 200 : 201), "seed \(seed), step \(step)")
                    if !order.contains(person) { order.insert(person, at: 0) }
                } else {
                    let path = "/v1/\(list)/\(id)"
                    let status = try await world.send("DELETE", path, token: ann.token).status
                    #expect(status == 204, "seed \(seed), step \(step)")
                    order.removeAll { $0 == person }
                }
                let seen = try await world.send("GET", "/v1/\(list)", token: ann.token).json()
                let names = seen[list]?.array?.map { $0["name"]?.string }
                #expect(names == order.map { "P\($0)" }, "seed \(seed), step \(step)")
            }
        }
    }
}
