/// Something that may have to look again whether its connection lives.
protocol Awakened: AnyObject, Sendable {
    /// The process was suspended, and goes on.
    func resumed() async
    /// The machine has another network or address.
    func networkChanged() async
}

extension RoomConnection: Awakened {}
