import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Scheduling

extension RegistrationEndpoints {
    /// Answers `DELETE /v1/registrations/{id}`, also for a registration in an open room, whose other members
    /// are told.
    func cancelRegistration(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let departure = try await cancel(
            try request.id(), of: user, in: application.database(request.loop))
        for slot in departure.slots { application.changed(.left(slot)) }
        await leaving.changed(departure.rooms)
        return HTTPResponse(status: 204)
    }

    /// Returns what has changed. A match that waits for the opening is waited for: a request that came before
    /// it is no late cancellation.
    private func cancel(
        _ id: Identifier, of user: SignedInUser, in database: PostgresPool
    ) async throws -> RoomDeparture.Outcome {
        let askedAt = application.now()
        // A registration that can no longer change is answered without taking the lock.
        let span = try await UserRegistrations.findSpan(id, of: user.id, in: database)
        guard let startsAt = try startIfLive(span, at: askedAt) else { return .init() }
        if application.isFixed(startsAt, at: askedAt) {
            throw APIError(
                .conflict,
                "The room of this slot has opened, and this server does not allow cancelling after that: "
                    + "others count on you."
            )
        }
        var departure = RoomDeparture.Outcome()
        do {
            try await application.locks.transaction(under: .slot(startsAt)) { connection in
                departure = .init()
                try await SlotLock.take(startsAt, on: connection)
                // Again, under the lock: it may have been cancelled, or the account deleted, meanwhile.
                let span = try await UserRegistrations.findSpan(id, of: user.id, in: connection)
                let now = application.now()
                if try startIfLive(span, at: now) == nil { return }
                try await UserRegistrations.cancel(id, of: user.id, at: askedAt, on: connection)
                departure = try await RoomDeparture.leave([id], on: connection)
                try await NotificationWriter.write(departure.notices, at: now, on: connection)
            }
            return departure
        } catch {
            if !departure.rooms.isEmpty {
                let changeEvents: [ChangeEvent] = departure.changeEvents + [.notifications, .presence]
                application.tell(changeEvents, ifInDoubt: error)
            }
            throw error
        }
    }

    /// The start of the slot of a registration that can be cancelled; nil: it is cancelled already.
    private func startIfLive(_ span: UserRegistrations.Span?, at now: Timestamp) throws -> Timestamp? {
        guard let span else { throw APIError.notFound }
        if span.isCancelled { return nil }
        if now >= span.endsAt {
            throw APIError(.conflict, "This slot is over, so there is nothing to cancel.")
        }
        return span.startsAt
    }
}
