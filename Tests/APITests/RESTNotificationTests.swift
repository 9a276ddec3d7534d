import API
import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite struct RESTNotificationTests {
    private static let slot = "2027-03-01T12:30:00Z"

    @Test("partners are the members as of the revision, and notifications of other people are hidden")
    func partners() async throws {
        try await RESTWorld.with { world in
            let tokens = [
                try await world.signUp("Ann"), try await world.signUp("Bea"), try await world.signUp("Cy"),
            ]
            var ids: [Identifier] = []
            for token in tokens { ids.append(try await world.register(token, Self.slot)) }
            let room = try await world.open(Array(ids[..<2]), at: Self.slot)
            try await world.tell(ids[0], .roomOpened, room, revision: 1)
            // Bea leaves, Cy comes.
            try await world.pool.query(
                "UPDATE members SET left_revision = 2 WHERE registration_id = $1", [ids[1]])
            try await world.pool.query(
                "INSERT INTO members (room_id, registration_id, joined_revision) VALUES ($1, $2, 2)",
                [room, ids[2]])
            try await world.tell(ids[0], .roomChanged, room, revision: 2)
            try await world.tell(ids[2], .roomOpened, room, revision: 2)
            let list = try await world.notifications(tokens[0])
            #expect(list.map { $0["type"]?.string } == ["room.opened", "room.changed"])
            #expect(list.map { Self.names($0) } == [["Bea"], ["Cy"]])
            let data = try #require(list[0]["data"])
            #expect(data["registrationId"]?.string == ids[0].description)
            #expect(data["closesAt"]?.string == "2027-03-01T13:00:00Z")
            let ticket = data["socketUrl"]?.string?.split(separator: "=").last
            #expect(world.application.tickets.read(String(ticket ?? ""))?.room == room)
            #expect(try await world.notifications(tokens[1]).isEmpty)
        }
    }

    @Test("the ends of sessions carry what they should, and former users neither task nor tag")
    func ends() async throws {
        try await RESTWorld.with { world in
            let tokens = [try await world.signUp("Ann"), try await world.signUp("Bea")]
            var ids: [Identifier] = []
            for token in tokens { ids.append(try await world.register(token, Self.slot)) }
            let room = try await world.open(ids, at: Self.slot)
            try await world.pool.query(
                "UPDATE members SET ales_sent = 4, ales_received = 5 WHERE registration_id = $1", [ids[0]])
            try await world.tell(ids[1], .sessionMissed, nil, revision: nil)
            try await world.tell(ids[0], .sessionCompleted, room, revision: 1)
            let missed = try await world.notifications(tokens[1])
            #expect(missed.first?["data"]?["startsAt"]?.string == Self.slot)
            #expect(missed.first?["data"]?["roomId"]?.string == room.description)
            try await world.pool.query(
                "UPDATE registrations SET user_id = NULL, task = NULL WHERE id = $1", [ids[1]])
            let completed = try await world.notifications(tokens[0])
            #expect(completed.first?["data"]?["alesSent"]?.int == 4)
            #expect(completed.first?["data"]?["roomId"]?.string == room.description)
            #expect(completed.first?["data"]?["alesReceived"]?.int == 5)
            #expect(completed.map { Self.names($0) } == [["former user"]])
            #expect(completed.first?["data"]?["partners"]?.array?.first?["task"] == .null)
        }
    }

    @Test("after and limit cut the list, and the feed of several people carries the recipient of each")
    func pages() async throws {
        try await RESTWorld.withAccount { world, token in
            let slots = ["2027-03-02T10:00:00Z", "2027-03-02T11:00:00Z", "2027-03-02T12:00:00Z"]
            for slot in slots {
                try await world.tell(
                    try await world.register(token, slot), .sessionLapsed, nil, revision: nil)
            }
            let all = try await world.notifications(token)
            let ids = all.compactMap { $0["id"]?.int }
            #expect(ids == ids.sorted() && ids.count == 3)
            #expect(try await world.notifications(token, "?limit=2") == Array(all[..<2]))
            #expect(try await world.notifications(token, "?after=\(ids[1])") == Array(all[2...]))
            #expect(try await world.notifications(token, "?after=\(Int64.max)").isEmpty)
            // The pages go from the newest, and a range can be read in either order.
            let newest = Array(all.reversed())
            #expect(try await world.notifications(token, "?order=desc") == newest)
            #expect(try await world.notifications(token, "?order=desc&limit=2") == Array(newest[..<2]))
            #expect(
                try await world.notifications(token, "?order=desc&before=\(ids[1])") == Array(newest[2...]))
            #expect(try await world.notifications(token, "?before=\(ids[2])") == Array(all[..<2]))
            let stretch = "?after=\(ids[0])&before=\(ids[2])"
            #expect(try await world.notifications(token, "\(stretch)&order=asc") == [all[1]])
            #expect(try await world.notifications(token, "\(stretch)&order=desc") == [all[1]])
            #expect(try await world.notifications(token, "?before=0").isEmpty)
            let own = try #require(APIToken(token))
            let user = try #require(try await SignedInUser.find(own, in: world.pool)).id
            let feed = try await NotificationReader(tickets: world.application.tickets)
                .read(for: [user], after: ids[0], upTo: ids[1], limit: 10, from: world.pool)
            #expect(feed.map(\.notification.id) == [ids[1]])
            #expect(feed.allSatisfy { $0.tokenVersion == 1 && $0.user == user })
        }
    }

    @Test("types chooses some of them, also page by page, and one that is not known is named with the others")
    func types() async throws {
        try await RESTWorld.withAccount { world, token in
            for hour in 13..<17 {
                let id = try await world.register(token, "2027-03-01T\(hour):00:00Z")
                try await world.tell(id, .slotPartnered, nil, revision: nil)
                try await world.tell(id, .slotAlone, nil, revision: nil)
                try await world.tell(id, .sessionLapsed, nil, revision: nil)
            }
            let all = try await world.notifications(token)
            let lapsed = all.filter { $0["type"]?.string == "session.lapsed" }
            #expect(all.count == 12 && lapsed.count == 4)
            #expect(try await world.notifications(token, "?types=session.lapsed") == lapsed)
            #expect(try await world.notifications(token, "?types=room.opened").isEmpty)
            let slots = try await world.notifications(token, "?types=slot.alone,slot.partnered&order=desc")
            #expect(slots == all.filter { $0["type"]?.string?.hasPrefix("slot.") == true }.reversed())
            #expect(slots.first?["data"]?["startsAt"]?.string == "2027-03-01T16:00:00Z")
            #expect(slots.first?["data"]?["endsAt"]?.string == "2027-03-01T16:30:00Z")
            let page = try await world.send(
                "GET", "/v1/notifications?types=session.lapsed&limit=3", token: token)
            let link = try #require(page.headers["link"]).dropFirst().prefix { $0 != ">" }
            let next = try await world.send("GET", String(link), token: token)
            #expect(try next.json()["notifications"]?.array == Array(lapsed[3...]))
            for wrong in ["", "slot", "session.lapsed,", "slot.alone&types=slot.alone", "SLOT.ALONE"] {
                let refused = try await world.send("GET", "/v1/notifications?types=\(wrong)", token: token)
                #expect(refused.status == 400, "\(wrong)")
                for type in NotificationType.allCases { #expect(refused.text.contains(type.rawValue)) }
            }
        }
    }

    private static func names(_ notification: JSONValue) -> [String] {
        (notification["data"]?["partners"]?.array ?? []).compactMap { $0["name"]?.string }
    }
}
