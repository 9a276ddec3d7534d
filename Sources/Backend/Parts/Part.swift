import API
import Contract
import Database
import HTTPServer
import Scheduling
import Settings

/// One capability of the server. `Backend` makes the parts and calls each member on all of them; a member
/// that a part does not need does nothing.
protocol Part: Sendable {
    /// The connections to PostgreSQL that are the part's own. They are closed when all parts have finished.
    var pools: [DatabasePools.Group] { get }

    /// Adds the calls of the part.
    func routes(_ rest: REST, into routers: inout Routers)

    /// The loops of the part. Each runs on the background loop until it is cancelled.
    var tasks: [@Sendable () async -> Void] { get }

    /// Handles change events of this and other servers. Events of one queue come together; if a part throws,
    /// all parts get them again.
    func changed(_ changes: PendingChanges) async throws

    /// Looks for changes whose event was lost, once a minute.
    func compare() async throws

    /// Adds the figures of the part to the page `/metrics`.
    func figures(into page: inout MetricsPage) async

    /// The states of the part, for operators.
    var states: [PartState] { get async }

    /// Stores what is left and closes what is open, after the tasks have ended.
    func finish() async
}

/// The calls of each listener.
struct Routers {
    /// The calls of clients.
    var open = Router()
    /// The calls of other servers, where they have a port of their own.
    var inside = Router()
    /// The calls of operators.
    var desk = Router()
}

extension Part {
    var pools: [DatabasePools.Group] { [] }

    func routes(_ rest: REST, into routers: inout Routers) {}

    var tasks: [@Sendable () async -> Void] { [] }

    func changed(_ changes: PendingChanges) async throws {}

    func compare() async throws {}

    func figures(into page: inout MetricsPage) async {}

    var states: [PartState] { [] }

    func finish() async {}
}

extension [any Part] {
    /// Has all parts compare, also after one of them has failed. Throws the first error.
    func compare() async throws {
        var failure: (any Error)?
        for part in self {
            do { try await part.compare() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}

extension RoutineWorker: Part {
    init(_ context: PartContext) {
        self.init(
            planner: RoutinePlanner(
                context.configuration, context.rules, context.application.timeZones),
            quiet: Quiet(context.configuration), pool: context.pool, now: context.now,
            changed: context.application.changed)
    }

    func routes(_ rest: REST, into routers: inout Routers) { routers.open.add(RoutineEndpoints(rest)) }

    var tasks: [@Sendable () async -> Void] { [run] }
}

/// The feeds that calendar programs read.
struct CalendarsPart: Part {
    func routes(_ rest: REST, into routers: inout Routers) { routers.open.add(CalendarEndpoints(rest)) }
}

/// Blocks, favourites, and statistics of an account.
struct PeoplePart: Part {
    func routes(_ rest: REST, into routers: inout Routers) {
        routers.open.add(PeopleEndpoints(rest), StatsEndpoints(rest))
    }
}

extension Retention: Part {
    init(_ context: PartContext, _ metrics: RetentionMetrics) {
        self.init(
            days: context.configuration.retentionDays, quiet: Quiet(context.configuration),
            pool: context.pool, metrics: metrics, now: context.now)
    }

    var tasks: [@Sendable () async -> Void] { [run] }

    func figures(into page: inout MetricsPage) {
        let retention = metrics.current
        page.counter(
            "retention_slots_removed_total", "Slots that were removed because they were old.",
            Double(retention.removed.slots))
        page.counter(
            "retention_registrations_removed_total",
            "Registrations that were removed with their slots, or after they were cancelled.",
            Double(retention.removed.registrations))
        page.counter(
            "retention_partitions_dropped_total", "Partitions of deliveries and attempts that were dropped.",
            Double(retention.partitions))
        page.counter(
            "retention_work_seconds_total", "The time that the removal of old slots took.",
            retention.workSeconds)
        page.counter(
            "retention_failures_total", "Times that the removal of old slots failed and was put off.",
            Double(retention.failures))
        let name = "retention_last_run_timestamp_seconds"
        page.head(name, "When this server last looked for old slots; until then when it started.", "gauge")
        if let last = retention.lastRun { page.sample(name, "", Double(last.seconds)) }
    }
}

/// The traces of requests.
struct TracesPart: Part {
    /// The sender; nil if nothing is traced.
    let exporter: TraceExporter?

    /// The loop of the exporter. It runs on the shared threads: encoding spans would delay the scheduler.
    var tasks: [@Sendable () async -> Void] {
        guard let exporter else { return [] }
        return [{ await withTaskExecutorPreference(globalConcurrentExecutor) { await exporter.run() } }]
    }

    func figures(into page: inout MetricsPage) {
        TraceExporter.figures(
            exporter?.counts ?? .init(), dropped: exporter?.droppedCount ?? 0, into: &page)
    }

    func finish() async { await exporter?.finish() }
}
