package import Contract
package import Database
import HTTP1
import HTTPServer
import Outbox
package import Postgres
import Scheduling
import Settings

extension Leaving {
    /// Adds `DELETE /v1/me`, which also ends all streams and sockets of the account.
    func addAccount(to router: inout Router) {
        router.on(
            .delete, Routes.me,
            rest.signedIn { user, request in
                try await rest.checkRecovery(user, request)
                try await delete(user.id) { _ in }
                var response = HTTPResponse(status: 204)
                if rest.signIn.hasCookie(request) {
                    rest.signIn.cookie.remove(for: request, in: &response.headers)
                }
                return response
            })
    }

    /// Marks an account deleted, and ends all streams and sockets of it. What other people keep names a
    /// former user afterwards. `AccountErasure` removes its rows. `also` is done in the same transaction, at
    /// its end.
    package func delete(
        _ user: Identifier, also: @escaping @Sendable (PostgresConnection) async throws -> Void
    ) async throws {
        let act: Act = { connection, now in
            try await AccountRemoval.mark(user, at: now, on: connection)
            return []
        }
        _ = try await remove(user, by: act, also: also)
    }

    /// Suspends an account: cancels what is not over, takes it out of its rooms, and ends all streams and
    /// sockets of it. `also` is done in the same transaction, at its end.
    package func suspend(
        _ user: Identifier, _ suspension: Suspension, by operatorName: String,
        also: @escaping @Sendable (PostgresConnection) async throws -> Void
    ) async throws {
        let act: Act = { connection, now in
            try await Suspensions.put(suspension, on: user, by: operatorName, at: now, on: connection)
            return try await Suspensions.cancelRegistrations(of: user, at: now, on: connection)
        }
        let slots = try await remove(user, by: act, also: also)
        // A registration that had passed the sign-in may have waited for the lock of the account.
        let late = try await rest.application.locks.with(.user(user)) { database in
            try await database.transaction(attempts: 3) { connection in
                try await AccountRemoval.lock(user, on: connection)
                let now = rest.application.now()
                return try await Suspensions.cancelUnmatched(of: user, at: now, on: connection)
            }
        }
        for slot in Set(slots + late) { rest.application.changed(.slot(slot)) }
    }

    /// An act on an account, in the transaction in which it leaves its rooms. Returns the slots that have
    /// changed.
    private typealias Act = @Sendable (PostgresConnection, Timestamp) async throws -> [Timestamp]

    /// Takes an account out of its rooms, in the transaction of `act`, which returns slots that have changed,
    /// and ends its sessions.
    private func remove(
        _ user: Identifier,
        by act: @escaping Act,
        also: @escaping @Sendable (PostgresConnection) async throws -> Void
    ) async throws -> [Timestamp] {
        let (departure, slots) = try await rest.application.locks.with(.user(user)) { database in
            try await removePatiently(user, by: act, also: also, in: database)
        }
        rest.application.changed(.notifications)
        rest.application.changed(.presence)
        for slot in departure.slots { rest.application.changed(.left(slot)) }
        await rest.signIn.endSessions(of: user, in: departure.rooms)
        return slots
    }

    private func removePatiently(
        _ user: Identifier,
        by act: @escaping Act,
        also: @escaping @Sendable (PostgresConnection) async throws -> Void,
        in database: PostgresPool
    ) async throws -> (departure: RoomDeparture.Outcome, slots: [Timestamp]) {
        for _ in 0..<5 {
            let done = try await rest.signIn.endingSessionsInDoubt(of: user) {
                try await removeOnce(user, by: act, also: also, in: database)
            }
            if let done { return done }
        }
        throw PostgresError.unavailable("the account registers all the time")
    }

    /// Acts in one transaction. Returns the rooms that were left, and what `act` returns; nil if nothing
    /// was done because the user has registered for another slot meanwhile.
    private func removeOnce(
        _ user: Identifier, by act: (PostgresConnection, Timestamp) async throws -> [Timestamp],
        also: (PostgresConnection) async throws -> Void, in database: PostgresPool
    ) async throws -> (departure: RoomDeparture.Outcome, slots: [Timestamp])? {
        var departure = RoomDeparture.Outcome()
        do {
            return try await database.transaction(attempts: 3) { connection in
                let now = rest.application.now()
                let soon = now.adding(.seconds(rest.application.configuration.leadSeconds + 30))
                let locked = try await AccountRemoval.slots(of: user, until: soon, on: connection)
                for slot in locked { try await SlotLock.take(slot, on: connection) }
                try await AccountRemoval.lock(user, on: connection)
                let again = try await AccountRemoval.slots(of: user, until: soon, on: connection)
                if !Set(again).isSubset(of: locked) { return nil }
                departure = try await AccountRemoval.leaveRooms(user, at: now, on: connection)
                let slots = try await act(connection, now)
                let notices = departure.notices.filter { $0.user != user }
                try await NotificationWriter.write(notices, at: now, on: connection)
                try await also(connection)
                return (departure, slots)
            }
        } catch {
            rest.application.tell(departure.changeEvents + [.notifications], ifInDoubt: error)
            throw error
        }
    }

    /// Ends what was begun under tokens that are no longer valid: streams everywhere, and sockets in these
    /// rooms.
    package func endSessions(of user: Identifier, in rooms: [Identifier]) async {
        await rest.signIn.endSessions(of: user, in: rooms)
    }
}
