/// Where people who arrive go.
package enum Placement<ID: Hashable & Sendable>: Hashable, Sendable {
    /// Into a room that is open. A room is named by one such placement at most.
    case join(room: ID, [ID])
    /// Into a new room.
    case open([ID])
    /// `leaving` is taken out of the open room, and meets `arrivals` in a new one. A room may give up
    /// several, and be joined by others.
    case split(room: ID, leaving: ID, arrivals: [ID])
}
