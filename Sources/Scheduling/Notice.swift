package import Contract

/// What is about to be told to one user.
package struct Notice: Sendable {
    package var user: UUID
    package var type: NotificationType
    package var registration: UUID
    /// The room and its revision; the partners of the notification are its members as of that.
    package var room: UUID?
    package var revision: Int32?

    package init(
        user: UUID, type: NotificationType, registration: UUID, room: UUID? = nil, revision: Int32? = nil
    ) {
        self.user = user
        self.type = type
        self.registration = registration
        self.room = room
        self.revision = revision
    }
}
