import Contract
import Matching
import Postgres

/// Decides who meets whom in a slot, in one transaction: rooms, members and notifications exist together or not at all.
///
/// The first match of a slot and what comes late take the same path; a repetition finds nobody left and does nothing.
struct SlotMatcher: Sendable {
    /// What a match has done.
    struct Outcome: Sendable {
        /// Everybody's first: it opened the slot.
        var isFirst = false
        var people = 0
        /// Rooms that are new, or in which somebody came or went.
        var rooms: [UUID] = []
    }

    let application: Application

    private static let readSlot = """
        SELECT opened_at IS NOT NULL, closed_at IS NOT NULL, ends_at FROM slots WHERE starts_at = $1
        """

    private static let readArrivals = """
        SELECT id, user_id FROM registrations
        WHERE starts_at = $1 AND cancelled_at IS NULL AND user_id IS NOT NULL
            AND NOT EXISTS (
                SELECT FROM members WHERE registration_id = registrations.id AND left_revision IS NULL)
        ORDER BY id
        """

    private static let readRooms = """
        SELECT room_id, registration_id, entered_at IS NOT NULL, registrations.user_id
        FROM rooms
        JOIN members ON members.room_id = rooms.id AND left_revision IS NULL
        JOIN registrations ON registrations.id = registration_id
        WHERE rooms.starts_at = $1 AND registrations.user_id IS NOT NULL
        ORDER BY rooms.opened_at, room_id, registration_id
        """

    private static let markOpened = """
        UPDATE slots SET opened_at = coalesce(opened_at, $2),
            served_at = coalesce(served_at, CASE WHEN $2 >= starts_at THEN $2 END)
        WHERE starts_at = $1
        """

    /// Matches everybody of the slot who has no room. Nothing happens before the slot opens or after it ends.
    func match(
        _ startsAt: Timestamp, on pool: PostgresPool, seed: UInt64
    ) async throws -> Outcome {
        try await pool.transaction(attempts: 3) { connection in
            var random = SplitMix64(seed: seed)
            try await SlotLock.take(startsAt, on: connection)
            let now = application.now()
            guard let slot = try await connection.query(Self.readSlot, [startsAt]).first else {
                return Outcome()
            }
            let (isOpened, isClosed, endsAt) = try slot.decode(Bool.self, Bool.self, Timestamp.self)
            guard !isClosed, now < endsAt, now >= application.opensAt(startsAt) else { return Outcome() }
            let state = try await readState(of: startsAt, hasRooms: isOpened, on: connection)
            if isOpened && state.arrivals.isEmpty { return Outcome() }
            let placements = MatchPlanner.place(
                arrivals: state.arrivals, in: state.rooms, roomSize: application.roomSize, using: &random)
            var changes = MatchChanges(users: state.users, rooms: state.rooms)
            for placement in placements { changes.add(placement) }
            try await changes.write(startsAt, at: now, on: connection)
            try await connection.query(Self.markOpened, [startsAt, now])
            let rooms = changes.touchedRooms
            try await announce(rooms, startsAt, isFirst: !isOpened, on: connection)
            try await NotificationWriter.write(changes.notices, at: now, on: connection)
            return Outcome(isFirst: !isOpened, people: changes.arrivalCount, rooms: rooms)
        }
    }

    private struct State {
        var arrivals: [UUID] = []
        var rooms: [OpenRoom<UUID>] = []
        /// Of registrations, for the notices.
        var users: [UUID: UUID] = [:]
    }

    private func readState(
        of startsAt: Timestamp, hasRooms: Bool, on connection: PostgresConnection
    ) async throws -> State {
        var state = State()
        for row in try await connection.query(Self.readArrivals, [startsAt]) {
            let (registration, user) = try row.decode(UUID.self, UUID.self)
            state.arrivals.append(registration)
            state.users[registration] = user
        }
        guard hasRooms, !state.arrivals.isEmpty else { return state }
        var members: [OpenRoom<UUID>.Member] = []
        var current: UUID?
        for row in try await connection.query(Self.readRooms, [startsAt]) {
            let (room, registration, hasEntered, user) = try row.decode(
                UUID.self, UUID.self, Bool.self, UUID.self)
            if let current, current != room {
                state.rooms.append(OpenRoom(id: current, members: members))
                members = []
            }
            current = room
            members.append(OpenRoom<UUID>.Member(id: registration, hasEntered: hasEntered))
            state.users[registration] = user
        }
        if let current { state.rooms.append(OpenRoom(id: current, members: members)) }
        return state
    }

    /// Other servers read the rooms of a whole slot at its opening, and single ones afterwards.
    private func announce(
        _ rooms: [UUID], _ startsAt: Timestamp, isFirst: Bool, on connection: PostgresConnection
    ) async throws {
        if rooms.isEmpty { return }
        if isFirst || rooms.count > 100 {
            return try await Hint.opened(startsAt, by: Hint.origin).send(on: connection)
        }
        for room in rooms { try await Hint.room(room).send(on: connection) }
    }
}
