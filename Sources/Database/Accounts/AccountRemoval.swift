package import Contract
package import Postgres

/// The steps of the deletion of an account, in the order in which its transaction takes them: locks the slots
/// that may be matched meanwhile, then the account; leaves its rooms; marks it deleted.
///
/// The transaction writes only rows whose number has a limit: `ACCOUNT_REGISTRATIONS`, and the limits of
/// endpoints, calendars, tokens and sessions. `AccountErasure` removes the other rows. From the mark on, the
/// view `accounts` is without the account, so that every read of people shows a former user.
package enum AccountRemoval {
    /// The condition that a registration of `$1` is in a slot that is not closed. The bound on the start
    /// keeps PostgreSQL from reading the registrations of all slots that are.
    private static let isOpen = """
        user_id = $1 AND cancelled_at IS NULL AND closed_at IS NULL
            AND registrations.starts_at >= (SELECT min(starts_at) FROM slots WHERE closed_at IS NULL)
        """

    /// Slots that may be matched while the account is deleted. A match that is further away cannot begin
    /// meanwhile.
    private static let slotsToLock = """
        SELECT DISTINCT starts_at FROM registrations JOIN slots USING (starts_at)
        WHERE \(isOpen) AND starts_at <= $2
        ORDER BY starts_at
        """

    /// Keeps the user from registering. A match locks its slot and then the users; all transactions that lock
    /// both do so in this order.
    private static let lockUser = "SELECT FROM accounts WHERE id = $1 FOR UPDATE"

    private static let inOpenRooms = """
        SELECT registrations.id FROM registrations JOIN slots USING (starts_at)
        WHERE \(isOpen) AND ends_at > $2
        """

    /// The registrations that are not over, with whether they have ever been in a room.
    private static let live = """
        SELECT registrations.id, ends_at > $2,
            EXISTS (SELECT FROM members WHERE registration_id = registrations.id)
        FROM registrations JOIN slots USING (starts_at)
        WHERE \(isOpen)
        """

    /// Removes registrations that were never in a room; `registrations` takes what refers to it along.
    private static let removeWaiting = [
        "DELETE FROM notifications WHERE registration_id = ANY($1::uuid[])",
        "DELETE FROM left_alone WHERE registration_id = ANY($1::uuid[])",
        "DELETE FROM registrations WHERE id = ANY($1::uuid[])",
    ]

    private static let cancel = """
        UPDATE registrations SET cancelled_at = $2, updated_at = $2 WHERE id = ANY($1::uuid[])
        """

    private static let endInvites = "DELETE FROM invites WHERE registration_id = ANY($1::uuid[])"

    /// Ends the ways in and out. An endpoint keeps its deliveries until they are removed, but not its
    /// address, which another account may then have.
    private static let endAccess = [
        "DELETE FROM recovery_codes WHERE user_id = $1 AND $2::timestamptz IS NOT NULL",
        "DELETE FROM sign_in_codes WHERE user_id = $1 AND $2::timestamptz IS NOT NULL",
        "DELETE FROM calendars WHERE user_id = $1 AND $2::timestamptz IS NOT NULL",
        // A server of the previous release registers nothing for a routine that is paused.
        "UPDATE routines SET due_at = NULL, paused_at = coalesce(paused_at, $2) WHERE user_id = $1",
        // In the order in which settlements of deliveries lock them.
        "SELECT FROM endpoints WHERE user_id = $1 AND $2::timestamptz IS NOT NULL ORDER BY id FOR UPDATE",
        """
        UPDATE endpoints SET address = id::text, disabled_at = coalesce(disabled_at, $2),
            reason = coalesce(reason, 'the account was deleted'), session = NULL, farewell_at = NULL
        WHERE user_id = $1
        """,
        "DELETE FROM tokens WHERE user_id = $1 AND $2::timestamptz IS NOT NULL",
    ]

    private static let mark = """
        UPDATE users SET name = 'former user', time_zone = 'UTC', language = NULL, deleted_at = $2
        WHERE id = $1 AND deleted_at IS NULL
        """

    /// Returns the starts of the slots to lock, in the order in which they are locked.
    package static func slots(
        of user: Identifier, until soon: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> [Timestamp] {
        try await connection.query(slotsToLock, [user, soon]).column()
    }

    /// Keeps the user from registering until the end of the transaction, and the tokens from changing.
    package static func lock(
        _ user: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(lockUser, [user])
    }

    /// Takes the user out of the rooms that are open.
    package static func leaveRooms(
        _ user: Identifier, at now: Timestamp, on connection: PostgresConnection
    ) async throws -> RoomDeparture.Outcome {
        let leaving: [Identifier] = try await connection.query(inOpenRooms, [user, now]).column()
        return try await RoomDeparture.leave(leaving, on: connection)
    }

    /// Marks the account deleted: ends its registrations, invites, tokens, sessions, recovery code, calendars
    /// and endpoints, and erases its name. A session between its end and the closing of its slot counts.
    package static func mark(
        _ user: Identifier, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) {
        var (waiting, seated, all): ([Identifier], [Identifier], [Identifier]) = ([], [], [])
        for row in try await connection.query(live, [user, now]) {
            let (id, isRunning, hadRoom) = try row.decode(Identifier.self, Bool.self, Bool.self)
            all.append(id)
            if !hadRoom { waiting.append(id) } else if isRunning { seated.append(id) }
        }
        try await connection.query(endInvites, [all])
        for statement in removeWaiting { try await connection.query(statement, [waiting]) }
        try await connection.query(cancel, [seated, now])
        for statement in endAccess { try await connection.query(statement, [user, now]) }
        try await connection.query(mark, [user, now])
    }
}
