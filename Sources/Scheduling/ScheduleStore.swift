package import Contract

/// The database as the scheduler uses it. The tests of the matching use a model of it.
package protocol ScheduleStore: Sendable {
    /// The slots that are not closed.
    func agenda() async throws -> [AgendaEntry]

    /// Returns the people who are registered for a slot that is not open yet, and their edges; for a plan
    /// that is made ahead of the match, without the slot's lock. Throws if any statement takes longer than
    /// `limit`.
    func people(
        of startsAt: Timestamp, within limit: Duration
    ) async throws -> (people: [SlotPerson], edges: [SlotEdge])

    /// Notes that a server was up while the slot ran; the first note counts.
    func serve(_ startsAt: Timestamp, at now: Timestamp) async throws

    /// Notes that this server is up, and has been since `upSince` even if it did not say so. If no server was
    /// up for more than `silence` before that while a slot with registrations ran, that time is kept as an
    /// outage: sessions in it do not count as missed. If `releasing`, members who were present on a server
    /// that has been silent for so long are not present any more.
    @discardableResult
    func noteAlive(
        at now: Timestamp, upSince: Timestamp, silence: Duration, releasing: Bool
    ) async throws -> AliveNote

    /// Runs the body in one transaction on the slot, under the slot's lock from its first statement to its
    /// end: committed if the body returns, undone if it throws. The body may be run again from the start.
    func transaction<Value: Sendable>(
        on startsAt: Timestamp, _ body: (any SlotTransaction) async throws -> Value
    ) async throws -> Value
}

/// The result of a server's note that it is up.
package struct AliveNote: Equatable, Sendable {
    /// Whether the database did not know the server, or had given it up, and so does not know who is present
    /// on it.
    package var isNew: Bool
    /// The number of members who were present on servers that are gone.
    package var released: Int

    package init(isNew: Bool, released: Int) {
        self.isNew = isNew
        self.released = released
    }
}

/// A slot that is not closed, as the database has it.
package struct AgendaEntry: Equatable, Sendable {
    package var startsAt: Timestamp
    package var endsAt: Timestamp
    package var isOpened: Bool
    package var isServed: Bool
    /// Whether the slot is open and has a registration without a room.
    package var hasLateArrivals: Bool

    package init(
        startsAt: Timestamp, endsAt: Timestamp, isOpened: Bool, isServed: Bool, hasLateArrivals: Bool
    ) {
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.isOpened = isOpened
        self.isServed = isServed
        self.hasLateArrivals = hasLateArrivals
    }
}
