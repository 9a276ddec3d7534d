import Contract

@testable import Database
@testable import Scheduling

/// The schedule in PostgreSQL, with hooks before and after each transaction on a slot, before each heartbeat
/// of a server, and before each reading of the agenda.
struct FaultyStore: ScheduleStore {
    let store: PostgresSchedule
    var before: @Sendable (Timestamp) throws -> Void = { _ in }
    /// A hook that runs once the transaction is committed.
    var committed: @Sendable () -> Void = {}
    var beforeNote: @Sendable () -> Void = {}
    var beforeAgenda: @Sendable () -> Void = {}

    func agenda() async throws -> [AgendaEntry] {
        beforeAgenda()
        return try await store.agenda()
    }

    func people(
        of startsAt: Timestamp, within limit: Duration
    ) async throws -> (people: [SlotPerson], edges: [SlotEdge]) {
        try await store.people(of: startsAt, within: limit)
    }

    func serve(_ startsAt: Timestamp, at now: Timestamp) async throws {
        try await store.serve(startsAt, at: now)
    }

    func noteAlive(
        at now: Timestamp, upSince: Timestamp, silence: Duration, releasing: Bool
    ) async throws -> AliveNote {
        beforeNote()
        return try await store.noteAlive(at: now, upSince: upSince, silence: silence, releasing: releasing)
    }

    func transaction<Value: Sendable>(
        on startsAt: Timestamp, _ body: (any SlotTransaction) async throws -> Value
    ) async throws -> Value {
        try before(startsAt)
        let value = try await store.transaction(on: startsAt, body)
        committed()
        return value
    }

}
