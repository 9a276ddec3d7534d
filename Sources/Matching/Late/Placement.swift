/// Where people who arrive go.
package enum Placement<ID: Hashable & Sendable>: Hashable, Sendable {
    /// Into a room that is open. A room is named by one placement at most.
    case join(room: ID, [ID])
    /// Into a new room.
    case open([ID])
    /// `leaving` is taken out of the room, and meets `arrival` in a new one.
    case split(room: ID, leaving: ID, arrival: ID)
}
