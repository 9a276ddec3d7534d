import API
import Cluster
import Contract
import Database
import Logging
import Postgres
import Reactor
import Rooms
import Scheduling
import Settings

/// The settings, clock, loops and connections that parts share.
struct PartContext: Sendable {
    let configuration: ServerConfiguration
    let database: PostgresConfiguration
    let plan: ConnectionPlan
    let clock: ReferenceClock
    /// The loop that schedules and stores.
    let loop: EventLoop
    /// The loop that delivers.
    let outbound: EventLoop
    let pool: PostgresPool
    let application: Application
    let changes = ChangeDispatcher()
    let broadcaster: ChangeBroadcaster
    /// The sender of traces; nil if nothing is traced.
    let traces: TraceExporter?
    /// The counts of what was removed because it was old.
    let retention = RetentionMetrics()
    /// The other servers, once they are known.
    let peers = Lock<PeerList?>(nil)

    var now: CurrentTime { application.now }
    var rules: ScheduleRules { application.rules }

    /// Creates it. `loops` serve; `publicURL` is the one for clients.
    init(
        _ configuration: ServerConfiguration, database: PostgresConfiguration, publicURL: String,
        loops: [EventLoop], background: EventLoop, outbound: EventLoop, clock: ReferenceClock
    ) async throws {
        guard let rules = ScheduleRules(configuration) else {
            preconditionFailure("the configuration was checked when it was read")
        }
        self.configuration = configuration
        self.database = database
        self.clock = clock
        loop = background
        self.outbound = outbound
        traces = try Self.traces(configuration, on: outbound)
        let plan = try await Self.connectionPlan(configuration, database, loops, on: background)
        self.plan = plan
        let pool = PostgresPool(database.sized(plan.background).planningEachTime(), on: background)
        self.pool = pool
        let key = try await OpenedDatabase.patiently {
            try await ServerKey.read(configuration.ticketKey, orKept: "ticket-key", in: pool)
        }
        let now: CurrentTime = { clock.now() }
        let broadcaster = ChangeBroadcaster(
            database, on: background, openSlots: { rules.openSlots(at: now()) })
        self.broadcaster = broadcaster
        application = Application(
            configuration: configuration, rules: rules,
            tickets: Tickets(key: key, publicURL: publicURL) { [peers] server in
                if server == ChangeEvent.origin { return configuration.serverName }
                return peers.withLock { $0 }?.find(server)?.label
            }, now: now, timeZones: TimeZones(),
            pools: loops.prefix(plan.pools).map { PostgresPool(database.sized(plan.poolSize), on: $0) },
            locks: LockPlaces(
                pool: PostgresPool(
                    database.sized(plan.locks).waitingForLocks(LockPlaces.turn), on: background)),
            changed: { [changes] changeEvent in
                changes.receive(changeEvent)
                broadcaster.tell(changeEvent)
            }, tellOthers: { broadcaster.tell($0) }, limits: RequestLimits(configuration, now: now))
        // Until the listener is connected.
        application.signIns.setListening(false)
    }

    /// The pools that parts share.
    var pools: [DatabasePools.Group] {
        [
            .init(name: "requests", pools: application.pools),
            .init(name: "locks", pools: [application.locks.pool]),
            .init(name: "background", pools: [pool]),
        ]
    }

    /// Returns a pool on the background loop.
    func makePool(_ size: Int) -> PostgresPool {
        PostgresPool(database.sized(size).planningEachTime(), on: loop)
    }

    /// Divides the connections that were asked for, or as many as PostgreSQL allows.
    private static func connectionPlan(
        _ configuration: ServerConfiguration, _ database: PostgresConfiguration, _ loops: [EventLoop],
        on loop: EventLoop
    ) async throws -> ConnectionPlan {
        let pool = PostgresPool(database.sized(1), on: loop)
        let found = await Result {
            try await OpenedDatabase.patiently { try await DatabaseReview.read(from: pool) }
        }
        await pool.shutdown()
        let review = try found.get()
        let asked = configuration.databaseConnections
        let forDesk = configuration.adminPort == nil ? 0 : ServerConfiguration.deskConnections
        if let fault = review.connectionFault(
            needing: ServerConfiguration.leastDatabaseConnections + forDesk)
        {
            throw StartFailure(fault)
        }
        let plan = ConnectionPlan(total: min(asked, review.usable) - forDesk, workers: loops.count)
        review.log(plan, asked: asked)
        return plan
    }
}
