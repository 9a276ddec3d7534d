/// The counts of what was sent, what arrived, and what should not have.
struct Tally {
    var sent = 0
    var received = 0
    var probes = 0

    /// Deliveries that never arrived.
    var lost = 0
    /// Deliveries that arrived after they had been given up.
    var late = 0
    /// Deliveries of a member's own ale.
    var echoed = 0
    /// Deliveries to a member of another room.
    var misrouted = 0
    /// Deliveries that repeated an earlier one.
    var doubled = 0
    /// Deliveries for which there is no ale. Version 1 does not tell which of the three above they are.
    var unexplained = 0

    /// Connections that were refused, broke, or sent something invalid.
    var errors = 0
    /// Ales that were due and not sent, since the server is too far behind.
    var unsent = 0

    var isFaultless: Bool {
        lost + late + echoed + misrouted + doubled + unexplained + errors + unsent == 0
    }
}
