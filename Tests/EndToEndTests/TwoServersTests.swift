import Client
import Contract
import Reactor
import Testing

@Suite("Two servers on one database", .timeLimit(.minutes(5)))
struct TwoServersTests {
    @Test(
        "match each person once, and if one is killed at the instant the other does it", arguments: [0, 15])
    func killed(milliseconds: Int) async throws {
        let grid = Grid(slotSeconds: 40, leadSeconds: 8, lateSeconds: 8)
        try await Stage.with(grid) { stage in
            let (one, other) = (try await stage.start(), try await stage.start())
            let people = try await Person.crowd(5, on: one) + Person.crowd(3, on: other)
            let startsAt = grid.slot(openingAfter: .seconds(5))
            for person in people { try await person.register(startsAt) }
            try await Timestamp.reach(grid.opensAt(startsAt).adding(.milliseconds(milliseconds)))
            await one.kill()
            let rooms = try await Outcome.check(try people.map { try $0.at(other) }, startsAt)
            #expect(rooms.values.map(\.count).sorted() == [2, 2, 2, 2])
            try await Outcome.cheer(in: rooms)
        }
    }

    @Test("match each person once, both alive")
    func together() async throws {
        let grid = Grid(slotSeconds: 40, leadSeconds: 8, lateSeconds: 8)
        try await Stage.with(grid) { stage in
            let (one, other) = (try await stage.start(), try await stage.start())
            let people = try await Person.crowd(4, on: one) + Person.crowd(5, on: other)
            let startsAt = grid.slot(openingAfter: .seconds(5))
            for person in people { try await person.register(startsAt) }
            let rooms = try await Outcome.check(people, startsAt)
            #expect(rooms.values.map(\.count).sorted() == [2, 2, 2, 3])
        }
    }

    @Test("tell each other's rooms who comes late, who cancels and whose token is replaced")
    func changeEvents() async throws {
        try await Stage.with { stage in
            let (one, other) = (try await stage.start(), try await stage.start())
            let ada = try await Person(named: "Ada", on: one)
            let bea = try await Person(named: "Bea", on: one)
            let slot = stage.grid.openSlot
            let room = try await ada.enter(slot).roomId
            #expect(try await bea.enter(slot).roomId == room)
            let adas = try await RoomSocket.open(room, as: ada)
            let beas = try await RoomSocket.open(room, as: bea)
            _ = try await adas.skip(to: "presence")
            // Cid arrives late through the other server.
            let cid = try await Person(named: "Cid", on: other)
            #expect(try await cid.enter(slot).roomId == room)
            for socket in [adas, beas] {
                try await socket.becomes(["Ada", "Bea", "Cid"])
            }
            // The load balancer brings Cid to the room's own server.
            let cids = try await RoomSocket.open(room, as: try cid.at(one))
            _ = try await cids.message("handshake")
            await cids.cheer()
            _ = try await adas.skip(to: "aleResponse")
            // A change at the other server reaches the sockets at this one.
            let registration = try #require(try await cid.api.registrations().registrations.first)
            try await cid.api.cancel(registration.id)
            #expect(try await cids.close() == .closed(1008, "no longer a member"))
            try await adas.becomes(["Ada", "Bea"])
            let token = try await bea.at(other).api.rotateToken()
            _ = try await bea.at(other).with(token: token).api.me()
            try await beas.closes(with: 1008)
        }
    }
}
