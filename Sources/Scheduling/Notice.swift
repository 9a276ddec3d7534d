package import Contract

/// What is about to be told to one user.
package struct Notice: Sendable {
    package var user: Identifier
    package var type: NotificationType
    package var registration: Identifier
    /// The room and its revision; the partners of the notification are its members as of that.
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
