package import Contract
package import Postgres

/// Open rooms without an owner: those of a server that has ended by itself, until another server takes them
/// over.
extension RoomOwners {
    /// The condition of an open room, of which the rows of its slot are joined.
    private static let isOpen = "slots.closed_at IS NULL AND rooms.closed_early_at IS NULL"

    private static let free = """
        WITH left_behind AS (
            SELECT rooms.id FROM rooms JOIN slots USING (starts_at)
            WHERE \(isOpen) AND rooms.owner = $1
            ORDER BY rooms.id FOR NO KEY UPDATE OF rooms
        )
        UPDATE rooms SET owner = NULL FROM left_behind WHERE rooms.id = left_behind.id
        """

    /// Leaves the open rooms of `me`, which has no device and answers none any more, without an owner.
    ///
    /// The next owner of one need not wait, as it would for an owner that may still live. The terms stay, so
    /// that the next process on the same disk still knows the rooms that were left there.
    package static func free(of me: Identifier, in pool: PostgresPool) async throws(PostgresError) {
        try await pool.execute(free, [me])
    }

    private static let takeFree = """
        WITH unowned AS (
            SELECT rooms.id FROM rooms JOIN slots USING (starts_at)
            WHERE \(isOpen) AND slots.ends_at > $2 AND rooms.owner IS NULL
                AND NOT EXISTS (SELECT FROM members WHERE room_id = rooms.id AND entered_at IS NOT NULL)
                AND NOT EXISTS (SELECT FROM servers WHERE name <> $1::text AND state = 'serving')
            ORDER BY rooms.id FOR NO KEY UPDATE OF rooms
            LIMIT $3
        )
        UPDATE rooms SET owner = $1::uuid, term = term + 1 FROM unowned WHERE rooms.id = unowned.id
        """

    /// Makes `me` the owner of the open rooms that have neither an owner nor an entered member, if no other
    /// server serves.
    ///
    /// The log of a room that was entered may be on the disk of a server that starts a little later. All that
    /// are left go to the server at which a device knocks first. Takes no more than `limit`, and returns the
    /// number of rooms.
    package static func takeFree(
        by me: Identifier, at now: Timestamp, limit: Int, in pool: PostgresPool
    ) async throws(PostgresError) -> Int {
        try await pool.execute(takeFree, ["\(me)", now, Int64(limit)])
    }
}
