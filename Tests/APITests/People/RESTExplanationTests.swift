import Contract
import Postgres
import Testing

@testable import BackendTesting

@Suite("The explanation of a room")
struct RESTExplanationTests {
    private static let slot = RESTWorld.past(100)

    @Test("says who meets for the first time, and that there was no other person")
    func firstMeeting() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let ids = [
                try await world.registered(ann, Self.slot), try await world.registered(bea, Self.slot),
            ]
            let room = try await world.met(Self.slot, ids, isOver: false)
            let explanation = try await world.explain(room, ann)
            #expect(explanation.roomId == room)
            #expect(explanation.message == "You meet Bea here.")
            let member = try #require(explanation.members.first)
            #expect(explanation.members.count == 1)
            #expect((member.id, member.name) == (ids[1], "Bea"))
            #expect(member.reasons.map(\.kind) == [.firstMeeting, .onlyOneLeft])
            #expect(member.reasons.allSatisfy { $0.text.hasSuffix(".") })
            let german = try await world.send(
                "GET", Routes.explanation(ofRoom: room), token: ann.token,
                headers: ["Accept-Language: de"])
            #expect(german.headers["content-language"] == "de")
            #expect(try german.json()["message"]?.string == "Du triffst hier Bea.")
            #expect(german.text.contains("Ihr trefft euch zum ersten Mal."), "\(german.text)")
        }
    }

    @Test("says when both last came, the same tag and one's own favourite, and not that of the other")
    func history() async throws {
        try await RESTWorld.with { world in
            let (ann, bea, cid, dan) = (
                try await world.person("Ann"), try await world.person("Bea"), try await world.person("Cid"),
                try await world.person("Dan")
            )
            world.clock.now = RESTWorld.past(50)
            let first = try await world.meet(ann, bea, at: 3)
            _ = try await world.meet(ann, bea, at: 7)
            // The two were matched once more, and Bea did not come.
            let missed = RESTWorld.past(9)
            try await world.met(
                missed, [try await world.registered(ann, missed), try await world.registered(bea, missed)],
                entered: [10, nil])
            try await world.mark("favourites", ann, first.theirs)
            let ids = [
                try await world.registered(ann, Self.slot, tag: "books"),
                try await world.registered(bea, Self.slot, tag: "books"),
            ]
            let room = try await world.met(Self.slot, ids, isOver: false)
            try await world.met(
                Self.slot,
                [try await world.registered(cid, Self.slot), try await world.registered(dan, Self.slot)],
                isOver: false)
            let mine = try #require(try await world.explain(room, ann).members.first)
            #expect(mine.reasons.map(\.kind) == [.favourite, .sameTag, .metBefore])
            #expect(mine.reasons[1].text.contains("“books”"))
            #expect(mine.reasons[2].lastMetAt == RESTWorld.past(7))
            #expect(mine.reasons[2].text.contains(RESTWorld.past(7).description.prefix(10)))
            let theirs = try #require(try await world.explain(room, bea).members.first)
            #expect(theirs.reasons.map(\.kind) == [.sameTag, .metBefore])
        }
    }

    @Test("goes by what was so when the two met: later favourites, meetings and blocks change nothing")
    func asOfTheMatch() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            world.clock.now = RESTWorld.past(50)
            let before = try await world.meet(ann, bea, at: 3)
            try await world.mark("favourites", ann, before.theirs)
            let ids = [
                try await world.registered(ann, Self.slot), try await world.registered(bea, Self.slot),
            ]
            let room = try await world.met(Self.slot, ids)
            world.clock.now = Self.slot.adding(.seconds(3600))
            _ = try await world.meet(ann, bea, at: 101)
            try await world.send("DELETE", "/v1/favourites/\(before.theirs)", token: ann.token)
            try await world.mark("blocks", ann, before.theirs)
            try await world.mark("favourites", bea, before.own)
            let expected: [MeetingReason.Kind] = [.favourite, .metBefore, .onlyOneLeft]
            let mine = try #require(try await world.explain(room, ann).members.first)
            #expect(mine.reasons.map(\.kind) == expected)
            #expect(mine.reasons[1].lastMetAt == RESTWorld.past(3))
            let theirs = try #require(try await world.explain(room, bea).members.first)
            #expect(theirs.reasons.map(\.kind) == [.metBefore, .onlyOneLeft])
        }
    }

    @Test("a favourite counts up to the notification of the one who joined")
    func favouriteAtJoining() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let before = try await world.meet(ann, bea, at: 3)
            let own = try await world.registered(ann, Self.slot)
            let late = try await world.registered(bea, Self.slot, madeAt: Self.slot.adding(.seconds(60)))
            let room = try await world.met(Self.slot, [own, late], isOver: false)
            try await world.pool.query(
                "UPDATE members SET joined_revision = 2 WHERE registration_id = $1", [late])
            try await world.pool.query(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                VALUES ($1, 'room.opened', $2, $3, $4, 1), ($1, 'room.changed', $5, $3, $4, 2)
                """,
                [ann.id, Self.slot.adding(.seconds(-60)), own, room, Self.slot.adding(.seconds(90))])
            world.clock.now = Self.slot.adding(.seconds(80))
            try await world.mark("favourites", ann, before.theirs)
            let mine = try #require(try await world.explain(room, ann).members.first)
            #expect(mine.reasons.map(\.kind) == [.favourite, .metBefore, .late, .onlyOneLeft])
            #expect(mine.reasons[2].text.hasPrefix("Bea registered late"))
            let theirs = try #require(try await world.explain(room, bea).members.first)
            #expect(theirs.reasons.first { $0.kind == .late }?.text.hasPrefix("You registered late") == true)
        }
    }

    @Test("a place that a member left, and a move from another room, are replacements")
    func replacements() async throws {
        try await RESTWorld.withThreePeople { world, ann, bea, cid in
            let ids = [
                try await world.registered(ann, Self.slot), try await world.registered(bea, Self.slot),
                try await world.registered(cid, Self.slot),
            ]
            let room = try await world.met(Self.slot, [ids[0], ids[1]], isOver: false)
            let other = try await world.met(Self.slot, [ids[2]], isOver: false)
            // Bea leaves, and Cid is moved to Ann.
            try await world.cancel(ids[1], at: Self.slot)
            try await world.pool.query("UPDATE members SET left_revision = 2 WHERE room_id = $1", [other])
            try await world.pool.query(
                "INSERT INTO members (room_id, registration_id, joined_revision) VALUES ($1, $2, 3)",
                [room, ids[2]])
            for person in [ann, cid] {
                let member = try #require(try await world.explain(room, person).members.first)
                #expect(member.reasons.map(\.kind) == [.firstMeeting, .replacement])
                // The explanation does not tell who it was.
                #expect(!member.reasons.contains { $0.text.contains("Bea") })
            }
            for (person, left) in [(bea, room), (cid, other)] {
                let path = Routes.explanation(ofRoom: left)
                #expect(try await world.send("GET", path, token: person.token).status == 404)
            }
        }
    }

    @Test("who is alone is told so, and of a former user there is nothing to tell")
    func aloneAndFormer() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let alone = try await world.met(
                RESTWorld.past(90), [try await world.registered(ann, RESTWorld.past(90))])
            let explanation = try await world.explain(alone, ann)
            #expect(explanation.members.isEmpty)
            #expect(explanation.message.hasPrefix("You are alone"))
            _ = try await world.meet(ann, bea, at: 3)
            let room = try await world.met(
                Self.slot,
                [try await world.registered(ann, Self.slot), try await world.registered(bea, Self.slot)])
            try await world.pool.query(
                "UPDATE registrations SET user_id = NULL, task = NULL WHERE user_id = $1", [bea.id])
            let former = try #require(try await world.explain(room, ann).members.first)
            #expect(former.name == "former user")
            #expect(former.reasons.map(\.kind) == [.onlyOneLeft])
        }
    }

    @Test("three people are named in one sentence")
    func three() async throws {
        try await RESTWorld.with { world in
            var ids: [Identifier] = []
            let ann = try await world.person("Ann")
            ids.append(try await world.registered(ann, Self.slot))
            for name in ["Bea", "Cid"] {
                ids.append(try await world.registered(try await world.person(name), Self.slot))
            }
            let room = try await world.met(Self.slot, ids)
            let explanation = try await world.explain(room, ann)
            let names = explanation.members.map(\.name)
            #expect(names.sorted() == ["Bea", "Cid"])
            #expect(explanation.message == "You meet \(names[0]) and \(names[1]) here.")
        }
    }

    @Test("is for members only, and tells no stranger that there is a room")
    func strangers() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let room = try await world.met(Self.slot, [try await world.registered(ann, Self.slot)])
            for path in ["\(room)", "x", "\(Identifier(value: 3))"] {
                let refused = try await world.send("GET", "/v1/rooms/\(path)/explanation", token: bea.token)
                #expect(refused.problem == "not-found")
            }
            #expect(try await world.send("GET", Routes.explanation(ofRoom: room)).status == 401)
        }
    }
}

extension RESTWorld {
    func explain(_ room: Identifier, _ person: SocialPerson) async throws -> Explanation {
        let response = try await send("GET", Routes.explanation(ofRoom: room), token: person.token)
        #expect(response.status == 200, "\(response.text)")
        #expect(!response.text.contains(person.id.description))
        return try JSON.decode(Explanation.self, from: response.body)
    }
}
