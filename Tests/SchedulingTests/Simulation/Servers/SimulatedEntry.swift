import Contract

/// An entry of a member into a room, or its leaving.
struct SimulatedEntry: Sendable {
    var room: Identifier
    var registration: Identifier
    var at: Timestamp
    var isPresent: Bool
}
