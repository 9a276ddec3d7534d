/// What was sent, what came, and what should not have.
struct Tally {
    var sent = 0
    var received = 0
    var probes = 0

    /// Deliveries that never came.
    var lost = 0
    /// Deliveries that came after they had been given up.
    var late = 0
    /// Deliveries of a member's own ale.
    var echoed = 0
    /// Deliveries to somebody who is not in the room.
    var misrouted = 0
    /// Deliveries that had come before.
    var doubled = 0
    /// Deliveries for which there is no ale; which of the three above it is, version 1 does not say.
    var unexplained = 0

    /// Connections that were refused, broke, or said what nobody understands.
    var errors = 0
    /// Ales that were due and not sent, since the server is too far behind.
    var unsent = 0

    var isFaultless: Bool {
        lost + late + echoed + misrouted + doubled + unexplained + errors + unsent == 0
    }
}
