import Client
import Contract
import Reactor
import TestKit
import Testing

@Suite("A server that is killed", .timeLimit(.minutes(10)))
struct CrashTests {
    static let grid = Grid(slotSeconds: 24, leadSeconds: 8, lateSeconds: 8)

    @Test(
        "around the instant of the match leaves each person in one room, notified once",
        arguments: [-50, 0, 5, 20, 60, 150])
    func matching(milliseconds: Int) async throws {
        try await Stage.with(Self.grid) { stage in
            let first = try await stage.start()
            let people = try await Person.crowd(7, on: first)
            let startsAt = stage.grid.slot(openingAfter: .seconds(5))
            for person in people { try await person.register(startsAt) }
            try await Timestamp.reach(stage.grid.opensAt(startsAt).adding(.milliseconds(milliseconds)))
            await first.kill()
            let second = try await stage.start()
            let back = try people.map { try $0.at(second) }
            let rooms = try await Outcome.check(back, startsAt)
            #expect(rooms.values.map(\.count).sorted() == [2, 2, 3])
            try await Outcome.cheer(in: rooms)
        }
    }

    @Test("keeps its key: a ticket from before the crash opens the room after it")
    func ticket() async throws {
        try await Stage.with { stage in
            let first = try await stage.start()
            let ada = try await Person(named: "Ada", on: first)
            let details = try await ada.enter(stage.grid.openSlot)
            await first.kill()
            let second = try await stage.start()
            let ticket = try #require(details.socketUrl.split(separator: "token=").last)
            let socket = try await RoomSocket.open(
                "/socket?id=\(details.roomId)&token=\(ticket)", port: second.port,
                protocols: ["letsswitch.v2"])
            #expect(try await socket.message("handshake")["room"]?.string == "\(details.roomId)")
        }
    }

    @Test("gets its people back into the room by themselves, and what waited meanwhile arrives once")
    func connections() async throws {
        try await Stage.with { stage in
            let first = try await stage.start()
            let people = try await Person.crowd(2, on: first)
            for person in people { try await person.register(stage.grid.openSlot) }
            // The first person may be alone until the second has come.
            let room = try await people[1].roomOpened().roomId
            #expect(try await people[0].roomOpened().roomId == room)
            let sender = try people[0].api.connection(in: room)
            let hearer = try people[1].api.connection(in: room)
            let heard = hearer.events
            for connection in [sender, hearer] {
                try await connection.waitUntilConnected(timeout: .seconds(120))
            }
            #expect(try await sender.send(.ale()) == .acknowledged(seq: 1))

            let states = sender.states
            await first.kill()
            _ = try await within("the loss") {
                await states.first { if case .waiting = $0 { true } else { false } }
            }
            #expect(try await sender.send(.ale()) == .queued)
            // The rooms file stays with the one that was killed.
            let folder = TemporaryFolder()
            _ = try await stage.start(["DATA_DIR": folder.path], inPlaceOf: first)
            for connection in [sender, hearer] {
                try await connection.waitUntilConnected(timeout: .seconds(120))
            }
            try await sender.flush(timeout: .seconds(120))
            #expect(await sender.counters.reconnects == 1)
            #expect(await sender.health == .healthy)

            for connection in [sender, hearer] { await connection.stop() }
            var ales: [Int64] = []
            for await event in heard {
                if case .ale(let ale) = event { ales.append(ale.seq) }
            }
            // The numbers restart with the server; the second may have come before the hearer was back.
            #expect(ales == [1, 1] || ales == [1])
        }
    }
}
