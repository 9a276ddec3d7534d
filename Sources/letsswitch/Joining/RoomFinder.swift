import Client
import Contract

/// Finds the room for a command to which none, or only its id, was given.
struct RoomFinder: Sendable {
    /// An event while a room is waited for.
    enum Wait: Sendable {
        /// The connection is established: the server will tell when a room opens.
        case connected
        case registered(Registration)
        /// The connection to the server is gone; the next attempt comes after the wait.
        case interrupted(reason: Text, wait: Duration)
    }

    let api: APIClient

    /// Returns the room of that id, else the caller's that is open.
    func openRoom(_ id: Identifier?) async throws -> Room {
        if let id { return try await api.room(id) }
        if let room = try await currentRoom() { return room }
        throw Failure(
            .notFound, "No room of yours is open",
            "No room of yours is open now. \"letsswitch registrations\" shows when the next one does.")
    }

    /// Returns the caller's room that is open now.
    func currentRoom() async throws -> Room? {
        try await api.openRoom(at: await ServerClock.now(api))
    }

    /// Returns the same room as `openRoom`, or else the next one to open. `told` is called with the events
    /// until then.
    func nextRoom(_ id: Identifier?, told: @Sendable (Wait) -> Void) async throws -> Room {
        if let id { return try await openRoom(id) }
        // The stream is opened before the server is asked, so that no opening falls between the two.
        for try await event in api.events() {
            switch event {
            case .connected:
                told(.connected)
                if let room = try await currentRoom() { return room }
                if let registration = try await api.registrationsAhead(in: .registered).registrations.first {
                    told(.registered(registration))
                } else if let room = try await currentRoom() {
                    // The room opened between the two requests.
                    return room
                } else {
                    throw Failure(
                        .notFound, "There is no room to enter",
                        "No room of yours is open, and you are registered for none. "
                            + "Register first: letsswitch register \"What you will do\" --at next")
                }
            case .notification(let notification):
                if let room = notification.data.openRoom { return try await api.room(room.roomId) }
            case .interrupted(let reason, let wait):
                told(.interrupted(reason: reason, wait: wait))
            }
        }
        throw ClientError.cancelled
    }
}
