package import Contract

/// What the scheduler knows from the database, and does there. In the tests of the matching there is a model
/// of it.
package protocol ScheduleStore: Sendable {
    /// The slots that are not closed.
    func agenda() async throws -> [AgendaEntry]

    /// Who is registered for a slot that is not open yet, and what they know of each other; for a plan that
    /// is made ahead of the match, without the slot's lock. Throws where any statement takes longer than
    /// `limit`.
    func people(
        of startsAt: Timestamp, within limit: Duration
    ) async throws -> (people: [SlotPerson], edges: [SlotEdge])

    /// Notes that a server was up while the slot ran; the first note counts.
    func serve(_ startsAt: Timestamp, at now: Timestamp) async throws

    /// Notes that this server is up, and has been since `upSince` even where it did not say so. Where none
    /// was for more than `silence` before that while somebody's slot ran, that is kept as an outage: nobody
    /// missed a session because of it. And where it is `releasing`, whoever was present on a server that has
    /// said nothing for so long is not present any more.
    @discardableResult
    func noteAlive(
        at now: Timestamp, upSince: Timestamp, silence: Duration, releasing: Bool
    ) async throws -> AliveNote

    /// Runs the body in one transaction on the slot, under the slot's lock from its first statement to its
    /// end: committed where the body returns, undone where it throws. It may be run again from the start.
    func transaction<Value: Sendable>(
        on startsAt: Timestamp, _ body: (any SlotTransaction) async throws -> Value
    ) async throws -> Value
}

/// What came of a server's note that it is up.
package struct AliveNote: Equatable, Sendable {
    /// The database did not know it, or had given it up, and does not know who is present on it.
    package var isNew: Bool
    /// How many were present on servers that are gone.
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
    /// It is opened, and somebody is registered who has no room.
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
