package import Contract
package import Postgres

/// The servers that own the rooms. An owner changes by compare-and-set on the term, so that of several
/// servers that take a room one does.
///
/// Sessions have `synchronous_commit` on, so that an owner that was answered is not forgotten. Where a commit
/// got no answer, the row says what came of it: it names this process or it does not.
package enum RoomOwners {
    /// The reason why a room may be taken from its owner. The claim itself checks it once more, since the
    /// owner may have renewed its lease after the decision; an owner without a row is gone for any reason.
    package enum Ground: Equatable, Sendable {
        /// The lease of the owner is past. A server of the previous version has none: then nobody holds its
        /// lock.
        case leaseIsPast
        /// Nothing listens at the owner's address, and nobody holds its lock, whatever its lease.
        case processHasEnded
    }

    /// The number of times that a claim is tried whose outcome nobody knows.
    private static let attempts = 3

    /// Takes the rooms in the order of their ids, so that no two servers wait for each other. A renewal that
    /// commits while the statement runs is not seen: then the owner finds the rooms among those that it has
    /// lost, at once or at its next renewal, and the new owner waits for it.
    private static let take = """
        WITH asked AS (
            SELECT rooms.id
            FROM rooms JOIN unnest($1::uuid[], $2::int4[]) AS asked (id, term) USING (id, term)
            WHERE owner IS NOT DISTINCT FROM $3
                AND NOT EXISTS (
                    SELECT FROM servers
                    WHERE name = $3::text AND NOT CASE WHEN $5 OR alive_until IS NULL
                        THEN \(ServerLife.isOver("name")) ELSE alive_until <= clock_timestamp() END)
            ORDER BY rooms.id FOR NO KEY UPDATE OF rooms
        ), claimed AS (
            UPDATE rooms SET owner = $4, term = term + 1 FROM asked WHERE rooms.id = asked.id
            RETURNING rooms.id, term
        ), lost AS (
            INSERT INTO lost_rooms (owner, room_id) SELECT $3, id FROM claimed WHERE $3 IS NOT NULL
            ON CONFLICT DO NOTHING
        )
        SELECT id, term FROM claimed
        """

    /// Takes the rooms in the same order.
    private static let takeSaved = """
        WITH saved AS (
            SELECT rooms.id
            FROM rooms JOIN unnest($1::uuid[], $2::int4[]) AS saved (id, term) USING (id, term)
            ORDER BY rooms.id FOR NO KEY UPDATE OF rooms
        )
        UPDATE rooms SET owner = $3, term = term + 1 FROM saved WHERE rooms.id = saved.id
        """

    /// Gives rooms in the order of their ids, for the same reason.
    private static let give = """
        WITH given AS (
            SELECT rooms.id
            FROM rooms JOIN unnest($1::uuid[], $2::int4[]) AS given (id, term) USING (id, term)
            WHERE rooms.owner = $3
            ORDER BY rooms.id FOR NO KEY UPDATE OF rooms
        )
        UPDATE rooms SET owner = $4, term = term + 1 FROM given WHERE rooms.id = given.id
        """

    private static let moveLog = """
        UPDATE members SET log = $2 FROM rooms
        WHERE rooms.id = room_id AND room_id = ANY($1::uuid[]) AND log <> $2 AND owner = $3
        """

    private static let readTerms = "SELECT id, owner, term FROM rooms WHERE id = ANY($1::uuid[])"

    private static let readLost = "SELECT room_id FROM lost_rooms WHERE owner = $1"

    private static let forgetLost = """
        DELETE FROM lost_rooms WHERE owner = $1 AND room_id = ANY($2::uuid[])
        """

    /// Makes `me` the owner of the room, as below. Returns the new term; nil if somebody was faster, or the
    /// owner lives after all.
    package static func claim(
        _ room: Identifier, from owner: Identifier?, term: Int32, on ground: Ground = .leaseIsPast,
        by me: Identifier, in pool: PostgresPool
    ) async throws(PostgresError) -> Int32? {
        try await claim([(room, term)], from: owner, on: ground, by: me, in: pool)[room]
    }

    /// Makes `me` the owner of those of the rooms that still have that owner and the terms given, if the
    /// ground still holds for the owner. Returns their new terms. The previous owner finds them among those
    /// that it has lost.
    package static func claim(
        _ rooms: [(id: Identifier, term: Int32)], from owner: Identifier?,
        on ground: Ground = .leaseIsPast, by me: Identifier, in pool: PostgresPool
    ) async throws(PostgresError) -> [Identifier: Int32] {
        var left = attempts
        while true {
            left -= 1
            do throws(PostgresError) {
                var claimed: [Identifier: Int32] = [:]
                let rows = try await pool.query(
                    take, [rooms.map(\.id), rooms.map(\.term), owner, me, ground == .processHasEnded])
                for row in rows {
                    let (id, term) = try row.decode(Identifier.self, Int32.self)
                    claimed[id] = term
                }
                let others = rooms.filter { claimed[$0.id] == nil }
                if others.isEmpty { return claimed }
                // An earlier statement may have claimed them, without an answer.
                let found = try await terms(of: others.map(\.id), in: pool)
                return claimed.merging(own(others, me, found)) { $1 }
            } catch {
                guard error.leavesDoubt else { throw error }
                // The statement may still be under way: then rows change after they were read here, and they
                // name this process, which will find that out when it next reads them.
                let found = try await terms(of: rooms.map(\.id), in: pool)
                let isDecided = rooms.allSatisfy { found[$0.id]?.term != $0.term }
                if isDecided { return own(rooms, me, found) }
                if left <= 0 { throw error }
            }
        }
    }

    /// Returns the terms of those of the rooms that `me` owns in the term after the one given.
    private static func own(
        _ rooms: [(id: Identifier, term: Int32)], _ me: Identifier,
        _ found: [Identifier: (owner: Identifier?, term: Int32)]
    ) -> [Identifier: Int32] {
        var own: [Identifier: Int32] = [:]
        for room in rooms {
            guard let row = found[room.id], row.owner == me, row.term == room.term + 1 else { continue }
            own[room.id] = row.term
        }
        return own
    }

    /// Makes `me` the owner of the rooms that an earlier process has left here, each with the term in which
    /// that process owned it. Returns the new terms of those that nobody has owned since. After a failure it
    /// may be called again.
    package static func claimSaved(
        _ rooms: [(id: Identifier, term: Int32)], by me: Identifier, in pool: PostgresPool
    ) async throws(PostgresError) -> [Identifier: Int32] {
        if rooms.isEmpty { return [:] }
        try await pool.query(takeSaved, [rooms.map(\.id), rooms.map(\.term), me])
        // A room that an earlier call has claimed, without an answer, has the next term too.
        return own(rooms, me, try await terms(of: rooms.map(\.id), in: pool))
    }

    /// The result of giving rooms to another server.
    package enum Gift: Equatable, Sendable {
        /// The other server owns these rooms now; others than this one own the rest.
        case given(Set<Identifier>)
        /// Nothing has changed.
        case refused
        /// Nobody knows which server owns the rooms.
        case unknown
    }

    /// Makes another server the owner of rooms of this one, each if it still has that term.
    package static func give(
        _ rooms: [(id: Identifier, term: Int32)], of me: Identifier, to other: Identifier,
        in pool: PostgresPool
    ) async -> Gift {
        var isInDoubt = false
        for _ in 0..<attempts {
            do throws(PostgresError) {
                // Whatever came of an earlier attempt, the rows are settled once this one was answered.
                try await pool.query(give, [rooms.map(\.id), rooms.map(\.term), me, other])
                isInDoubt = true
                let found = try await terms(of: rooms.map(\.id), in: pool)
                let given = rooms.filter { found[$0.id]?.owner == other && found[$0.id]?.term == $0.term + 1 }
                return .given(Set(given.map(\.id)))
            } catch {
                if error.leavesDoubt { isInDoubt = true }
            }
        }
        return isInDoubt ? .unknown : .refused
    }

    /// Notes that the record with this id has all of the rooms, which came to `me` from another server with
    /// what that one had. Rooms that somebody else owns by now are left out.
    package static func moveLog(
        of rooms: [Identifier], to log: Identifier, by me: Identifier, in pool: PostgresPool
    ) async throws(PostgresError) {
        try await pool.query(moveLog, [rooms, log, me], retrying: true)
    }

    /// Returns the owners and terms of those of the rooms that there are.
    package static func terms(
        of rooms: [Identifier], in pool: PostgresPool
    ) async throws(PostgresError) -> [Identifier: (owner: Identifier?, term: Int32)] {
        var terms: [Identifier: (owner: Identifier?, term: Int32)] = [:]
        for row in try await pool.query(readTerms, [rooms], retrying: true) {
            let (id, owner, term) = try row.decode(Identifier.self, Identifier?.self, Int32.self)
            terms[id] = (owner, term)
        }
        return terms
    }

    /// Returns the rooms that were taken from this process, each at least once. Some may be its own again:
    /// the caller compares with the terms. They are deleted once they have been read, and returned again if
    /// that fails.
    package static func takeLost(
        of me: Identifier, in pool: PostgresPool
    ) async throws(PostgresError) -> [Identifier] {
        var lost: [Identifier] = []
        for row in try await pool.query(readLost, [me], retrying: true) {
            lost.append(try row.decode(0, Identifier.self))
        }
        if lost.isEmpty { return [] }
        do throws(PostgresError) {
            try await pool.query(forgetLost, [me, lost], retrying: true)
        } catch {
            // The rooms were read, and may be read once more: giving up a room twice does no harm.
            guard error.meansUnavailable else { throw error }
        }
        return lost
    }
}

extension PostgresError {
    /// Whether a statement that changes something may have taken effect all the same.
    fileprivate var leavesDoubt: Bool {
        switch self {
        case .connectionLost, .commitUnknown, .timedOut: true
        case .server, .rolledBack, .unavailable, .cancelled, .configuration, .decoding, .invalid: false
        }
    }
}
