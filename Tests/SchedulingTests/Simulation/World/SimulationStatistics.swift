/// Counts of what happened, so that a simulation in which nothing happens is noticed.
struct SimulationStatistics: Sendable {
    var registrations = 0
    var rooms = 0
    var lateJoins = 0
    var moves = 0
    var rematches = 0
    var crashes = 0
    /// The number of servers that did not come back.
    var losses = 0
    var clockSteps = 0
    var lostCommits = 0
    var lostChangeEvents = 0
    var outages = 0
    var statements = 0
    /// The registrations with an invite, and those of people who meet favourites only.
    var invited = 0
    var selective = 0

    mutating func add(_ other: SimulationStatistics) {
        registrations += other.registrations
        rooms += other.rooms
        lateJoins += other.lateJoins
        moves += other.moves
        rematches += other.rematches
        crashes += other.crashes
        losses += other.losses
        clockSteps += other.clockSteps
        lostCommits += other.lostCommits
        lostChangeEvents += other.lostChangeEvents
        outages += other.outages
        statements += other.statements
        invited += other.invited
        selective += other.selective
    }
}
