import HTTPServer

/// The calls by which people leave: a registration, the account. Rooms follow before the answer goes out.
struct Leaving: Sendable {
    let rest: REST
    let rooms: RoomKeeper

    func routes(into router: inout Router) {
        addCancelling(to: &router)
        addAccount(to: &router)
    }
}
