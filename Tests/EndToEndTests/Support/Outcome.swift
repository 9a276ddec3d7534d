import Client
import Contract
import Testing

/// Checks of a matched slot from outside, whatever happened on the way.
enum Outcome {
    /// Checks that each person is in exactly one room, whose size fits, and was notified once, and that the
    /// rooms agree with the notifications. Returns the people of each room.
    @discardableResult
    static func check(
        _ people: [Person], _ startsAt: Timestamp, roomSizes: ClosedRange<Int> = 2...3,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> [Identifier: [Person]] {
        var rooms: [Identifier: [Person]] = [:]
        for person in people {
            let details = try await person.roomOpened()
            let told = try await person.api.notifications(limit: 200)
            let opened = told.filter { $0.type == "room.opened" }
            #expect(opened.count == 1, "\(person.user.name) was told: \(told)", sourceLocation: location)
            #expect(details.startsAt == startsAt, sourceLocation: location)
            let list = try await person.api.registrations(limit: 200).registrations
            let live = list.filter { $0.state != .cancelled }
            #expect(live.map(\.roomId) == [details.roomId], sourceLocation: location)
            #expect(live.map(\.id) == [details.registrationId], sourceLocation: location)
            rooms[details.roomId, default: []].append(person)
        }
        for (room, members) in rooms {
            #expect(roomSizes.contains(members.count), sourceLocation: location)
            guard let first = members.first else { continue }
            let seen = try await first.api.room(room)
            #expect(
                Set(seen.members.map(\.name)) == Set(members.map(\.user.name)), sourceLocation: location)
        }
        return rooms
    }

    /// Opens all sockets, and checks that the others of each room hear an ale of the first member.
    static func cheer(in rooms: [Identifier: [Person]]) async throws {
        for (room, members) in rooms {
            var sockets: [RoomSocket] = []
            for member in members { sockets.append(try await RoomSocket.open(room, as: member)) }
            guard let first = sockets.first else { continue }
            await first.cheer("one")
            #expect(try await first.skip(to: "ack")["seq"]?.int == 1)
            for other in sockets.dropFirst() {
                #expect(try await other.skip(to: "aleResponse")["seq"]?.int == 1)
            }
            for socket in sockets { await socket.drop() }
        }
    }
}
