import Contract

@testable import Scheduling

/// A store with the actions of people beside the scheduler's: PostgreSQL, or the model of it.
protocol ScriptSubject: Sendable {
    var store: any ScheduleStore { get }

    /// Registers a person, and returns the answer as text.
    func register(_ registration: ScriptRegistration) async throws -> String
    /// Cancels a registration as a user does: the others in the room are told.
    func cancel(_ registration: ScriptRegistration, at now: Timestamp) async throws
    /// Stores that a socket of the member is open, or that the last one has closed.
    func visit(_ registration: ScriptRegistration, isPresent: Bool, at now: Timestamp) async throws
    func block(_ one: ScriptRegistration, _ other: ScriptRegistration) async throws
    /// Returns the outages in the order of their beginnings.
    func outages() async throws -> [ClosedRange<Timestamp>]
    /// Returns the notifications in their order: type, registration, room and revision.
    func notifications() async throws -> [ScriptNotification]
}

/// A registration of the script, with its number there.
struct ScriptRegistration: Hashable, Sendable {
    var number: Int
    var startsAt: Timestamp
    var person: Int
    var tag: String?
    var intent = SlotIntent()

    var id: Identifier { Identifier(value: UInt128(number) << 64 | 1) }
    var user: Identifier { Identifier(value: UInt128(person) << 64 | 2) }
}

struct ScriptNotification: Hashable, Sendable {
    var type: String
    var registration: Identifier
    var room: Identifier?
    var revision: Int32?
}
