/// The close codes of a room's socket that the server chooses.
public enum RoomClose: UInt16, CaseIterable, Hashable, Sendable {
    case roomClosed = 1000
    case notAllowed = 1008
    case tooBig = 1009
    case restarting = 1012
    case overloaded = 1013
    case tooSlow = 4101
    case heartbeatMissed = 4102
    case moved = 4200
}
