import API
import Cluster
import Contract
import Database
import HTTP1
import HTTPServer
import Logging
import Matching
import Outbox
import Postgres
import Reactor
import Rooms
import Scheduling
import Settings

/// The whole service on a migrated database: the HTTP calls and the background tasks.
struct Backend: Sendable {
    let service: HTTPService
    private let application: Application
    private let backgroundPool: PostgresPool
    private let matchingPool: PostgresPool
    private let batcherPool: PostgresPool
    private let rooms: RoomDirectory
    private let writer: PresenceWriter
    private let store: PostgresSchedule
    private let scheduler: Scheduler
    private let batcher: RegistrationBatcher
    private let feed: NotificationFeed
    private let counts: SlotCounts
    private let listener: PostgresListener
    private let changes: ChangeDispatcher
    private let broadcaster: ChangeBroadcaster
    private let deliveries: DeliveryService
    private let retention: Retention
    private let routines: RoutineWorker
    private let cluster: ClusterParts
    private let uses: TokenUses
    /// The calls of other servers alone, for a port of their own.
    let internalService: HTTPService
    private let clock: ReferenceClock

    /// The interval at which rooms and tokens are compared with the database, in case a change event was
    /// lost.
    private static let refreshInterval = Duration.seconds(60)

    /// Creates the service. `loops` serve; `background` schedules and stores; `outbound` delivers.
    /// `connections` returns the figures for `/metrics`. With `roomsFile` rooms outlive the process.
    init(
        _ configuration: ServerConfiguration, database: PostgresConfiguration, publicURL: String,
        label: String, internalAddress: SocketAddress? = nil, loops: [EventLoop], background: EventLoop,
        outbound: EventLoop? = nil, readiness: Readiness,
        connections: @escaping @Sendable () async -> ConnectionMetrics,
        roomsFile: RoomsFile? = nil, clock: ReferenceClock
    ) async throws {
        guard let rules = ScheduleRules(configuration) else {
            preconditionFailure("the configuration was checked when it was read")
        }
        self.clock = clock
        let now: CurrentTime = { clock.now() }
        let changes = ChangeDispatcher()
        self.changes = changes
        let plan = ConnectionPlan(total: configuration.databaseConnections, workers: loops.count)
        let pool = PostgresPool(database.sized(plan.background).planningEachTime(), on: background)
        backgroundPool = pool
        matchingPool = PostgresPool(database.sized(plan.matching).planningEachTime(), on: background)
        batcherPool = PostgresPool(database.sized(plan.registrations).planningEachTime(), on: background)
        let review = try await OpenedDatabase.patiently { try await DatabaseReview.read(from: pool) }
        review.log(plan)
        counts = SlotCounts(pool: pool)
        let ticketKey = try await OpenedDatabase.patiently {
            try await TicketKey.read(configuration, from: pool)
        }
        let peers = Lock<PeerList?>(nil)
        let tickets = Tickets(key: ticketKey, publicURL: publicURL) { server in
            if server == ChangeEvent.origin { return configuration.serverName }
            return peers.withLock { $0 }?.find(server)?.label
        }
        let broadcaster = ChangeBroadcaster(
            database, on: background, openSlots: { rules.openSlots(at: now()) })
        self.broadcaster = broadcaster
        let application = Application(
            configuration: configuration, rules: rules, tickets: tickets, now: now,
            timeZones: try await OpenedDatabase.patiently { try await TimeZones.read(from: pool) },
            pools: loops.prefix(plan.pools).map { PostgresPool(database.sized(plan.poolSize), on: $0) },
            locks: LockPlaces(
                pool: PostgresPool(
                    database.sized(plan.locks).waitingForLocks(LockPlaces.turn), on: background)),
            changed: { changeEvent in
                changes.receive(changeEvent)
                broadcaster.tell(changeEvent)
            }, tellOthers: { broadcaster.tell($0) }, limits: RequestLimits(configuration))
        self.application = application
        let log = roomsFile?.identity ?? ChangeEvent.origin
        let writer = PresenceWriter(
            pool: pool, serverName: "\(ChangeEvent.origin)", log: log, now: now,
            presenceChanged: { application.changed(.presence) })
        self.writer = writer
        let schedule = ScheduleMetrics()
        let reader = NotificationReader(tickets: tickets)
        let feed = NotificationFeed(pool: pool, reader: reader, now: now) { notification in
            guard case .roomOpened(let details) = notification.data else { return }
            schedule.told(
                writtenAt: notification.createdAt, opensAt: application.rules.opensAt(details.startsAt),
                at: application.now())
        }
        self.feed = feed
        let store = PostgresSchedule(
            pool: matchingPool, serverName: "\(ChangeEvent.origin)", label: label,
            boot: await BlockingThread.run { HostID.current() }, feed: feed,
            changed: application.changed, tellOthers: application.tellOthers)
        self.store = store
        try await OpenedDatabase.patiently { try await store.begin(at: now()) }
        // The other servers know of this one now, and leave its rooms alone.
        let cluster = try await ClusterParts(
            configuration, database: database, connections: plan.lease,
            address: try await InternalAddress.find(configuration, boundTo: internalAddress, from: pool),
            store: store, background: pool, now: now)
        self.cluster = cluster
        peers.withLock { $0 = cluster.service.peers }
        if let roomsFile {
            try await OpenedDatabase.patiently { try await Self.claimSaved(in: roomsFile, pool) }
        }
        let rooms = await RoomDirectory(
            application, pool: pool, writer: writer, log: log, loops: loops, file: roomsFile,
            mayAnswer: { cluster.service.clock.mayAnswer })
        self.rooms = rooms
        cluster.serve(rooms)
        scheduler = Scheduler(
            rules, store: store, rooms: rooms,
            clock: LoopClock(background, clock), metrics: schedule, on: background,
            changed: application.changed, underWay: WorkUnderWay(connections: plan.matching))
        let batcher = RegistrationBatcher(
            pool: batcherPool, attendance: AttendanceRule(configuration),
            limit: RegistrationLimit(configuration), spans: RegistrationSpans(configuration),
            changed: application.changed)
        self.batcher = batcher
        let deliveries = try await DeliveryService(
            application, database: database.sized(plan.deliveries), on: outbound ?? background)
        self.deliveries = deliveries
        retention = Retention(
            days: configuration.retentionDays, quiet: Quiet(configuration), pool: pool,
            metrics: deliveries.retention, now: now)
        routines = RoutineWorker(
            planner: RoutinePlanner(configuration, rules), quiet: Quiet(configuration), pool: pool, now: now,
            changed: application.changed)
        listener = PostgresListener(
            database, on: background, channels: [ChangeEvent.channel], keepalive: .seconds(60),
            session: [PostgresSchedule.holdLife(of: ChangeEvent.origin)])

        var router = Router()
        let signIn = SignIn(
            application: application, cookie: SessionCookie(publicURL: publicURL),
            refreshRooms: { await rooms.refresh($0) })
        uses = signIn.uses
        let rest = REST(
            application: application, batcher: batcher, signIn: signIn,
            roomSnapshot: { await rooms.snapshot(of: $0) })
        rest.routes(into: &router)
        Leaving(rest: rest, rooms: rooms).routes(into: &router)
        deliveries.routes(rest, into: &router)
        EventsEndpoint(rest: rest, feed: feed, reader: reader).add(to: &router)
        let sockets = SocketEndpoint(
            application: application, rooms: rooms, signIn: signIn, tunnels: cluster.tunnels)
        sockets.add(to: &router)
        var calls = Router()
        cluster.add(sockets, to: &calls)
        // The balancer brings clients to the address at which servers reach each other.
        if configuration.misplaced == .xAccel { sockets.add(to: &calls) }
        internalService = HTTPService(
            router: calls, refuse: Answer.refusal, notice: LimitNotice.log,
            bodyLimit: { cluster.calls.bodyLimit($0) })
        if configuration.internalPort == nil { cluster.add(sockets, to: &router) }
        readiness.add(to: &router) { loop in await Self.fault(of: application.database(loop)) }
        let requests = RequestMetrics()
        // The figures do not use the delivery worker's connections, which renew its lease.
        let figures = RecentFigures(now: now) { try? await EndpointFigures.read(from: pool, at: now()) }
        Metrics(
            requests: requests, limits: application.limits, refusals: sockets.refusals, schedule: schedule,
            rooms: { await rooms.statistics() }, clock: clock, connections: connections,
            streams: { await feed.streamCount }, endpoints: deliveries.metrics,
            deliveryWorker: { await deliveries.deliveryWorker.figures },
            deliveries: { await figures.current() }, retention: deliveries.retention,
            cluster: cluster.tunnels.metrics, leaseAge: { await cluster.service.leaseAge }
        ).add(to: &router)
        service = HTTPService(
            router: router, refuse: Answer.refusal, notice: LimitNotice.log,
            isUnlimited: { cluster.calls.isOfPeer($0) }, bodyLimit: { cluster.calls.bodyLimit($0) },
            sharing: CrossOriginSharing(configuration),
            refused: { method, status in requests.addRefused(method: method?.rawValue, status: status) },
            observe: { request, status, seconds in
                Log.debug(
                    "request",
                    [
                        "method": request.head.method.rawValue, "path": request.loggedPath, "status": status,
                        "ms": (seconds * 1_000).rounded(), "request": request.id,
                    ])
                requests.add(method: request.head.method.rawValue, status: status, seconds: seconds)
            })
    }

