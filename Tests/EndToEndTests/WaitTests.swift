import Contract
import Glibc
import Reactor
import Testing

@Suite("A wait of the command line", .timeLimit(.minutes(5)))
struct WaitTests {
    @Test("goes on after the server was killed, and sees what happened meanwhile")
    func restart() async throws {
        try await Stage.with { stage in
            let (first, other) = (try await stage.start(), try await stage.start())
            let ada = try await Person(named: "Ada", on: first)
            let user = try CommandLineUser(first)
            #expect(try await user.run("login", "--token-file", "-", input: ada.token).status == 0)
            let room = try await ada.enter(stage.grid.openSlot)
            let open = try await user.run("wait", "--until", "open", "--timeout", "1m")
            #expect(open.status == 0 && open.output == "The room is open.\n", "\(open)")
            let matched = try user.start("wait", "--until", "matched")
            let connected = try user.start("wait", "--until", "connected", "--json")
            #expect(await matched.hasPrinted("you are alone so far", on: .standardError))
            #expect(await connected.hasPrinted("you are alone so far", on: .standardError))
            await first.kill()
            let bea = try await Person(named: "Bea", on: other)
            _ = try await bea.enter(stage.grid.openSlot)
            #expect(await matched.hasPrinted("Again", on: .standardError))
            _ = try await stage.start(inPlaceOf: first)
            #expect(await matched.ending() == .exited(0), "\(matched.output(.standardError))")
            #expect(matched.output() == "You are with Bea.\n")
            // Bea has a room, and has not entered it.
            #expect(await connected.hasPrinted("with Bea", on: .standardError))
            #expect(connected.output().isEmpty)
            let socket = try await RoomSocket.open(room.roomId, as: bea)
            #expect(await connected.ending() == .exited(0), "\(connected.output(.standardError))")
            let reached = try JSONValue.parse(Array(connected.output().utf8))
            #expect(reached["roomId"]?.string == room.roomId.description)
            _ = socket
        }
    }

    @Test("has a partner before the opening, as soon as another person registers")
    func partnered() async throws {
        let grid = Grid(slotSeconds: 86_400, leadSeconds: 0, lateSeconds: 0)
        try await Stage.withPerson(grid) { _, server, ada in
            let user = try CommandLineUser(server)
            #expect(try await user.run("login", "--token-file", "-", input: ada.token).status == 0)
            #expect(try await user.run("wait", "--until", "matched").status == 4)
            let slot = grid.slot(openingAfter: .seconds(600))
            try await ada.register(slot)
            let alone = try await user.run("wait", "--until", "matched", "--timeout", "1")
            #expect(alone.status == 8, "\(alone)")
            try await Person(named: "Bea", on: server).register(slot)
            let matched = try await user.run("wait", "--until", "matched", "--timeout", "1m")
            #expect(matched.status == 0 && matched.output.hasPrefix("You have a partner"), "\(matched)")
            let open = try await user.run("wait", "--until", "open", "--timeout", "1")
            #expect(open.status == 8, "\(open)")
        }
    }
}
