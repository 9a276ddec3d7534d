package import Contract
package import Postgres

/// Changes rooms for operators.
package enum DeskRooms {
    /// The state of a room under lock.
    package struct Locked: Sendable {
        package let isClosed: Bool
        /// The server that has the room; nil until a member has entered it.
        package let owner: Identifier?
        /// The people who are there, as far as the database knows.
        package let present: Int64
    }

    private static let slot = "SELECT starts_at FROM rooms WHERE id = $1"

    private static let lock = """
        SELECT room.closed_early_at IS NOT NULL OR slot.closed_at IS NOT NULL OR slot.ends_at <= $2,
            room.owner,
            (SELECT count(*) FROM members WHERE room_id = room.id AND present_on IS NOT NULL)
        FROM rooms AS room JOIN slots AS slot ON slot.starts_at = room.starts_at
        WHERE room.id = $1 FOR NO KEY UPDATE OF room
        """

    /// Locks a room and its slot, so that no match adds members to it; nil if there is no such room.
    package static func lock(
        _ room: Identifier, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Locked? {
        guard let row = try await connection.query(slot, [room]).first else { return nil }
        try await SlotLock.take(try row.decode(0, Timestamp.self), on: connection)
        return try await connection.query(lock, [room, now]).first?
            .read(Locked.init(isClosed:owner:present:))
    }

    private static let close = "UPDATE rooms SET closed_early_at = $2 WHERE id = $1"

    /// Closes a room for good.
    package static func close(
        _ room: Identifier, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(close, [room, now])
    }
}