    /// Claims the rooms that an earlier process has left, before they are restored.
    private static func claimSaved(in file: RoomsFile, _ pool: PostgresPool) async throws {
        let saved = file.saved.map { (id: $0.id, term: $0.term) }
        file.claimed(try await RoomOwners.claimSaved(saved, by: ChangeEvent.origin, in: pool))
    }

    /// Runs the background tasks until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            let loop = backgroundPool.loop
            group.addTask(executorPreference: loop) { await writer.run() }
            group.addTask(executorPreference: loop) { await batcher.run() }
            group.addTask(executorPreference: loop) { await feed.run() }
            group.addTask { await deliveries.run() }
            group.addTask(executorPreference: loop) { await retention.run() }
            group.addTask(executorPreference: loop) { await routines.run() }
            let keeper = ClockKeeper(
                clock: clock, measure: { try await clock.measure(on: backgroundPool) },
                idleTime: { await scheduler.idleTime }, changed: { await scheduler.wake() },
                sleep: { try await ContinuousClock().sleep(for: $0) })
            group.addTask(executorPreference: loop) { await keeper.run() }
            group.addTask(executorPreference: loop) { await scheduler.run() }
            group.addTask(executorPreference: loop) { await changes.run(actions) }
            group.addTask(executorPreference: loop) { await broadcaster.run() }
            group.addTask(executorPreference: loop) { await compare() }
            group.addTask(executorPreference: loop) { await counts.run() }
            group.addTask(executorPreference: loop) { await uses.run(in: backgroundPool) }
            group.addTask(executorPreference: loop) { await cluster.service.run() }
            group.addTask(executorPreference: loop) {
                await listener.run(
                    onConnect: {
                        changes.receive(.all(.slots))
                        changes.receive(.notifications)
                        changes.receive(.all(.rooms))
                    },
                    onNotification: { notification in
                        if broadcaster.isOwn(notification) { return }
                        if let changeEvent = ChangeEvent(notification.payload) {
                            changes.receive(changeEvent)
                        }
                    },
                    onFailure: { error in
                        Log.warning(
                            "change events of other servers are missed meanwhile", ["error": "\(error)"])
                    })
            }
        }
    }

    /// Hands the rooms of this server to the others, if there are any.
    func handOver() async { await cluster.handOver(rooms) }

    /// Closes all sockets.
    func drain() async {
        // From now on matches give rooms to other servers.
        try? await cluster.service.drain()
        await rooms.drain()
    }

    /// Finishes the deliveries under way, and begins no more.
    func drainDeliveries() async {
        await deliveries.drain()
    }

    /// Stores the last entries and counts and closes the pools, after `run` has ended.
    func finish() async {
        do {
            try await rooms.storeEverything()
            try await store.resign(at: application.now())
        } catch {
            Log.error("the last entries and counts could not be stored", ["error": "\(error)"])
        }
        await deliveries.finish()
        await cluster.finish()
        await broadcaster.finish()
        await application.locks.shutdown()
        for pool in application.pools + [batcherPool, matchingPool, backgroundPool] { await pool.shutdown() }
    }

    private var actions: ChangeDispatcher.Actions {
        ChangeDispatcher.Actions(
            notifications: {
                await feed.wake()
                deliveries.deliveryWorker.wake()
            },
            presence: { await scheduler.presenceChanged() },
            slot: { slot in
                counts.wake()
                await cluster.service.slotChanged(slot)
                await scheduler.slotChanged(slot)
            },
            allSlots: { await scheduler.reread() },
            rooms: { changes in
                try await rooms.refresh(changes)
                await scheduler.presenceChanged()
            },
            users: { changes in
                if changes.all.contains(.users) {
                    try await feed.endOutdated()
                    return try await rooms.refreshAll()
                }
                for user in changes.users { await feed.end(user) }
                try await rooms.refresh(of: Array(changes.users))
            })
    }

    private func compare() async {
        while !Task.isCancelled {
            try? await ContinuousClock().sleep(for: Self.refreshInterval)
            counts.wake()
            do {
                try await feed.endOutdated()
                try await rooms.refreshOccupied()
            } catch {
                if Task.isCancelled { return }
                Log.warning("rooms and tokens are compared later", ["error": "\(error)"])
            }
        }
    }

    private static func fault(of pool: PostgresPool) async -> String? {
        do {
            return try await pool.withConnection { try await SchemaVersion.read(on: $0).fault }
        } catch {
            return "The database cannot be reached."
        }
    }
}
