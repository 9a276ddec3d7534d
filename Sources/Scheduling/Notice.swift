package import Contract

/// A notification that is about to be written for one user.
package struct Notice: Sendable {
    package var user: Identifier
    package var type: NotificationType
    package var registration: Identifier
    /// The room. The partners of the notification are the room's members as of `revision`.
    package var room: Identifier?
    package var revision: Int32?

    package init(
        user: Identifier, type: NotificationType, registration: Identifier, room: Identifier? = nil,
        revision: Int32? = nil
    ) {
        self.user = user
        self.type = type
        self.registration = registration
        self.room = room
        self.revision = revision
    }
}
