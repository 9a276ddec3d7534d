import Contract
import HTTPServer
import Postgres
import Reactor
import Rooms
import Scheduling
import Testing

@testable import API
@testable import BackendTesting
@testable import Console
@testable import Database

@Suite("Rooms at the desk")
struct DeskRoomTests {
    private static let slot = "2027-03-01T13:00:00Z"
    private static let other = Identifier(value: 0x77)

    /// A room of one person, and the token of that person.
    private static func room(_ desk: DeskWorld) async throws -> (id: Identifier, token: String) {
        let ann = try await desk.person("Ann")
        let registration = try await desk.world.register(ann.token, slot, task: "Work")
        return (try await desk.world.open([registration], at: slot), ann.token)
    }

    @Test("are closed for good: no member is matched into them, and the act is in the audit log")
    func closed() async throws {
        try await DeskWorld.with { desk in
            let (room, person) = try await Self.room(desk)
            let token = try await desk.token(.admin)
            let support = try await desk.token(.support)
            #expect(try await desk.send("POST", "/rooms/\(room)/close", token: support).status == 403)
            #expect(try await desk.actions() == [])
            let done = try await desk.send("POST", "/rooms/\(room)/close", token: token)
            #expect(done.status == 200, "\(done.text)")
            let now = desk.world.clock.now
            #expect(try done.json()["closedAt"]?.string != nil, "\(done.text)")
            let timeline = try #require(try done.json()["timeline"]?.array)
            #expect(timeline.contains { $0["what"]?.string == "closed" }, "\(done.text)")
            #expect(desk.world.changeEvents.withLock { $0 }.contains(.room(room)))
            #expect(try await desk.actions() == ["room.close"])
            #expect(try await desk.verification().fault == nil)
            // An act whose answer was lost is told again.
            desk.world.changeEvents.withLock { $0 = [] }
            try await desk.send("POST", "/rooms/\(room)/close", token: token, expecting: 409)
            #expect(desk.world.changeEvents.withLock { $0 }.contains(.room(room)))
            #expect(try await desk.actions() == ["room.close"])
            // The member reads that the room has closed already.
            let seen = try await desk.world.send("GET", "/v1/rooms/\(room)", token: person).json()
            #expect(seen["closesAt"]?.string == "\(now)", "\(seen)")
            #expect(seen["closedBy"]?.string == "operator", "\(seen)")
            // A late registration finds no room with a free place, since the only one is closed.
            let slot = try #require(Timestamp(Self.slot))
            let candidates = try await desk.world.pool.transaction { connection in
                try await PostgresSlot(startsAt: slot, connection: connection).members(awayAfter: nil)
            }
            #expect(candidates.isEmpty)
            let open = try await desk.send("GET", "/rooms", token: token).json()
            #expect(open["rooms"]?.array?.isEmpty == true)
        }
    }

    @Test("that an operator closed are closed on the day of their members, until the slot is over")
    func closedOnTheDay() async throws {
        try await DeskWorld.with { desk in
            let (room, person) = try await Self.room(desk)
            let slot = try #require(Timestamp(Self.slot))
            desk.world.clock.now = slot
            func seen() async throws -> SlotView {
                let read = try await desk.world.send(
                    "GET", "/v1/slots?date=2027-03-01&timeZone=UTC", token: person)
                let list = try JSON.decode(SlotList.self, from: read.body)
                return try #require(list.slots.first { $0.startsAt == slot })
            }
            let open = try await seen()
            #expect(open.state == .open && open.roomId == room && open.closedBy == nil)
            let token = try await desk.token(.admin)
            #expect(try await desk.send("POST", "/rooms/\(room)/close", token: token).status == 200)
            let closed = try await seen()
            #expect(closed.state == .closed && closed.roomId == nil && closed.closedBy == .known(.operator))
            #expect(closed.message == "An operator closed your room." && closed.registrationId != nil)
            desk.world.clock.now = open.endsAt
            let over = try await seen()
            #expect(over.state != .closed && over.roomId == room && over.closedBy == nil)
        }
    }

