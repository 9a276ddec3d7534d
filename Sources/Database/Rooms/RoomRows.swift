package import Contract
package import Postgres

/// The rows of rooms, as far as they are about owners: in the database, or in a model of it.
///
/// A statement that fails may have taken effect all the same; `RoomOwners` finds that out.
package protocol RoomRows: Sendable {
    /// A room and its term.
    typealias RoomTerm = (id: Identifier, term: Int32)

    /// Makes `me` the owner of the rooms that have that owner and those terms, if the ground holds. Returns
    /// their new terms.
    func take(
        _ rooms: [RoomTerm], from owner: Identifier?, on ground: RoomOwners.Ground, by me: Identifier
    ) async throws(PostgresError) -> [Identifier: Int32]
    /// Makes `me` the owner of the rooms that have those terms, whichever server owns them.
    func takeSaved(_ rooms: [RoomTerm], by me: Identifier) async throws(PostgresError)
    /// Makes another server the owner of the rooms that `me` owns in those terms.
    func give(_ rooms: [RoomTerm], of me: Identifier, to other: Identifier) async throws(PostgresError)
    /// Notes that the record with this id has all of the rooms, which came to `me` from another server with
    /// what that one had. Rooms with another owner by now are left out.
    func moveLog(
        of rooms: [Identifier], to log: Identifier, by me: Identifier
    ) async throws(PostgresError)
    /// Returns the owners and terms of those of the rooms that there are.
    func owners(
        of rooms: [Identifier]
    ) async throws(PostgresError) -> [Identifier: (owner: Identifier?, term: Int32)]
    /// Returns the rooms that were taken from `me` and have not been forgotten.
    func lost(of me: Identifier) async throws(PostgresError) -> [Identifier]
    /// Forgets rooms that were taken from `me`.
    func forget(lost rooms: [Identifier], of me: Identifier) async throws(PostgresError)
}

/// The order in which servers lock many members, as they store who is present, take rooms, and release
/// members of a server that is gone: so no two of them wait for each other.
enum MemberOrder {
    static let columns = "room_id, registration_id, joined_revision"
}

/// The statements.
private enum RoomStatements {
    /// Takes the rooms in the order of their ids, so that no two servers wait for each other. A renewal that
    /// commits while the statement runs is not seen: then the owner finds the rooms among those that it has
    /// lost, at once or at its next renewal, and the new owner waits for it.
    static let take = """
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
    static let takeSaved = """
        WITH saved AS (
            SELECT rooms.id
            FROM rooms JOIN unnest($1::uuid[], $2::int4[]) AS saved (id, term) USING (id, term)
            ORDER BY rooms.id FOR NO KEY UPDATE OF rooms
        )
        UPDATE rooms SET owner = $3, term = term + 1 FROM saved WHERE rooms.id = saved.id
        """

    /// Gives rooms in the order of their ids, for the same reason.
    static let give = """
        WITH given AS (
            SELECT rooms.id
            FROM rooms JOIN unnest($1::uuid[], $2::int4[]) AS given (id, term) USING (id, term)
            WHERE rooms.owner = $3
            ORDER BY rooms.id FOR NO KEY UPDATE OF rooms
        )
        UPDATE rooms SET owner = $4, term = term + 1 FROM given WHERE rooms.id = given.id
        """

    static let moveLog = """
        WITH moved AS (
            SELECT room_id, registration_id, joined_revision
            FROM members JOIN rooms ON rooms.id = room_id
            WHERE room_id = ANY($1::uuid[]) AND log <> $2 AND owner = $3
            ORDER BY \(MemberOrder.columns) FOR NO KEY UPDATE OF members
        )
        UPDATE members SET log = $2 FROM moved
        WHERE members.room_id = moved.room_id AND members.registration_id = moved.registration_id
            AND members.joined_revision = moved.joined_revision
        """

    static let readTerms = "SELECT id, owner, term FROM rooms WHERE id = ANY($1::uuid[])"

    static let readLost = "SELECT room_id FROM lost_rooms WHERE owner = $1"

    static let forgetLost = """
        DELETE FROM lost_rooms WHERE owner = $1 AND room_id = ANY($2::uuid[])
        """
}

extension PostgresPool: RoomRows {
    package func take(
        _ rooms: [RoomTerm], from owner: Identifier?, on ground: RoomOwners.Ground, by me: Identifier
    ) async throws(PostgresError) -> [Identifier: Int32] {
        try await query(
            RoomStatements.take,
            [rooms.map(\.id), rooms.map(\.term), owner, me, ground == .processHasEnded]
        ).dictionary()
    }

    package func takeSaved(_ rooms: [RoomTerm], by me: Identifier) async throws(PostgresError) {
        try await query(RoomStatements.takeSaved, [rooms.map(\.id), rooms.map(\.term), me])
    }

    package func give(
        _ rooms: [RoomTerm], of me: Identifier, to other: Identifier
    ) async throws(PostgresError) {
        try await query(RoomStatements.give, [rooms.map(\.id), rooms.map(\.term), me, other])
    }

    package func moveLog(
        of rooms: [Identifier], to log: Identifier, by me: Identifier
    ) async throws(PostgresError) {
        try await query(RoomStatements.moveLog, [rooms, log, me], retrying: true)
    }

    package func owners(
        of rooms: [Identifier]
    ) async throws(PostgresError) -> [Identifier: (owner: Identifier?, term: Int32)] {
        var owners: [Identifier: (owner: Identifier?, term: Int32)] = [:]
        for row in try await query(RoomStatements.readTerms, [rooms], retrying: true) {
            let (id, owner, term) = try row.decode(Identifier.self, Identifier?.self, Int32.self)
            owners[id] = (owner, term)
        }
        return owners
    }

    package func lost(of me: Identifier) async throws(PostgresError) -> [Identifier] {
        try await query(RoomStatements.readLost, [me], retrying: true).column()
    }

    package func forget(lost rooms: [Identifier], of me: Identifier) async throws(PostgresError) {
        try await query(RoomStatements.forgetLost, [me, rooms], retrying: true)
    }
}
