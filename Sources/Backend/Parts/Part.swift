import Database
import Scheduling

/// One capability of the server. `Backend` makes the parts, and goes through them: each part does what
/// concerns it, and the rest is left out.
protocol Part: Sendable {
    /// The loops of the part. Each runs on the background loop until it is cancelled.
    var tasks: [@Sendable () async -> Void] { get }

    /// Handles change events of this and other servers. Events of one queue come together; if a part throws,
    /// all parts get them again.
    func changed(_ changes: PendingChanges) async throws

    /// Looks for changes whose event was lost, once a minute.
    func compare() async throws

    /// Stores what is left and closes what is open, after the tasks have ended.
    func finish() async
}

extension Part {
    var tasks: [@Sendable () async -> Void] { [] }

    func changed(_ changes: PendingChanges) async throws {}

    func compare() async throws {}

    func finish() async {}
}

extension RoutineWorker: Part {
    var tasks: [@Sendable () async -> Void] { [run] }
}

extension Retention: Part {
    var tasks: [@Sendable () async -> Void] { [run] }
}

extension TraceExporter: Part {
    var tasks: [@Sendable () async -> Void] { [run] }
}
