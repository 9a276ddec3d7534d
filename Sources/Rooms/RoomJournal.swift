package import Contract

/// The receiver of a host's reports that are to be stored. It is called on the host's loop, and must not
/// wait.
package protocol RoomJournal: AnyObject {
    /// Reports that a member has entered the room for the first time. It is called once for each time that
    /// the host opens the room.
    func entered(room: Identifier, registration: Identifier, at: Timestamp)
    /// Reports that a member's first device came, or that the last one went, with the term in which the room
    /// is here; nil if rooms have no owners.
    func presenceChanged(room: Identifier, registration: Identifier, term: Int32?, present: Bool)
}

/// The ales that were counted in a room since the last report.
package struct AleCount: Sendable {
    package struct Member: Sendable {
        package var registration: Identifier
        package var sent: Int64
        package var received: Int64
    }

    package var room: Identifier
    package var ales: Int64
    package var members: [Member]
}
