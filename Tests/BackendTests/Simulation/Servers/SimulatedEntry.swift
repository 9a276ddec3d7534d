import Contract

/// Somebody entered a room, or left it.
struct SimulatedEntry: Sendable {
    var room: Identifier
    var registration: Identifier
    var at: Timestamp
    var isPresent: Bool
}
