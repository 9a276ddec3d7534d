import Contract
import HTTP1
import HTTPServer
import Postgres

extension Leaving {
    /// `DELETE /v1/registrations/{id}`, also from an open room: then the others are told.
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

    /// Answers with the rooms that have changed. A match that waits for the opening is waited for: who asked before that has
    /// not cancelled late.
    private func cancel(
        _ id: UUID, of user: SignedInUser, in database: PostgresPool
    ) async throws -> [UUID] {
        let askedAt = rest.application.now()
        return try await database.transaction(attempts: 3) { connection in
            guard let row = try await connection.query(Self.read, [id, user.id]).first else {
                throw Refused.notFound
            }
            try await SlotLock.take(try row.decode(0, Timestamp.self), on: connection)
            // Again, under the lock: it may have been cancelled, or the account deleted, meanwhile.
            guard let row = try await connection.query(Self.read, [id, user.id]).first else {
                throw Refused.notFound
            }
            let (_, endsAt, isCancelled) = try row.decode(Timestamp.self, Timestamp.self, Bool.self)
            if isCancelled { return [] }
            let now = rest.application.now()
            if now >= endsAt { throw Refused(.conflict, "This slot is over, so there is nothing to cancel.") }
            try await connection.query(Self.cancel, [id, user.id, askedAt])
            let departure = try await RoomDeparture.leave([id], on: connection)
            try await NotificationWriter.write(departure.notices, at: now, on: connection)
            return departure.rooms
        }
    }

    /// Rooms are as the database says before the caller hears that they have changed.
    func changed(_ rooms: [UUID]) async {
        if rooms.isEmpty { return }
        rest.application.changed(.notifications)
        rest.application.changed(.presence)
        await self.rooms.refresh(rooms)
    }
}
