import Contract

@testable import Backend
@testable import Scheduling

/// A store with what people do to it beside the scheduler: PostgreSQL, or the model of it.
protocol ScriptSubject: Sendable {
    var store: any ScheduleStore { get }

    /// Answers what came of it.
    func register(_ registration: ScriptRegistration) async throws -> String
    /// As somebody who cancels does it: the others in the room are told.
    func cancel(_ registration: ScriptRegistration, at now: Timestamp) async throws
    /// A socket of the member is open, or not any more.
    func visit(_ registration: ScriptRegistration, isPresent: Bool, at now: Timestamp) async throws
    func block(_ one: ScriptRegistration, _ other: ScriptRegistration) async throws
    /// By their beginnings.
    func outages() async throws -> [ClosedRange<Timestamp>]
    /// Every notification, in its order: type, registration, room and revision.
    func notifications() async throws -> [ScriptNotification]
}

/// Somebody's registration in the script; by its number there.
struct ScriptRegistration: Hashable, Sendable {
    var number: Int
    var startsAt: Timestamp
    var person: Int
    var tag: String?

    var id: Identifier { Identifier(value: UInt128(number) << 64 | 1) }
    var user: Identifier { Identifier(value: UInt128(person) << 64 | 2) }
}

struct ScriptNotification: Hashable, Sendable {
    var type: String
    var registration: Identifier
    var room: Identifier?
    var revision: Int32?
}
