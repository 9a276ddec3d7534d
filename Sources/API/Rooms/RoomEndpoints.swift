package import Contract
import Database
import HTTP1
package import HTTPServer
package import Rooms
import Scheduling

/// The calls that show rooms.
package struct RoomEndpoints: EndpointGroup {
    package let rest: REST
    /// Returns the state of a room; nil if this server does not host it, or no member has entered it yet.
    private let snapshot: @Sendable (Identifier) async -> RoomSnapshot?

    package init(_ rest: REST, snapshot: @escaping @Sendable (Identifier) async -> RoomSnapshot?) {
        self.rest = rest
        self.snapshot = snapshot
    }

    package func add(to router: inout Router) {
        router.on(.get, Routes.rooms, rest.signedIn(listRooms))
        router.on(.get, Routes.rooms + "/{id}", rest.signedIn(readRoom))
    }

    private func listRooms(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let query = QueryReader(request.query)
        let (limit, cursor) = (try query.limit(), try query.cursor { Cursor($0) })
        let database = application.database(request.loop)
        let stored = try await RoomReader.page(
            of: user.id, before: cursor.map { ($0.startsAt, $0.id) }, limit: limit + 1, from: database)
        var list = RoomList(rooms: [])
        let page = stored.prefix(limit)
        for room in page { list.rooms.append(await current(room, of: user)) }
        if stored.count > limit, let last = page.last {
            list.nextCursor = Cursor(startsAt: last.key, id: last.id).text
        }
        // There are tickets in it, so that no cache may keep it.
        return try Answer.page(list, of: Routes.rooms, next: list.nextCursor, .never, for: request)
    }

    private func readRoom(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let database = application.database(request.loop)
        let room = try await RoomReader.find(try request.id(), of: user.id, from: database).orThrow(.notFound)
        return try Answer.tagged(await current(room, of: user), isWeak: true, for: request)
    }

    /// Returns the room, with presence and counts from the live room, which is ahead of the database. A
    /// closed room has no present members.
    private func current(_ stored: StoredRoom, of user: SignedInUser) async -> Room {
        let url = application.tickets.socketURL(
            room: stored.id, user: user.id, tokenVersion: user.tokenVersion, closesAt: stored.slot.endsAt,
            owner: stored.owner)
        var room = Room(
            id: stored.id, slot: stored.slot, opensAt: application.rules.opensAt(stored.slot.startsAt),
            closesAt: stored.closedAt ?? stored.slot.endsAt,
            closedBy: stored.closedAt == nil ? nil : .operator, socketUrl: url, members: stored.members,
            ales: stored.ales)
        let isOver = stored.isClosed || application.now() >= room.closesAt
        let snapshot = isOver ? nil : await self.snapshot(stored.id)
        if let snapshot { room.ales = max(room.ales, snapshot.ales) }
        for index in room.members.indices {
            if isOver {
                room.members[index].present = false
            } else if let snapshot {
                let id = room.members[index].id
                room.members[index].present = snapshot.present.contains(id)
                room.members[index].status = snapshot.statuses[id].map { .known($0) }
            }
        }
        return room
    }
}
