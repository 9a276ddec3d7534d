package import HTTPServer

/// The calls by which people leave: a registration, the account. Rooms follow before the answer goes out.
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
