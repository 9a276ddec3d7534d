import Contract
import Matching
import Postgres

/// What the placements of one match change in the database, gathered so that each table is written once.
struct MatchChanges {
    private var users: [UUID: UUID]
    private var membersOf: [UUID: [UUID]]
    private var newRooms: [UUID] = []
    /// Of rooms that were there before.
    private var changedRooms: [UUID] = []
    private var joins: [(room: UUID, registration: UUID)] = []
    private var leaves: [(room: UUID, registration: UUID)] = []
    private(set) var arrivalCount = 0
    /// Complete once the changes are written, which is when revisions are known.
    private(set) var notices: [Notice] = []

    init(users: [UUID: UUID], rooms: [OpenRoom<UUID>]) {
        self.users = users
        membersOf = Dictionary(
            rooms.map { ($0.id, $0.members.map(\.id)) }, uniquingKeysWith: { first, _ in first })
    }

    var touchedRooms: [UUID] { newRooms + changedRooms }

    mutating func add(_ placement: Placement<UUID>) {
        switch placement {
        case .open(let arrivals):
            open(with: arrivals)
            for arrival in arrivals { tell(arrival, .roomOpened, joins.last?.room) }
            arrivalCount += arrivals.count
        case .join(let room, let arrivals):
            for member in membersOf[room] ?? [] { tell(member, .roomChanged, room) }
            for arrival in arrivals {
                joins.append((room, arrival))
                tell(arrival, .roomOpened, room)
            }
            changedRooms.append(room)
            arrivalCount += arrivals.count
        case .split(let room, let leaving, let arrival):
            leaves.append((room, leaving))
            changedRooms.append(room)
            for member in membersOf[room] ?? [] where member != leaving { tell(member, .roomChanged, room) }
            open(with: [leaving, arrival])
            tell(leaving, .roomChanged, joins.last?.room)
            tell(arrival, .roomOpened, joins.last?.room)
            arrivalCount += 1
        }
    }

    private mutating func open(with members: [UUID]) {
        // Not the match's own generator: that one can be seeded, and a room's id must not be guessed.
        var system = SystemRandomNumberGenerator()
        let room = UUID.v4(using: &system)
        newRooms.append(room)
        joins += members.map { (room, $0) }
    }

    private mutating func tell(_ registration: UUID, _ type: NotificationType, _ room: UUID?) {
        guard let user = users[registration] else { return }
        notices.append(Notice(user: user, type: type, registration: registration, room: room, revision: 1))
    }

    private static let insertRooms = """
        INSERT INTO rooms (id, starts_at, opened_at) SELECT id, $1, $2 FROM unnest($3::uuid[]) AS room (id)
        """

    private static let bumpRooms = """
        UPDATE rooms SET revision = revision + 1 WHERE id = ANY($1::uuid[]) RETURNING id, revision
        """

    /// An entry may be stored at the same time by the room's own server: who has entered is not moved.
    private static let leaveRooms = """
        UPDATE members SET left_revision = rooms.revision
        FROM unnest($1::uuid[], $2::uuid[]) AS leaving (room_id, registration_id)
        JOIN rooms ON rooms.id = leaving.room_id
        WHERE members.room_id = leaving.room_id AND members.registration_id = leaving.registration_id
            AND members.left_revision IS NULL AND members.entered_at IS NULL
        """

    private static let insertMembers = """
        INSERT INTO members (room_id, registration_id, joined_revision)
        SELECT room_id, registration_id, rooms.revision
        FROM unnest($1::uuid[], $2::uuid[]) AS joining (room_id, registration_id)
        JOIN rooms ON rooms.id = room_id
        """

    /// Somebody who was to be moved has entered meanwhile: the match has to be planned anew.
    struct Overtaken: Error {}

    mutating func write(
        _ startsAt: Timestamp, at now: Timestamp, on connection: PostgresConnection
    ) async throws {
        if !newRooms.isEmpty { try await connection.query(Self.insertRooms, [startsAt, now, newRooms]) }
        if !changedRooms.isEmpty {
            var revisions: [UUID: Int32] = [:]
            for row in try await connection.query(Self.bumpRooms, [changedRooms]) {
                let (room, revision) = try row.decode(UUID.self, Int32.self)
                revisions[room] = revision
            }
            for index in notices.indices {
                if let room = notices[index].room, let revision = revisions[room] {
                    notices[index].revision = revision
                }
            }
        }
        if !leaves.isEmpty {
            let left = try await connection.execute(
                Self.leaveRooms, [leaves.map(\.room), leaves.map(\.registration)])
            if left != leaves.count { throw Overtaken() }
        }
        if !joins.isEmpty {
            try await connection.query(Self.insertMembers, [joins.map(\.room), joins.map(\.registration)])
        }
    }
}
