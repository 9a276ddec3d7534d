import Client
import Contract
import Testing

@Suite("Partners who do not come", .timeLimit(.minutes(5)))
struct AbsenceTests {
    @Test("two who are alone are brought together, and whoever is moved needs no new login")
    func together() async throws {
        let grid = Grid(slotSeconds: 20, leadSeconds: 8, lateSeconds: 8)
        try await Stage.with(grid, ["NO_SHOW_SECONDS": "1"]) { stage in
            let server = try await stage.start()
            let people = try await Person.crowd(4, on: server)
            let startsAt = grid.slot(openingAfter: .seconds(1))
            for person in people { try await person.register(startsAt) }
            var rooms: [Identifier: [Person]] = [:]
            for person in people { rooms[try await person.roomOpened().roomId, default: []].append(person) }
            #expect(rooms.count == 2)
            let present = rooms.compactMap { room, members in members.first.map { (room: room, person: $0) } }
            var sockets: [RoomSocket] = []
            for one in present { sockets.append(try await RoomSocket.open(one.room, as: one.person)) }
            var details: [NotificationData.RoomDetails] = []
            for one in present { details.append(try await Self.roomChanged(one.person)) }
            let moved = try #require(details.indices.first { details[$0].roomId != present[$0].room })
            let host = 1 - moved
            #expect(details[moved].roomId == present[host].room && details[host].roomId == present[host].room)
            let message = try await sockets[moved].skip(to: "moved")
            #expect(message["id"]?.string == "\(present[host].room)")
            guard case .closed(4200, _) = try await sockets[moved].close() else {
                Issue.record("not closed as moved")
                return
            }
            let url = try #require(message["socketUrl"]?.string)
            let again = try await RoomSocket.open(url: url)
            let names = try await again.message("handshake")["members"]?.array?.compactMap {
                $0["name"]?.string
            }
            #expect(Set(names ?? []).isSuperset(of: present.map(\.person.user.name)))
            await sockets[host].cheer()
            _ = try await again.skip(to: "aleResponse")
        }
    }

    private static func roomChanged(_ person: Person) async throws -> NotificationData.RoomDetails {
        try await person.notification("room.changed") { notification in
            if case .roomChanged(let details) = notification.data { details } else { nil }
        }
    }
}
