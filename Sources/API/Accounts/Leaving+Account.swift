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

    /// Deletes the account and returns the rooms that have changed. What other people keep names a former
    /// user afterwards.
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
                let locked = try await AccountRemoval.slots(of: user.id, until: soon, on: connection)
                for slot in locked { try await SlotLock.take(slot, on: connection) }
                try await AccountRemoval.lock(user.id, on: connection)
                let again = try await AccountRemoval.slots(of: user.id, until: soon, on: connection)
                if !Set(again).isSubset(of: locked) { return nil }
                let departure = try await AccountRemoval.leaveRooms(user.id, at: now, on: connection)
                rooms = departure.rooms
                try await AccountRemoval.forget(user.id, at: now, on: connection)
                let notices = departure.notices.filter { $0.user != user.id }
                try await NotificationWriter.write(notices, at: now, on: connection)
                return rooms
            }
        } catch {
            rest.application.tell(rooms.map { .room($0) } + [.notifications], ifInDoubt: error)
            throw error
        }
    }
}
