package import Contract

/// Where a room's host reports what is to be stored. Called on the host's loop; it must not wait.
package protocol RoomJournal: AnyObject {
    /// A member has a first device in the room. Once for each time that the host learns of it.
    func entered(room: Identifier, registration: Identifier, at: Timestamp)
    /// A member's first device came, or the last one went.
    func presenceChanged(room: Identifier, registration: Identifier, present: Bool)
}

/// What ales were counted in a room since the last time.
package struct AleCount: Sendable {
    package struct Member: Sendable {
        package var registration: Identifier
        package var sent: Int64
        package var received: Int64

        package init(registration: Identifier, sent: Int64, received: Int64) {
            self.registration = registration
            self.sent = sent
            self.received = received
        }
    }

    package var room: Identifier
    package var ales: Int64
    package var members: [Member]

    package init(room: Identifier, ales: Int64, members: [Member]) {
        self.room = room
        self.ales = ales
        self.members = members
    }
}