    @Test("that are closed are read as closed by their server")
    func read() async throws {
        try await DeskWorld.with { desk in
            let (room, _) = try await Self.room(desk)
            func isClosed() async throws -> Bool? {
                let found = Lock<Bool?>(nil)
                try await MembershipReader.read(
                    [room], lead: .seconds(60), log: Self.other, from: desk.world.pool
                ) { membership in found.withLock { $0 = membership.isClosed } }
                return found.withLock { $0 }
            }
            #expect(try await isClosed() == false)
            let token = try await desk.token(.admin)
            #expect(try await desk.send("POST", "/rooms/\(room)/close", token: token).status == 200)
            #expect(try await isClosed() == true)
        }
    }

    private static let claim = "UPDATE rooms SET owner = $2 WHERE id = $1"

    /// Makes a server that has joined, as one of them does.
    private static func join(_ server: Identifier, _ desk: DeskWorld) async throws -> ServerDirectory.Own {
        let own = ServerDirectory.Own(
            incarnation: server, address: "http://127.0.0.1:1", label: "s\(server.value)", version: "1")
        _ = try await ServerDirectory(pool: desk.world.pool).renew(own)
        return own
    }

    @Test("are moved to a server that serves, by the one that has them; the act is in the audit log")
    func moved() async throws {
        try await DeskWorld.with { desk in
            let (room, _) = try await Self.room(desk)
            let admin = try await desk.token(.admin)
            let mine = try await Self.join(Self.other, desk)
            var next = try await Self.join(Identifier(value: 0x78), desk)
            func ask(_ server: Identifier, as token: String? = nil) async throws -> RawHTTP.Response {
                try await desk.send(
                    "POST", "/rooms/\(room)/move", token: token ?? admin, body: "{\"server\":\"\(server)\"}")
            }
            var support: String { get async throws { try await desk.token(.support) } }
            #expect(try await ask(next.incarnation, as: try await support).status == 403)
            let free = try await ask(next.incarnation)
            #expect(free.status == 409 && free.text.contains("No server has this room"), "\(free.text)")
            _ = try await desk.world.pool.query(Self.claim, [room, mine.incarnation])
            let same = try await ask(mine.incarnation)
            #expect(same.status == 409 && same.text.contains("has the room already"), "\(same.text)")
            #expect(try await ask(Identifier(value: 0x99)).status == 409)
            #expect(try await desk.send("POST", "/rooms/\(room)/move", token: admin).status == 422)
            #expect(try await desk.actions() == [])
            desk.world.changeEvents.withLock { $0 = [] }
            #expect(try await ask(next.incarnation).status == 202)
            #expect(desk.world.changeEvents.withLock { $0 } == [.move(room, to: next.incarnation)])
            #expect(try await desk.actions() == ["room.move"])
            // A server that ends takes no rooms, and a room that is closed stays where it is.
            next.state = .draining
            _ = try await ServerDirectory(pool: desk.world.pool).renew(next)
            #expect(try await ask(next.incarnation).status == 409)
            next.state = .serving
            _ = try await ServerDirectory(pool: desk.world.pool).renew(next)
            #expect(try await desk.send("POST", "/rooms/\(room)/close", token: admin).status == 200)
            let closed = try await ask(next.incarnation)
            #expect(closed.status == 409 && closed.text.contains("closed already"), "\(closed.text)")
            #expect(try await desk.verification().fault == nil)
        }
    }

    @Test("limits that a person has met are on the person's screen")
    func limits() async throws {
        try await DeskWorld.withPerson { desk, ann in
            let token = try await desk.token(.viewer)
            let before = try await desk.send("GET", "/people/\(ann.id)", token: token).json()
            #expect(before["limitsHit"] == .null && before["name"]?.string == "Ann")
            let lease = try desk.world.application.limits.export(of: ann.id, from: ClientAddress(nil))
            try await desk.world.send("GET", "/v1/me/export", token: ann.token, expecting: 429)
            let after = try await desk.send("GET", "/people/\(ann.id)", token: token).json()
            #expect(after["limitsHit"]?["counts"]?["exports"]?.int == 1)
            #expect(after["limitsHit"]?["since"]?.string != nil)
            withExtendedLifetime(lease) {}
        }
    }
}
