import Client
import Contract
import Testing

@Suite("The end of a slot", .timeLimit(.minutes(5)))
struct ClosingTests {
    @Test("closes the room with a word and 1000, and tells who came and who did not")
    func end() async throws {
        let grid = Grid(slotSeconds: 15, leadSeconds: 15, lateSeconds: 15)
        try await Stage.withServer(grid) { _, server in
            let people = try await Person.crowd(3, on: server)
            let startsAt = grid.slot(openingAfter: .seconds(3))
            for person in people { try await person.register(startsAt) }
            let room = try await people[0].roomOpened().roomId
            let ticket = try await people[0].roomOpened().socketUrl
            let away = try await RoomSocket.open(room, as: people[0])
            let epoch = try #require(try await away.message("handshake")["epoch"]?.string)
            await away.drop()
            while try await people[1].api.room(room).members.contains(where: \.present) {}
            let old = try await RoomSocket.open(room, as: people[1], version: 1)
            await old.send("{\"type\":\"ale\",\"id\":\"\(room)\"}")
            while try await people[1].api.room(room).ales == 0 {}
            // Missed ales arrive with the recovery, and count as if heard at once.
            let new = try await RoomSocket.open(room, as: people[0], epoch: epoch, since: 0)
            #expect(try await new.skip(to: "aleResponse")["seq"]?.int == 1)
            await new.cheer("last")
            _ = try await new.skip(to: "ack")
            _ = try await new.skip(to: "roomClosed")
            #expect(Timestamp.now.adding(Grid.clockError) >= grid.endsAt(startsAt))
            #expect(try await new.next() == .closed(1000, ""))
            #expect(try await old.next() == .binary("{\"type\":\"handshake\"}"))
            #expect(try await old.next() == .binary("{\"type\":\"aleResponse\"}"))
            #expect(try await old.next() == .closed(1000, ""))
            for (index, counts) in [(0, (1, 1)), (1, (1, 1))] {
                let summary = try await people[index].notification("session.completed") { notification in
                    if case .sessionCompleted(let summary) = notification.data { summary } else { nil }
                }
                #expect(summary.alesSent == counts.0)
                #expect(summary.alesReceived == counts.1)
                #expect(summary.partners.count == 2)
                let stats = try await people[index].api.stats()
                #expect(stats.alesSent == Int64(counts.0) && stats.alesReceived == Int64(counts.1))
                #expect(summary.roomId == room)
            }
            let missed = try await people[2].notification("session.missed") { notification in
                if case .sessionMissed(let session) = notification.data { session } else { nil }
            }
            #expect(missed.startsAt == startsAt && missed.roomId == room)
            let states = try await [people[0], people[1], people[2]].asyncMap {
                try await $0.api.registrations().registrations.map(\.state.known)
            }
            #expect(states == [[.attended], [.attended], [.missed]])
            // A ticket is valid until the room closes.
            let expired = await #expect(throws: RoomSocket.APIError.self) {
                _ = try await RoomSocket.open(url: ticket)
            }
            #expect([401, 410].contains(expired?.status))
            let refused = await #expect(throws: RoomSocket.APIError.self) {
                _ = try await RoomSocket.open(room, as: people[0])
            }
            #expect(refused?.status == 410)
            let registration = try #require(try await people[0].api.registrations().registrations.first)
            let late = try await Curl(
                "-X", "DELETE", "\(server.url)/v1/registrations/\(registration.id)", "-H",
                "Authorization: Bearer \(people[0].token)")
            #expect(late.status == 409)
        }
    }

    @Test("that no server saw lapses, and counts for no absence")
    func lapsed() async throws {
        let grid = Grid(slotSeconds: 5, leadSeconds: 0, lateSeconds: 0)
        try await Stage.with(grid) { stage in
            let first = try await stage.start()
            let person = try await Person(named: "Ada", on: first)
            let startsAt = grid.slot(openingAfter: .seconds(8))
            try await person.register(startsAt)
            await first.kill()
            try await Timestamp.reach(grid.endsAt(startsAt))
            let back = try person.at(try await stage.start())
            let lapsed = try await back.notification("session.lapsed") { notification in
                if case .sessionLapsed(let session) = notification.data { session.startsAt } else { nil }
            }
            #expect(lapsed == startsAt)
            #expect(try await back.api.registrations().registrations.map(\.state.known) == [.lapsed])
            #expect(try await back.api.notifications().count == 1)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
