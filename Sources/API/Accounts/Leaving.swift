package import HTTPServer

/// The calls that cancel a registration or delete an account. Rooms are updated before the answer is sent.
package struct Leaving: Sendable {
    package let rest: REST
    package let rooms: RoomDirectory

    package init(rest: REST, rooms: RoomDirectory) {
        self.rest = rest
        self.rooms = rooms
    }

    package func routes(into router: inout Router) {
        addCancelling(to: &router)
        addAccount(to: &router)
    }
}
