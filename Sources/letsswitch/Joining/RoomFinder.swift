import Client
import Contract

/// Which room is meant where none, or only its id, was given.
struct RoomFinder: Sendable {
    let api: APIClient

    /// The room of that id, else the caller's that is open.
    func openRoom(_ argument: String?) async throws -> Room {
        if let argument { return try await api.room(try UUID(argument: argument, command: "watch")) }
        if let room = try await currentRoom() { return room }
        throw Failure(
            .notFound, "No room of yours is open",
            "No room of yours is open now. \"letsswitch registrations\" shows when the next one does.")
    }

    /// The caller's room that is open now.
    func currentRoom() async throws -> Room? {
        let now = await ServerClock.now(api)
        let rooms = try await api.rooms(limit: 10).rooms
        return rooms.filter { $0.opensAt <= now && now < $0.closesAt }.min { $0.closesAt < $1.closesAt }
    }

    /// The same as `openRoom`, or else the next one to open. `waiting` is told what is waited for.
    func nextRoom(
        _ argument: String?, waiting: @Sendable (Registration) -> Void
    ) async throws -> Room {
        if let argument { return try await openRoom(argument) }
        // The stream is there before the question, so that no opening falls between the two.
        for try await event in api.events() {
            switch event {
            case .connected:
                if let room = try await currentRoom() { return room }
                waiting(try await nextRegistration())
            case .notification(let notification):
                switch notification.data {
                case .roomOpened(let news), .roomChanged(let news): return try await api.room(news.roomId)
                case .sessionMissed, .sessionLapsed, .sessionCompleted, .unknown: continue
                }
            case .interrupted:
                continue
            }
        }
        throw ClientError.cancelled
    }

    private func nextRegistration() async throws -> Registration {
        // A slot that is running, where the room is just about to open, began at most a day ago.
        let now = await ServerClock.now(api)
        let from = now.adding(.seconds(-86_400))
        let list = try await api.registrations(from: from, state: .registered, limit: Limits.page.upperBound)
        let ahead = list.registrations.filter { $0.slot.endsAt > now }
        guard let next = ahead.min(by: { $0.slot.startsAt < $1.slot.startsAt }) else {
            throw Failure(
                .notFound, "There is no room to enter",
                "No room of yours is open, and you are registered for none. "
                    + "Register first: letsswitch register \"What you will do\" --at next")
        }
        return next
    }
}
