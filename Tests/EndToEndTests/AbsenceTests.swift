import Client
import Contract
import Testing

@Suite("Partners who do not come", .timeLimit(.minutes(5)))
struct AbsenceTests {
    @Test("two who are alone are brought together, and the one who is moved needs no new login")
    func together() async throws {
        let grid = Grid(slotSeconds: 20, leadSeconds: 8, lateSeconds: 8)
        try await Stage.withServer(grid, ["NO_SHOW_SECONDS": "1"]) { _, server in
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
            for one in present { details.append(try await one.person.roomChanged()) }
            let moved = try #require(details.indices.first { details[$0].roomId != present[$0].room })
            let host = 1 - moved
            #expect(details[moved].roomId == present[host].room && details[host].roomId == present[host].room)
            let message = try await sockets[moved].skip(to: "moved")
            #expect(message["id"]?.string == "\(present[host].room)")
            try await sockets[moved].closes(with: 4200)
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

    @Test("two whose partners cancel or delete their accounts meet at once, without a no-show time")
    func leftBehind() async throws {
        let grid = Grid(slotSeconds: 20, leadSeconds: 8, lateSeconds: 8)
        try await Stage.withServer(grid, ["NO_SHOW_SECONDS": "3600"]) { _, server in
            let people = try await Person.crowd(4, on: server)
            let startsAt = grid.slot(openingAfter: .seconds(1))
            for person in people { try await person.register(startsAt) }
            var rooms: [Identifier: [Person]] = [:]
            for person in people { rooms[try await person.roomOpened().roomId, default: []].append(person) }
            let pairs = rooms.map { (room: $0.key, stays: $0.value[0], leaves: $0.value[1]) }
            try #require(pairs.count == 2)
            var sockets: [RoomSocket] = []
            for pair in pairs {
                let socket = try await RoomSocket.open(pair.room, as: pair.stays)
                _ = try await socket.message("handshake")
                sockets.append(socket)
            }
            try await pairs[0].leaves.api.cancel(try await pairs[0].leaves.roomOpened().registrationId)
            try await pairs[1].leaves.api.deleteMe()
            // The first change of a room is that the partner left; the last one has the new partner.
            var met: Set<Identifier> = []
            for (pair, other) in zip(pairs, pairs.reversed()) {
                let name = other.stays.user.name
                let details = try await pair.stays.roomChanged { $0.partners.map(\.name) == [name] }
                met.insert(details.roomId)
            }
            #expect(met.count == 1)
            withExtendedLifetime(sockets) {}
        }
    }
}
