import API
import Contract
import Database
import Postgres
import Reactor
import Testing

@testable import BackendTesting
@testable import Rooms

@Suite struct RESTRoomTests {
    private static let slot = "2027-03-01T12:30:00Z"

    @Test("a member sees the room: who is in it, who is there, and a ticket of one's own")
    func room() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let ids = [
                try await world.register(ann, Self.slot, task: "Write"),
                try await world.register(bea, Self.slot, task: "Read"),
            ]
            let room = try await world.open(ids, at: Self.slot)
            try await world.pool.query(
                "UPDATE members SET present_on = 'a' WHERE registration_id = $1", [ids[1]])
            try await world.pool.query("UPDATE rooms SET ales = 3")
            let seen = try await world.send("GET", "/v1/rooms/\(room)", token: ann).json()
            #expect(seen["opensAt"]?.string == "2027-03-01T12:29:00Z")
            #expect(seen["closesAt"]?.string == "2027-03-01T13:00:00Z")
            #expect(seen["ales"]?.int == 3)
            let url = try #require(seen["socketUrl"]?.string)
            let ticket = try #require(
                url.split(separator: "=").last.flatMap { world.application.tickets.read(String($0)) })
            #expect(ticket.room == room)
            #expect(ticket.expires == Timestamp("2027-03-01T13:00:00Z"))
            let members = try #require(seen["members"]?.array)
            #expect(members.map { $0["id"]?.string } == ids.sorted().map(\.description))
            let own = try #require(members.first { $0["you"]?.bool == true })
            #expect(own["name"]?.string == "Ann")
            #expect(own["present"]?.bool == false)
            let other = try #require(members.first { $0["you"]?.bool == false })
            #expect(other["task"]?.string == "Read")
            #expect(other["present"]?.bool == true)
        }
    }

    @Test("what the room itself knows goes before what is stored, until it is over")
    func snapshot() async throws {
        try await RESTWorld.withAccount { world, ann in
            let id = try await world.register(ann, Self.slot)
            let room = try await world.open([id], at: Self.slot)
            world.snapshots.withLock { $0[room] = RoomSnapshot(present: [id], ales: 9) }
            let open = try await world.send("GET", "/v1/rooms/\(room)", token: ann).json()
            #expect(open["ales"]?.int == 9)
            #expect(open["members"]?.array?.first?["present"]?.bool == true)
            world.clock.now = try #require(Timestamp("2027-03-01T13:00:00Z"))
            let over = try await world.send("GET", "/v1/rooms/\(room)", token: ann).json()
            #expect(over["members"]?.array?.first?["present"]?.bool == false)
        }
    }

    @Test("a room is there for its members only: not for strangers, nor for those who left or cancelled")
    func notFound() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let id = try await world.register(ann, Self.slot)
            let room = try await world.open([id], at: Self.slot)
            for path in ["\(room)", "x", "00000000-0000-0000-0000-000000000000"] {
                #expect(try await world.send("GET", "/v1/rooms/\(path)", token: bea).problem == "not-found")
            }
            try await world.pool.query("UPDATE members SET left_revision = 2")
            #expect(try await world.send("GET", "/v1/rooms/\(room)", token: ann).status == 404)
            try await world.pool.query("UPDATE members SET left_revision = NULL")
            try await world.pool.query("UPDATE registrations SET cancelled_at = now()")
            #expect(try await world.send("GET", "/v1/rooms/\(room)", token: ann).status == 404)
        }
    }

    @Test("rooms come newest first, page by page, and former users without a task")
    func list() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            var rooms: [String] = []
            for hour in 10...12 {
                let slot = "2027-03-02T\(hour):00:00Z"
                let ids = [try await world.register(ann, slot), try await world.register(bea, slot)]
                rooms.append(try await world.open(ids, at: slot).description)
            }
            try await world.pool.query(
                """
                UPDATE registrations SET user_id = NULL, task = NULL
                WHERE user_id = (SELECT id FROM users WHERE name = 'Bea')
                """)
            let first = try await world.send("GET", "/v1/rooms?limit=2", token: ann).json()
            #expect(first["rooms"]?.array?.map { $0["id"]?.string } == [rooms[2], rooms[1]])
            let members = first["rooms"]?.array?.first?["members"]?.array ?? []
            #expect(members.count == 2)
            #expect(members.contains { $0["name"]?.string == "former user" && $0["task"] == .null })
            let cursor = try #require(first["nextCursor"]?.string)
            let second = try await world.send("GET", "/v1/rooms?limit=2&cursor=\(cursor)", token: ann).json()
            #expect(second["rooms"]?.array?.map { $0["id"]?.string } == [rooms[0]])
            #expect(second["nextCursor"] == nil)
        }
    }
}
