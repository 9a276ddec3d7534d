import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Rooms

extension REST {
    func addRooms(to router: inout Router) {
        router.on(.get, Routes.rooms, signedIn(listRooms))
        router.on(.get, Routes.rooms + "/{id}", signedIn(readRoom))
    }

    private static let own = """
        SELECT room.id, room.starts_at, slot.ends_at, room.ales, slot.closed_at IS NOT NULL
        FROM registrations AS registration
        JOIN members AS member ON member.registration_id = registration.id AND member.left_revision IS NULL
        JOIN rooms AS room ON room.id = member.room_id
        JOIN slots AS slot ON slot.starts_at = room.starts_at
        WHERE registration.user_id = $1 AND registration.cancelled_at IS NULL
        """

    private static let page = """
        \(own) AND ($2::timestamptz IS NULL OR (room.starts_at, room.id) < ($2, $3::uuid))
        ORDER BY room.starts_at DESC, room.id DESC
        LIMIT $4
        """

    private static let one = "\(own) AND room.id = $2"

    private static let members = """
        SELECT member.room_id, registration.id, coalesce(person.name, 'former user'), registration.task,
            registration.tag, coalesce(registration.user_id = $2, false), member.present_on IS NOT NULL
        FROM members AS member
        JOIN registrations AS registration ON registration.id = member.registration_id
        LEFT JOIN users AS person ON person.id = registration.user_id
        WHERE member.room_id = ANY($1) AND member.left_revision IS NULL
        ORDER BY member.room_id, member.joined_revision, registration.id
        """

    private func listRooms(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let query = QueryReader(request.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        let database = application.database(request.loop)
        let rows = try await database.query(
            Self.page, [user.id, cursor?.startsAt, cursor?.id, Int64(limit) + 1], retrying: true)
        var list = RoomList(rooms: try await rooms(rows.prefix(limit), of: user, database))
        if rows.count > limit, let last = list.rooms.last {
            list.nextCursor = Cursor(startsAt: last.slot.startsAt, id: last.id).text
        }
        return try Answer.json(list)
    }

    private func readRoom(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let database = application.database(request.loop)
        let rows = try await database.query(Self.one, [user.id, try request.id()], retrying: true)
        guard let room = try await rooms(rows[...], of: user, database).first else {
            throw APIError.notFound
        }
        return try Answer.json(room)
    }

    /// Returns the rooms of the rows, in their order, with their members.
    private func rooms(
        _ rows: Slice<PostgresRows>, of user: SignedInUser, _ database: PostgresPool
    ) async throws -> [Room] {
        if rows.isEmpty { return [] }
        let ids = try rows.map { try $0.decode(0, Identifier.self) }
        var members: [Identifier: [Member]] = [:]
        for row in try await database.query(Self.members, [ids, user.id], retrying: true) {
            let (room, id, name, task, tag, you, present) = try row.decode(
                Identifier.self, Identifier.self, String.self, String?.self, String?.self, Bool.self,
                Bool.self)
            members[room, default: []].append(
                Member(id: id, name: name, task: task, tag: tag, you: you, present: present))
        }
        var rooms: [Room] = []
        for row in rows {
            let (id, startsAt, endsAt, ales, isClosed) = try row.decode(
                Identifier.self, Timestamp.self, Timestamp.self, Int64.self, Bool.self)
            let url = application.tickets.socketURL(
                room: id, user: user.id, tokenVersion: user.tokenVersion, closesAt: endsAt)
            let room = Room(
                id: id, slot: SlotSpan(startsAt: startsAt, endsAt: endsAt),
                opensAt: application.opensAt(startsAt), closesAt: endsAt, socketUrl: url,
                members: members[id] ?? [], ales: ales)
            rooms.append(await current(room, isClosed: isClosed))
        }
        return rooms
    }

    /// Returns a stored room with the newer state of the live room, if this server has it. In a closed room
    /// nobody is present.
    private func current(_ stored: Room, isClosed: Bool) async -> Room {
        var room = stored
        let isOver = isClosed || application.now() >= stored.closesAt
        let snapshot = isOver ? nil : await roomSnapshot(stored.id)
        if let snapshot { room.ales = max(room.ales, snapshot.ales) }
        for index in room.members.indices {
            if isOver {
                room.members[index].present = false
            } else if let snapshot {
                room.members[index].present = snapshot.present.contains(room.members[index].id)
            }
        }
        return room
    }
}
