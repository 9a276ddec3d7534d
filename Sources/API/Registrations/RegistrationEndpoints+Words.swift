import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Scheduling

extension RegistrationEndpoints {
    /// Stores what the user says about a session, and publishes it to the room. Returns the registration as
    /// it is then.
    func say(
        _ patch: RegistrationPatch, on id: Identifier, _ user: SignedInUser, _ request: HTTPRequest
    ) async throws -> Registration {
        let now = application.now()
        var room: Identifier?
        do {
            // A deletion of the account holds the row of the user while it waits for the lock of a slot.
            let registration = try await application.locks.transaction(under: .user(user.id)) { connection in
                room = nil
                try await connection.lockAccount(user.id)
                let before = try await read(id, user, on: connection)
                try Answer.check(before, as: request)
                let words = try spoken(patch, on: before, at: now)
                if words == before.words { return before }
                room = before.roomId
                try await words.write(for: id, of: user.id, at: now, on: connection)
                return try await read(id, user, on: connection)
            }
            if let room { application.changed(.room(room)) }
            return registration
        } catch {
            application.tell([room].compactMap(\.self).map { .room($0) }, ifInDoubt: error)
            throw error
        }
    }

    private func read(
        _ id: Identifier, _ user: SignedInUser, on connection: PostgresConnection
    ) async throws -> Registration {
        try await UserRegistrations.find(id, of: user.id, in: connection).orThrow(.notFound)
    }

    /// Returns the words after the patch; throws a 409 if it is not the time for it.
    private func spoken(
        _ patch: RegistrationPatch, on registration: Registration, at now: Timestamp
    ) throws(APIError) -> SessionWords {
        switch registration.state.known {
        case .registered:
            let opensAt = application.rules.opensAt(registration.slot.startsAt)
            let hint: Text =
                now < opensAt ? "It opens at \(opensAt)." : "It is about to open: try again in a moment."
            throw APIError(.conflict, "You can check in once you have a room, and say how it went. \(hint)")
        case .cancelled:
            throw APIError(.conflict, "This registration is cancelled, so there is no session to speak of.")
        case .lapsed:
            throw APIError(.conflict, "The service was down for this slot, so there was no session.")
        case .matched, .attended, .missed, nil: break
        }
        let slot = registration.slot
        if patch.checkIn != .keep, now >= slot.endsAt {
            throw APIError(
                .conflict, "This session is over: a check-in is for its time. Say how it went by outcome.")
        }
        if patch.hasOutcome {
            let end = slot.endsAt.adding(.seconds(Limits.outcomeSeconds))
            if now < slot.startsAt {
                throw APIError(
                    .conflict, "This session begins at \(slot.startsAt). Say how it went from then on.")
            }
            if now >= end {
                throw APIError(
                    .conflict, "How this session went could be said until \(end): it stays as it is.")
            }
        }
        var words = SessionWords(
            checkIn: patch.checkIn.applied(to: registration.checkIn),
            outcome: patch.outcome.applied(to: registration.outcome?.known),
            note: patch.note.applied(to: registration.note))
        if words.outcome == nil, words.note != nil {
            // The outcome is taken back, and the note with it.
            if patch.outcome == .clear {
                words.note = nil
            } else {
                throw APIError(.conflict, "A note is about an outcome: send outcome along with it.")
            }
        }
        return words
    }
}
