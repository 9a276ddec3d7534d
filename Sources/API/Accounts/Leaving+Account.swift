import Contract
import Database
import HTTP1
import HTTPServer
import Outbox
import Postgres
import Scheduling
import Settings

extension Leaving {
    /// Adds `DELETE /v1/me`, which also ends all streams and sockets of the account.
    func addAccount(to router: inout Router) {
        router.on(
            .delete, Routes.me,
            rest.signedIn { user, _ in
                let rooms = try await rest.application.locks.with(.user(user.id)) { database in
                    try await delete(user, in: database)
                }
                rest.application.changed(.notifications)
                await rest.signIn.endSessions(of: user.id, in: rooms)
                return HTTPResponse(status: 204)
            })
    }

    /// Selects the slots that may be matched while the account is deleted. A match of a later slot cannot
    /// begin meanwhile.
    private static let slotsToLock = """
        SELECT DISTINCT starts_at FROM registrations JOIN slots USING (starts_at)
        WHERE user_id = $1 AND cancelled_at IS NULL AND closed_at IS NULL AND starts_at <= $2
        ORDER BY starts_at
        """

    private static let inOpenRooms = """
        SELECT registrations.id FROM registrations JOIN slots USING (starts_at)
        WHERE user_id = $1 AND cancelled_at IS NULL AND closed_at IS NULL AND ends_at > $2
        """

    private static let forget = [
        "DELETE FROM notifications WHERE user_id = $1 AND $2::timestamptz IS NOT NULL",
        "DELETE FROM left_alone WHERE user_id = $1 AND $2::timestamptz IS NOT NULL",
        """
        DELETE FROM registrations
        WHERE user_id = $1 AND $2::timestamptz IS NOT NULL
            AND NOT EXISTS (SELECT FROM members WHERE registration_id = registrations.id)
        """,
        """
        UPDATE registrations SET user_id = NULL, task = NULL, tag = NULL, updated_at = $2,
            cancelled_at = CASE WHEN ends_at > $2 THEN coalesce(cancelled_at, $2) ELSE cancelled_at END
        FROM slots
        WHERE user_id = $1 AND slots.starts_at = registrations.starts_at
        """,
        "DELETE FROM users WHERE id = $1 AND $2::timestamptz IS NOT NULL",
    ]

    /// Locks the user, who then cannot register. Slots are locked before users, in the same order as in a
    /// match.
    private static let lockUser = "SELECT FROM users WHERE id = $1 FOR UPDATE"

    /// Deletes the account and returns the rooms that have changed. The data that other people keep names a
    /// former user afterwards.
    private func delete(_ user: SignedInUser, in database: PostgresPool) async throws -> [Identifier] {
        for _ in 0..<5 {
            let rooms = try await rest.signIn.endingSessionsInDoubt(of: user.id) {
                try await deleteOnce(user, in: database)
            }
            if let rooms { return rooms }
        }
        throw PostgresError.unavailable("the account registers all the time")
    }

    /// Deletes the account in one transaction. Returns the rooms that have changed; nil if nothing was done
    /// because the user has registered for another slot meanwhile.
    private func deleteOnce(_ user: SignedInUser, in database: PostgresPool) async throws -> [Identifier]? {
        var rooms: [Identifier] = []
        do {
            return try await database.transaction(attempts: 3) { connection in
                let now = rest.application.now()
                let soon = now.adding(.seconds(rest.application.configuration.leadSeconds + 30))
                let locked = try await slots(of: user, until: soon, on: connection)
                for slot in locked { try await SlotLock.take(slot, on: connection) }
                try await connection.query(Self.lockUser, [user.id])
                let again = try await slots(of: user, until: soon, on: connection)
                if !Set(again).isSubset(of: locked) { return nil }
                let departure = try await leaveRooms(user, at: now, on: connection)
                rooms = departure.rooms
                for statement in Self.forget { try await connection.query(statement, [user.id, now]) }
                let notices = departure.notices.filter { $0.user != user.id }
                try await NotificationWriter.write(notices, at: now, on: connection)
                return rooms
            }
        } catch {
            rest.application.tell(rooms.map { .room($0) } + [.notifications], ifInDoubt: error)
            throw error
        }
    }

    private func leaveRooms(
        _ user: SignedInUser, at now: Timestamp, on connection: PostgresConnection
    ) async throws -> RoomDeparture.Outcome {
        var leaving: [Identifier] = []
        for row in try await connection.query(Self.inOpenRooms, [user.id, now]) {
            leaving.append(try row.decode(0, Identifier.self))
        }
        return try await RoomDeparture.leave(leaving, on: connection)
    }

    private func slots(
        of user: SignedInUser, until soon: Timestamp, on connection: PostgresConnection
    ) async throws -> [Timestamp] {
        var slots: [Timestamp] = []
        for row in try await connection.query(Self.slotsToLock, [user.id, soon]) {
            slots.append(try row.decode(0, Timestamp.self))
        }
        return slots
    }
}
