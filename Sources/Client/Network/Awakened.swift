/// An object that may have to check its connection after an event of the machine.
protocol Awakened: AnyObject, Sendable {
    /// Takes the event that the process was suspended and goes on.
    func resumed() async
    /// Takes the event that the machine has another network or address.
    func networkChanged() async
}

extension RoomConnection: Awakened {}
