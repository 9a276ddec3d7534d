import Client
import Contract
import Testing

@Suite("What is said about a session, on several servers", .timeLimit(.minutes(5)))
struct SessionWordsTests {
    @Test("reaches the room from whichever server it was said at, and version 1 hears none of it")
    func reaches() async throws {
        try await Stage.with { stage in
            let servers = [
                try await stage.startOne(), try await stage.startOne(), try await stage.startOne(),
            ]
            let people = try await Person.crowd(2, on: servers[0])
            // How it went is said from the start on.
            let slot = try await stage.grid.runningSlot
            let details = try await people[0].enter(slot)
            _ = try await people[1].enter(slot)
            let room = details.roomId
            let (one, old) = (
                try await RoomSocket.open(room, as: try people[1].at(servers[1])),
                try await RoomSocket.open(room, as: try people[1].at(servers[2]), version: 1)
            )
            let own = try await RoomSocket.open(room, as: people[0])
            _ = try await one.message("handshake")
            #expect(try await old.next() == .binary("{\"type\":\"handshake\"}"))
            _ = try await own.message("handshake")
            // The room is at one of the three; the other two have to tell that one.
            for (index, server) in servers.enumerated() {
                let api = try people[0].at(server).api
                let text = "Ready \(index) 🙂"
                #expect(try await api.checkIn(text, to: details.registrationId).checkIn == text)
                for device in [one, own] {
                    let heard = try await device.skip(to: "checkIn")
                    #expect(heard["checkIn"]?.string == text)
                    #expect(heard["member"]?.string == details.registrationId.description)
                }
                let said = try await api.setOutcome(.partly, note: "\(index)", of: details.registrationId)
                #expect(said.outcome == .partly && said.checkIn == text)
                for device in [one, own] {
                    let heard = try await device.skip(to: "outcome")
                    #expect(heard["outcome"]?.string == "partly" && heard["note"]?.string == "\(index)")
                }
                let seen = try await people[1].at(servers[(index + 1) % 3]).api.room(room)
                let words = SessionWords(checkIn: text, outcome: .partly, note: "\(index)")
                #expect(seen.members.first { !$0.you }?.words == words)
            }
            // An ale follows what version 1 would have heard.
            await own.cheer()
            #expect(try await old.next() == .binary("{\"type\":\"aleResponse\"}"))
            let late = try await RoomSocket.open(room, as: try people[1].at(servers[0]))
            let members = try await late.message("handshake")["members"]?.array ?? []
            let partner = members.first { $0["you"]?.bool == false }
            #expect(partner?["note"]?.string == "2" && partner?["checkIn"]?.string == "Ready 2 🙂")
            for device in [one, old, own, late] { await device.drop() }
        }
    }

    @Test("is still there after the server of the room was killed, and stays with the room's next owner")
    func killed() async throws {
        try await Stage.with { stage in
            let servers = [try await stage.startOne(), try await stage.startOne()]
            let people = try await Person.crowd(2, on: servers[0])
            // How it went is said from the start on.
            let slot = try await stage.grid.runningSlot
            let details = try await people[0].enter(slot)
            _ = try await people[1].enter(slot)
            let first = try await RoomSocket.open(details.roomId, as: people[1])
            _ = try await first.message("handshake")
            _ = try await people[0].api.checkIn("Ready", to: details.registrationId)
            _ = try await first.skip(to: "checkIn")
            await servers[0].kill()
            let other = try people[0].at(servers[1])
            _ = try await other.api.setOutcome(.done, of: details.registrationId)
            let again = try await RoomSocket.open(details.roomId, as: try people[1].at(servers[1]))
            let members = try await again.message("handshake")["members"]?.array ?? []
            let partner = members.first { $0["you"]?.bool == false }
            #expect(partner?["checkIn"]?.string == "Ready")
            // The room may be read after the device has come in.
            if partner?["outcome"] == nil {
                #expect(try await again.skip(to: "outcome")["outcome"]?.string == "done")
            }
            _ = try await other.api.checkIn(nil, to: details.registrationId)
            #expect(try await again.skip(to: "checkIn")["checkIn"] == .null)
            await again.drop()
        }
    }
}
