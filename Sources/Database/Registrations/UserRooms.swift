package import Contract
package import Postgres

/// The open rooms that a user is in.
package enum UserRooms {
    private static let open = """
        SELECT DISTINCT member.room_id
        FROM registrations AS registration
        JOIN members AS member ON member.registration_id = registration.id AND member.left_revision IS NULL
        JOIN slots AS slot ON slot.starts_at = registration.starts_at AND slot.closed_at IS NULL
        WHERE registration.user_id = $1 AND registration.cancelled_at IS NULL
        """

    /// Returns the rooms, which are told after the commit that the user's data has changed.
    package static func read(
        of user: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) -> [Identifier] {
        try await connection.query(open, [user]).column()
    }
}
