package import Contract
package import Database
package import Postgres
import Scheduling
import Settings

/// The acts by which people leave: rooms are updated before the answer is sent.
package struct Leaving: Sendable {
    package let signIn: SignIn
    package let rooms: RoomDirectory

    package init(_ signIn: SignIn, _ rooms: RoomDirectory) {
        self.signIn = signIn
        self.rooms = rooms
    }

    private var application: Application { signIn.application }

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
            return try await Suspensions.cancelRegistrations(
                of: user, onlyWaiting: false, at: now, on: connection)
        }
        let slots = try await remove(user, by: act, also: also)
        // A registration that had passed the sign-in may have waited for the lock of the account.
        let late = try await application.locks.transaction(under: .user(user)) { connection in
            try await AccountRemoval.lock(user, on: connection)
            let now = application.now()
            return try await Suspensions.cancelRegistrations(
                of: user, onlyWaiting: true, at: now, on: connection)
        }
        for slot in Set(slots + late) { application.changed(.slot(slot)) }
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
        let (departure, slots) = try await application.locks.with(.user(user)) { database in
            for _ in 0..<5 {
                let done = try await signIn.endingSessionsInDoubt(of: user) {
                    try await removeOnce(user, by: act, also: also, in: database)
                }
                if let done { return done }
            }
            throw PostgresError.unavailable("the account registers all the time")
        }
        application.changed(.notifications)
        application.changed(.presence)
        for slot in departure.slots { application.changed(.left(slot)) }
        await signIn.endSessions(of: user, in: departure.rooms)
        return slots
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
                let now = application.now()
                let soon = now.adding(.seconds(application.configuration.leadSeconds + 30))
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
            application.tell(departure.changeEvents + [.notifications], ifInDoubt: error)
            throw error
        }
    }

    /// Publishes that rooms have changed, and refreshes those on this server before it returns.
    package func changed(_ rooms: [Identifier]) async {
        if rooms.isEmpty { return }
        application.changed(.notifications)
        application.changed(.presence)
        for room in rooms { application.tellOthers(.room(room)) }
        await self.rooms.refresh(rooms)
    }
}
