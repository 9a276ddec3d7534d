import Contract

/// Somebody entered a room, or left it.
struct SimulatedEntry: Sendable {
    var room: UUID
    var registration: UUID
    var at: Timestamp
    var isPresent: Bool
}
