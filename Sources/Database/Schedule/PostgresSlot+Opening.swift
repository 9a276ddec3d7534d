import Contract
import Matching
import Postgres
import Scheduling

/// The first match is written by COPY: no person was in a room before, so no row has to be changed.
extension PostgresSlot {
    private static let keepLease = """
        UPDATE slots SET leased_by = $2, leased_until = $3 WHERE starts_at = $1
        """

    /// Looks for each registration by the indexes, whatever the planner thinks of the tables: a large match
    /// fills them part by part, and would read all of the earlier parts for each.
    private static let readUnplaced = """
        SELECT wanted.id FROM unnest($1::uuid[]) AS wanted (id)
        CROSS JOIN LATERAL (
            SELECT FROM registrations
            WHERE id = wanted.id AND cancelled_at IS NULL AND user_id IS NOT NULL
            OFFSET 0
        ) AS registration
        LEFT JOIN LATERAL (
            SELECT registration_id FROM members
            WHERE registration_id = wanted.id AND left_revision IS NULL
            OFFSET 0
        ) AS seat ON true
        WHERE seat.registration_id IS NULL
        """

    private static let copyRooms = """
        COPY rooms (id, starts_at, opened_at, owner, term) FROM STDIN (FORMAT binary)
        """

    private static let copyMembers = "COPY members (room_id, registration_id) FROM STDIN (FORMAT binary)"

    private static let copyNotifications = """
        COPY notifications (user_id, type, created_at, registration_id, room_id, revision)
        FROM STDIN (FORMAT binary)
        """

    /// Notes the people who were left alone. Since the plan was made, people may have cancelled or deleted
    /// their accounts.
    private static let noteAlone = """
        INSERT INTO left_alone (registration_id, user_id, starts_at)
        SELECT id, user_id, starts_at FROM registrations
        WHERE id = ANY($1::uuid[]) AND cancelled_at IS NULL AND user_id IS NOT NULL
        ON CONFLICT DO NOTHING
        """

    private static let markOpened = """
        UPDATE slots SET opened_at = coalesce(opened_at, $2),
            served_at = coalesce(served_at, CASE WHEN $2 >= starts_at THEN $2 END),
            leased_by = NULL, leased_until = NULL,
            match_seed = $3, match_method = $4, match_cost = $5, match_bound = $6, matched_as_of = $7
        WHERE starts_at = $1
        """

    package func lease(_ lease: SlotLease) async throws {
        try await connection.query(Self.keepLease, [startsAt, lease.holder, lease.until])
    }

    func unplaced(_ registrations: [Identifier]) async throws -> Set<Identifier> {
        return Set(try await connection.query(Self.readUnplaced, [registrations]).column())
    }

    package func open(_ opening: SlotOpening, at now: Timestamp) async throws {
        if !opening.leftAlone.isEmpty {
            try await connection.query(Self.noteAlone, [opening.leftAlone.map(\.registration)])
        }
        if let record = opening.record {
            try await mark(record, at: now)
            changed(.opened(startsAt, by: ChangeEvent.origin))
        }
        if opening.rooms.isEmpty { return }
        // No long computation is left.
        try await SlotLock.allow(idle: nil, on: connection)
        let owners = try await owners()
        try await connection.copyIn(Self.copyRooms, opening.rooms) { row, room in
            let owner = owners.server(of: room.id)
            row.append(room.id)
            row.append(startsAt)
            row.append(now)
            row.append(owner)
            row.append(Self.firstTerm(of: owner))
        }
        try await connection.copyIn(Self.copyMembers, opening.members) { row, member in
            row.append(member.room)
            row.append(member.person.registration)
        }
    }

    package func tell(_ opening: SlotOpening, at now: Timestamp) async throws {
        if opening.rooms.isEmpty { return }
        let members = opening.members
        changed(.notifications)
        // The notifications come last: from here on no other notification is numbered before the commit.
        try await NotificationWriter.lock(on: connection)
        let type = NotificationType.roomOpened.rawValue
        try await connection.copyIn(Self.copyNotifications, members) { row, member in
            row.append(member.person.user)
            row.append(type)
            row.append(now)
            row.append(member.person.registration)
            row.append(member.room)
            row.append(Int32(1))
        }
        // Each part of a match in parts commits as soon as it can.
        if opening.record != nil {
            try await feed?.stage(opening.peopleCount, for: startsAt, on: connection, until: now)
        }
    }

    private func mark(_ record: MatchRecord, at now: Timestamp) async throws {
        try await connection.query(
            Self.markOpened,
            [
                startsAt, now, Int64(bitPattern: record.seed), record.method.rawValue, record.cost,
                record.bound, record.asOf,
            ])
    }
}

extension SlotOpening {
    fileprivate var peopleCount: Int { rooms.reduce(0) { $0 + $1.members.count } }

    fileprivate var members: some Sequence<(room: Identifier, person: SlotPerson)> {
        rooms.lazy.flatMap { room in room.members.lazy.map { (room: room.id, person: $0) } }
    }
}
