import Client
import Contract

/// An input to which the join command reacts.
enum JoinInput: Sendable {
    case waiting(RoomFinder.Wait)
    case found(Room, RoomConnection)
    case event(RoomEvent)
    case health(Health)
    /// The connection has given its last event, or could not go on.
    case ended((any Error)?)
    /// Bytes of standard input.
    case typed([UInt8])
    /// Standard input has ended.
    case typedAll
    case tick
}
