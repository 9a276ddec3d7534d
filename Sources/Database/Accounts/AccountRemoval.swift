package import Contract
package import Postgres

/// The steps of the deletion of an account, in the order in which its transaction takes them: locks the slots
/// that may be matched meanwhile, then the account; leaves its rooms; forgets it.
package enum AccountRemoval {
    /// Slots that may be matched while the account is deleted. A match that is further away cannot begin
    /// meanwhile.
    private static let slotsToLock = """
        SELECT DISTINCT starts_at FROM registrations JOIN slots USING (starts_at)
        WHERE user_id = $1 AND cancelled_at IS NULL AND closed_at IS NULL AND starts_at <= $2
        ORDER BY starts_at
        """

    /// Keeps the user from registering. A match holds its slot, and then wants the users: whoever takes both
    /// takes them in the same order.
    private static let lockUser = "SELECT FROM users WHERE id = $1 FOR UPDATE"

    private static let inOpenRooms = """
        SELECT registrations.id FROM registrations JOIN slots USING (starts_at)
        WHERE user_id = $1 AND cancelled_at IS NULL AND closed_at IS NULL AND ends_at > $2
        """

    /// Deletes the account itself, with what refers to it alone.
    private static let deleteUser = "DELETE FROM users WHERE id = $1"

    /// The statements that remove what else is held about the account, in the reverse order of `AccountData`.
    /// Every one of them takes the account and the time.
    private static let forgetting = AccountData.tables.reversed().filter { $0.name != "users" }.flatMap {
        table in
        let unused = "AND $2::timestamptz IS NOT NULL"
        return switch table.removal {
        case .deleted: ["DELETE FROM \(table.name) WHERE \(table.condition) \(unused)"]
        case .erased:
            [
                """
                DELETE FROM \(table.name)
                WHERE \(table.condition) \(unused)
                    AND NOT EXISTS (SELECT FROM members WHERE registration_id = \(table.name).id)
                """,
                """
                UPDATE \(table.name) SET \(table.erasure), updated_at = $2,
                    cancelled_at = CASE WHEN ends_at > $2 THEN coalesce(cancelled_at, $2)
                        ELSE cancelled_at END
                FROM slots
                WHERE \(table.condition) AND slots.starts_at = \(table.name).starts_at
                """,
            ]
        case .cascades, .kept: [String]()
        }
    }

    /// Returns the starts of the slots to lock, in the order in which they are locked.
    package static func slots(
        of user: Identifier, until soon: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> [Timestamp] {
        var slots: [Timestamp] = []
        for row in try await connection.query(slotsToLock, [user, soon]) {
            slots.append(try row.decode(0, Timestamp.self))
        }
        return slots
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
        var leaving: [Identifier] = []
        for row in try await connection.query(inOpenRooms, [user, now]) {
            leaving.append(try row.decode(0, Identifier.self))
        }
        return try await RoomDeparture.leave(leaving, on: connection)
    }

    /// Removes everything of the user. Registrations that others met stay, without user, task and tag.
    package static func forget(
        _ user: Identifier, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) {
        for statement in forgetting { try await connection.query(statement, [user, now]) }
        try await connection.query(deleteUser, [user])
    }
}
