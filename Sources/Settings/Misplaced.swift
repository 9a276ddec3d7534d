/// The way on for a socket that has arrived at a server that does not have its room.
package enum Misplaced: String, CaseIterable, Sendable {
    /// The server passes the bytes on to the one that has the room.
    case off
    /// The server tells nginx, by `X-Accel-Redirect`, to which address the socket has to go. A client that
    /// is not behind nginx would see internal addresses.
    case xAccel = "x-accel"
}
