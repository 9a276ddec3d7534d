import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite("The intent of a registration")
struct RESTIntentTests {
    private static let slot = "2027-03-01T13:00:00Z"

    private static func body(_ more: String) -> String {
        #"{"task":"Write","slots":["\#(slot)"]\#(more)}"#
    }

    private static func intents(_ world: RESTWorld) async throws -> Int64? {
        try await world.pool.query("SELECT count(*) FROM intents").first?.decode(0, Int64.self)
    }

    @Test(
        "is refused where it makes no sense, and says where",
        arguments: [
            (#","with":"friends""#, "/with"), (#","with":null"#, "/with"), (#","with":["anyone"]"#, "/with"),
            (#","with":"""#, "/with"), (#","quiet":"yes""#, "/quiet"), (#","quiet":null"#, "/quiet"),
            (#","quiet":1"#, "/quiet"), (#","Quiet":true"#, "/Quiet"),
        ])
    func badInput(more: String, pointer: String) async throws {
        try await RESTWorld.withAccount { world, ann in
            let answer = try await world.send(
                "POST", "/v1/registrations", token: ann, body: Self.body(more))
            #expect(answer.status == 422, "\(answer.text)")
            let pointers = try answer.json()["errors"]?.array?.compactMap { $0["pointer"]?.string }
            #expect(pointers == [pointer])
            let id = try await world.register(ann, Self.slot)
            try await world.send(
                "PATCH", "/v1/registrations/\(id)", token: ann, body: "{\(more.dropFirst())}", expecting: 422)
        }
    }

    @Test("is shown only if it differs from the default, and costs others no row")
    func shown() async throws {
        try await RESTWorld.withAccount { world, ann in
            let plain = try await world.send(
                "POST", "/v1/registrations", token: ann,
                body: #"{"task":"Read","slots":["2027-03-01T12:30:00Z"],"with":"anyone","quiet":false}"#)
            #expect(plain.status == 201)
            let first = try #require(try plain.json()["registrations"]?.array?.first)
            #expect(first["with"] == nil && first["quiet"] == nil)
            #expect(try await Self.intents(world) == 0)
            let made = try await world.send(
                "POST", "/v1/registrations", token: ann,
                body: Self.body(#","with":"favourites","quiet":true"#))
            let registration = try #require(try made.json()["registrations"]?.array?.first)
            #expect(registration["with"]?.string == "favourites" && registration["quiet"]?.bool == true)
            #expect(try await Self.intents(world) == 1)
            let id = try #require(registration["id"]?.string)
            let read = try await world.send("GET", "/v1/registrations/\(id)", token: ann)
            #expect(try read.json() == registration)
            let list = try await world.send("GET", "/v1/registrations", token: ann)
            #expect(try list.json()["registrations"]?.array?.last == registration)
        }
    }

    @Test("is changed until the room opens, and its entity tag with it")
    func changed() async throws {
        try await RESTWorld.withAccount { world, ann in
            let id = try await world.register(ann, Self.slot)
            let path = "/v1/registrations/\(id)"
            let before = try await world.send("GET", path, token: ann)
            let quiet = try await world.send("PATCH", path, token: ann, body: #"{"quiet":true}"#)
            #expect(try quiet.json()["quiet"]?.bool == true && quiet.json()["with"] == nil)
            #expect(quiet.headers["etag"] != before.headers["etag"])
            let both = try await world.send("PATCH", path, token: ann, body: #"{"with":"favourites"}"#)
            #expect(try both.json()["quiet"]?.bool == true)
            #expect(try both.json()["with"]?.string == "favourites")
            try await world.send(
                "PATCH", path, token: ann, body: #"{"with":"anyone"}"#,
                headers: ["If-Match: \(before.headers["etag"] ?? "")"], expecting: 412)
            let reset = try await world.send(
                "PATCH", path, token: ann, body: #"{"with":"anyone","quiet":false}"#)
            #expect(try reset.json()["quiet"] == nil && reset.json()["with"] == nil)
            _ = try await world.open([id], at: Self.slot)
            try await world.send("PATCH", path, token: ann, body: #"{"quiet":true}"#, expecting: 409)
        }
    }

    @Test(
        "partners see who wants no ales, in the room and in notifications, and not who meets favourites only")
    func partners() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let startsAt = RESTWorld.past(1)
            let ids = [
                try await world.registered(ann, startsAt), try await world.registered(bea, startsAt),
            ]
            try await world.pool.query(
                "INSERT INTO intents (registration_id, favourites_only, quiet) VALUES ($1, true, true)",
                [ids[1]])
            let room = try await world.met(startsAt, ids, isOver: false)
            try await world.pool.query(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id, room_id, revision)
                VALUES ($1, 'room.opened', $2, $3, $4, 1)
                """, [ann.id, startsAt, ids[0], room])
            let read = try await world.send("GET", "/v1/rooms/\(room)", token: ann.token)
            let members = try #require(try read.json()["members"]?.array)
            let bySelf = Dictionary(
                members.map { ($0["name"]?.string ?? "", $0["quiet"]?.bool) }
            ) { one, _ in one }
            #expect(bySelf == ["Ann": nil, "Bea": true])
            #expect(!read.text.contains("favourites"))
            let told = try await world.send("GET", "/v1/notifications", token: ann.token)
            let partner = try told.json()["notifications"]?.array?.first?["data"]?["partners"]?.array?.first
            #expect(partner?["quiet"]?.bool == true, "\(told.text)")
        }
    }

    @Test("waits for a match that is being written, and is refused where that has opened the room")
    func race() async throws {
        try await RESTWorld.withAccount { world, ann in
            let id = try await world.register(ann, Self.slot)
            let startsAt = try #require(Timestamp(Self.slot))
            let room = Identifier(value: 7)
            let status = try await withThrowingTaskGroup(of: Int.self) { group in
                try await world.pool.transaction { connection in
                    try await SlotLock.take(startsAt, on: connection)
                    try await SlotLock.allow(idle: .seconds(240), on: connection)
                    try await connection.query(
                        "INSERT INTO rooms (id, starts_at, opened_at) VALUES ($1, $2, $2)", [room, startsAt])
                    try await connection.query(
                        "INSERT INTO members (room_id, registration_id) VALUES ($1, $2)", [room, id])
                    group.addTask {
                        try await world.send(
                            "PATCH", "/v1/registrations/\(id)", token: ann, body: #"{"with":"favourites"}"#
                        ).status
                    }
                    try await world.pool.waitForBlocked()
                }
                return try await group.next()
            }
            #expect(status == 409)
            #expect(try await Self.intents(world) == 0)
        }
    }

    @Test("goes with the account, and with the registration")
    func removal() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            for token in [ann, bea] {
                try await world.send(
                    "POST", "/v1/registrations", token: token, body: Self.body(#","quiet":true"#),
                    expecting: 201)
            }
            try await world.delete("/v1/me", ann, expecting: 204)
            #expect(try await Self.intents(world) == 1)
            try await world.pool.query("DELETE FROM registrations")
            #expect(try await Self.intents(world) == 0)
        }
    }
}
