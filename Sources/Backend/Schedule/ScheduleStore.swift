import Contract

/// What the scheduler knows from the database, and does there. In the tests of the matching there is a model of it.
protocol ScheduleStore: Sendable {
    /// The slots that are not closed.
    func agenda() async throws -> [AgendaEntry]

    /// Who is registered for a slot that is not open yet, and what they know of each other; for a plan that is made
    /// ahead of the match, without the slot's lock.
    func people(of startsAt: Timestamp) async throws -> (people: [SlotPerson], ties: [SlotTie])

    /// Notes that a server was up while the slot ran; the first note counts.
    func serve(_ startsAt: Timestamp, at now: Timestamp) async throws

    /// Notes that a server is up. Where none was for more than `silence` while somebody's slot ran, that is kept as an
    /// outage: nobody missed a session because of it.
    func noteAlive(at now: Timestamp, silence: Duration) async throws

    /// Tells people of a slot that is over how it went, where they are so many that one transaction would take long.
    /// `SlotTransaction.close` tells the others.
    func tellEnd(of startsAt: Timestamp, at now: Timestamp) async throws

    /// Runs the body in one transaction on the slot, under the slot's lock from its first statement to its end:
    /// committed where the body returns, undone where it throws. It may be run again from the start.
    func transaction<Value: Sendable>(
        on startsAt: Timestamp, _ body: (any SlotTransaction) async throws -> Value
    ) async throws -> Value
}

extension ScheduleStore {
    func tellEnd(of startsAt: Timestamp, at now: Timestamp) async throws {}
}

/// A slot that is not closed, as the database has it.
struct AgendaEntry: Equatable, Sendable {
    var startsAt: Timestamp
    var endsAt: Timestamp
    var isOpened: Bool
    var isServed: Bool
    /// It is opened, and somebody is registered who has no room.
    var hasLateArrivals: Bool
}
