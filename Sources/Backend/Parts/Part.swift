import API
import Codecs
import Contract
import Database
import HTTPServer
import Logging
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

    /// Removes rows that are old, in batches. Returns the pause until the part is called again; nil if it
    /// keeps no old rows.
    func removeExpired(at now: Timestamp) async throws -> Duration?

    /// The figures of the part, for `/metrics`, `/debug` and the desk.
    func figures() async -> [Figure]

    /// The figures that are counted in the database, for `/metrics` alone: the others wait for no database.
    func storedFigures() async -> [Figure]

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

    func removeExpired(at now: Timestamp) async throws -> Duration? { nil }

    func figures() async -> [Figure] { [] }

    func storedFigures() async -> [Figure] { [] }

    var states: [PartState] { [] }

    func finish() async {}
}

extension [any Part] {
    /// Has all parts compare, also after one of them has failed. Throws the first error.
    func compare() async throws { try await takeAll(map { part in { try await part.compare() } }) }

    /// Has all parts remove what is old until the task is cancelled, each at its own pace. This is the only
    /// loop that removes old rows.
    func removeExpired(
        at now: @escaping CurrentTime,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) async {
        await withTaskGroup { group in
            for part in self {
                group.addTask {
                    while !Task.isCancelled {
                        var pause: Duration? = Quiet.pause
                        do {
                            pause = try await part.removeExpired(at: now())
                        } catch {
                            if Task.isCancelled { return }
                            Log.warning(
                                "removing old rows failed; retrying",
                                ["part": "\(type(of: part))", "error": "\(error)"])
                        }
                        guard let pause else { return }
                        try? await sleep(pause)
                    }
                }
            }
        }
    }
}

/// Takes all steps, also after one of them has failed. Throws the first error.
func takeAll(_ steps: [() async throws -> Void]) async throws {
    var failure: (any Error)?
    for step in steps {
        do { try await step() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
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
    init(_ context: PartContext) {
        self.init(
            days: context.configuration.retentionDays, quiet: Quiet(context.configuration),
            pool: context.pool, metrics: context.retention, now: context.now)
    }

    func figures() -> [Figure] { metrics.current.figures }
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

    /// The counts of a server that traces nothing are zero.
    func figures() -> [Figure] { [(exporter?.counts ?? .init()).figure] }

    func finish() async { await exporter?.finish() }
}
