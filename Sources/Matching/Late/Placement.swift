/// A placement of people who arrive.
package enum Placement<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The arrivals go into an open room. A room is named by one such placement at most.
    case join(room: ID, [ID])
    /// The arrivals go into a new room.
    case open([ID])
    /// The member `leaving` is taken out of the open room, and meets `arrivals` in a new one. A room may give
    /// up several members, and be joined by others.
    case split(room: ID, leaving: ID, arrivals: [ID])
}
