package import Contract
package import Postgres
package import Rooms

/// Reads the memberships of open rooms.
package enum MembershipReader {
    /// The number of rooms whose members are read at once.
    private static let chunk = 2000

    private static let openRooms = """
        SELECT rooms.id FROM rooms JOIN slots USING (starts_at)
        WHERE slots.closed_at IS NULL AND slots.ends_at > $1 AND rooms.owner = $2
            AND rooms.closed_early_at IS NULL
        """

    private static let roomsOfSlot = "SELECT id FROM rooms WHERE starts_at = $1 AND owner = $2"

    private static let roomsOfUsers = """
        SELECT DISTINCT room_id
        FROM registrations
        JOIN slots USING (starts_at)
        JOIN members ON registration_id = registrations.id AND left_revision IS NULL
        WHERE user_id = ANY($1::uuid[]) AND closed_at IS NULL
        """

    private static let rooms = """
        SELECT rooms.id, revision, starts_at, ends_at, ales,
            EXISTS (SELECT FROM members WHERE room_id = rooms.id AND log <> $2), owner, term,
            rooms.closed_early_at IS NOT NULL
        FROM rooms JOIN slots USING (starts_at)
        WHERE rooms.id = ANY($1::uuid[]) AND slots.closed_at IS NULL
        """

    private static let members = """
        SELECT room_id, registrations.id, accounts.id, token_version, last_token, accounts.name, task, tag,
            entered_at IS NOT NULL, coalesce(words.revision, 0), \(SessionWords.columns),
            coalesce(quiet, false)
        FROM members
        JOIN registrations ON registrations.id = registration_id
        JOIN accounts ON accounts.id = registrations.user_id
        LEFT JOIN session_words AS words ON words.registration_id = registrations.id
        LEFT JOIN intents ON intents.registration_id = registrations.id
        WHERE room_id = ANY($1::uuid[]) AND left_revision IS NULL
        ORDER BY joined_revision, registrations.id
        """

    private static let otherTokens = """
        SELECT user_id, number FROM tokens
        WHERE user_id = ANY($1::uuid[]) AND number < 0 AND (expires_at IS NULL OR expires_at > now())
        """

    private static let moved = """
        SELECT gone.room_id, gone.registration_id, here.room_id
        FROM members AS gone
        JOIN members AS here ON here.registration_id = gone.registration_id AND here.left_revision IS NULL
        WHERE gone.room_id = ANY($1::uuid[]) AND gone.left_revision IS NOT NULL
            AND here.room_id <> gone.room_id
        """

    private static let member = """
        SELECT FROM members JOIN registrations ON registrations.id = registration_id
        WHERE room_id = $1 AND user_id = $2 AND left_revision IS NULL
        """

    /// Returns whether the user is or was, at its end, a member of the room.
    package static func wasMember(
        _ user: Identifier, of room: Identifier, from pool: PostgresPool
    ) async throws(PostgresError) -> Bool {
        !(try await pool.query(member, [room, user], retrying: true)).isEmpty
    }

    /// Returns every room of the owner in every slot that is not over.
    package static func allOpen(
        at now: Timestamp, of owner: Identifier, from pool: PostgresPool
    ) async throws(PostgresError) -> [Identifier] {
        try await pool.query(openRooms, [now, owner], retrying: true).column()
    }

    /// Returns the rooms of the owner in a slot.
    package static func rooms(
        of startsAt: Timestamp, of owner: Identifier, from pool: PostgresPool
    ) async throws(PostgresError) -> [Identifier] {
        try await pool.query(roomsOfSlot, [startsAt, owner], retrying: true).column()
    }

    package static func rooms(of users: [Identifier], from pool: PostgresPool) async throws(PostgresError)
        -> [Identifier]
    {
        try await pool.query(roomsOfUsers, [users], retrying: true).column()
    }

    /// Reads those of the rooms that are open, each as of one instant; `log` names this server's record of
    /// its rooms. If `owner` is given, the rooms of others come without their members.
    package static func read(
        _ ids: [Identifier], lead: Duration, log: Identifier, owner: Identifier? = nil,
        from pool: PostgresPool,
        each: (Membership) -> Void
    ) async throws {
        var rest = ids[...]
        while !rest.isEmpty {
            let chunk = Array(rest.prefix(Self.chunk))
            rest = rest.dropFirst(Self.chunk)
            let memberships = try await pool.transaction(.repeatableRead, readOnly: true) { connection in
                try await read(chunk, lead: lead, log, owner, on: connection)
            }
            for membership in memberships { each(membership) }
        }
    }

    private static func read(
        _ ids: [Identifier], lead: Duration, _ log: Identifier, _ me: Identifier?,
        on connection: PostgresConnection
    ) async throws -> [Membership] {
        var memberships: [Identifier: Membership] = [:]
        var own: [Identifier] = []
        for row in try await connection.query(rooms, [ids, log]) {
            let (id, revision, key, endsAt, ales, wasElsewhere, owner, term, isClosed) = try row.decode(
                Identifier.self, Int32.self, Timestamp.self, Timestamp.self, Int64.self, Bool.self,
                Identifier?.self, Int32.self, Bool.self)
            let startsAt = SlotKey(key).startsAt
            memberships[id] = Membership(
                room: id, revision: revision, opensAt: startsAt.adding(.zero - lead), startsAt: startsAt,
                closesAt: endsAt, ales: ales, members: [], moved: [:],
                wasElsewhere: wasElsewhere, owner: owner, term: term, isClosed: isClosed)
            if me == nil || owner == me { own.append(id) }
        }
        if own.isEmpty { return Array(memberships.values) }
        var withSeveral: [Identifier: [Identifier]] = [:]
        for row in try await connection.query(members, [own]) {
            let (
                room, id, user, main, made, name, task, tag, hasEntered, revision, checkIn, outcome, note,
                isQuiet
            ) = try row.decode(
                Identifier.self, Identifier.self, Identifier.self, Int32.self, Int32.self, String.self,
                String?.self, String?.self, Bool.self, Int32.self, String?.self, SessionOutcome?.self,
                String?.self, Bool.self)
            if made > 0 { withSeveral[user, default: []].append(room) }
            memberships[room]?.members.append(
                Membership.Member(
                    id: id, user: user, tokens: MemberTokens(main: main, made: made), name: name, task: task,
                    tag: tag, hasEntered: hasEntered,
                    words: SessionWords(checkIn: checkIn, outcome: outcome, note: note),
                    wordsRevision: revision, isQuiet: isQuiet))
        }
        try await addTokens(of: withSeveral, to: &memberships, on: connection)
        for row in try await connection.query(moved, [own]) {
            let (room, registration, target) = try row.decode(
                Identifier.self, Identifier.self, Identifier.self)
            memberships[room]?.moved[registration] = target
        }
        return Array(memberships.values)
    }

    /// Reads the additional tokens, for the few people who have any. Their rooms are given.
    private static func addTokens(
        of users: [Identifier: [Identifier]], to memberships: inout [Identifier: Membership],
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        if users.isEmpty { return }
        for row in try await connection.query(otherTokens, [Array(users.keys)]) {
            let (user, number) = try row.decode(Identifier.self, Int32.self)
            for room in users[user] ?? [] {
                for index in memberships[room]?.members.indices ?? 0..<0
                where memberships[room]?.members[index].user == user {
                    memberships[room]?.members[index].tokens.insert(number)
                }
            }
        }
    }
}
