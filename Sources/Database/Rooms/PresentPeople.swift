package import Postgres

/// Counts who is present in rooms, on all servers.
package enum PresentPeople {
    /// The rooms of slots that are over are never looked at, however many there are: an index has the slots
    /// that are not.
    private static let count = """
        SELECT count(*) FROM slots
        JOIN rooms ON rooms.starts_at = slots.starts_at
        JOIN members ON members.room_id = rooms.id
        WHERE slots.closed_at IS NULL AND slots.opened_at IS NOT NULL AND members.present_on IS NOT NULL
        """

    /// Returns their number, as the database has it: entries are stored within a second.
    package static func count(in pool: PostgresPool) async throws(PostgresError) -> Int64 {
        try await pool.query(count, retrying: true).first?.decode(0, Int64.self) ?? 0
    }
}
