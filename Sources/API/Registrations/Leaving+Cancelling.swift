package import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Scheduling

extension Leaving {
    /// Adds `DELETE /v1/registrations/{id}`, also for a registration in an open room, whose other members are
    /// told.
    func addCancelling(to router: inout Router) {
        router.on(
            .delete, "/v1/registrations/{id}",
            rest.signedIn { user, request in
                let rooms = try await cancel(
                    try request.id(), of: user, in: rest.application.database(request.loop))
                await changed(rooms)
                return HTTPResponse(status: 204)
            })
    }

    private static let read = """
        SELECT starts_at, ends_at, cancelled_at IS NOT NULL
        FROM registrations JOIN slots USING (starts_at)
        WHERE id = $1 AND user_id = $2
        """

    private static let cancel = """
        UPDATE registrations SET cancelled_at = $3, updated_at = $3 WHERE id = $1 AND user_id = $2
        """

    /// Cancels a registration, and returns the rooms that have changed. The call waits for a match that waits
    /// for the opening; a request that came before the opening is not late.
    private func cancel(
        _ id: Identifier, of user: SignedInUser, in database: PostgresPool
    ) async throws -> [Identifier] {
        let askedAt = rest.application.now()
        // A registration that can no longer change is answered without taking the lock.
        let row = try await database.query(Self.read, [id, user.id], retrying: true).first
        guard let startsAt = try startIfLive(row, at: askedAt) else { return [] }
        var rooms: [Identifier] = []
        do {
            try await rest.application.locks.with(.slot(startsAt)) { database in
                try await database.transaction(attempts: 3) { connection in
                    rooms = []
                    try await SlotLock.take(startsAt, on: connection)
                    // The registration is read again under the lock: it may have been cancelled, or the
                    // account deleted, meanwhile.
                    let row = try await connection.query(Self.read, [id, user.id]).first
                    let now = rest.application.now()
                    if try startIfLive(row, at: now) == nil { return }
                    try await connection.query(Self.cancel, [id, user.id, askedAt])
                    let departure = try await RoomDeparture.leave([id], on: connection)
                    try await NotificationWriter.write(departure.notices, at: now, on: connection)
                    rooms = departure.rooms
                }
            }
            return rooms
        } catch {
            if !rooms.isEmpty {
                let changeEvents = rooms.map { ChangeEvent.room($0) } + [.notifications, .presence]
                rest.application.tell(changeEvents, ifInDoubt: error)
            }
            throw error
        }
    }

    /// Returns the start of the slot of a registration that can be cancelled; nil if it is cancelled already.
    private func startIfLive(_ row: PostgresRow?, at now: Timestamp) throws -> Timestamp? {
        guard let row else { throw APIError.notFound }
        let (startsAt, endsAt, isCancelled) = try row.decode(Timestamp.self, Timestamp.self, Bool.self)
        if isCancelled { return nil }
        if now >= endsAt { throw APIError(.conflict, "This slot is over, so there is nothing to cancel.") }
        return startsAt
    }

    /// Publishes that rooms have changed, and refreshes those on this server before it returns.
    package func changed(_ rooms: [Identifier]) async {
        if rooms.isEmpty { return }
        rest.application.changed(.notifications)
        rest.application.changed(.presence)
        for room in rooms { rest.application.tellOthers(.room(room)) }
        await self.rooms.refresh(rooms)
    }
}
