import API
import Cluster
import Console
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
import Tracing
import Web

/// The whole service on a migrated database: the HTTP calls and the background tasks.
struct Backend: Sendable {
    let service: HTTPService
    let application: Application
    let backgroundPool: PostgresPool
    let matchingPool: PostgresPool
    let batcherPool: PostgresPool
    let rooms: RoomDirectory
    let changes: ChangeDispatcher
    let deliveries: DeliveryService
    let cluster: ClusterParts
    /// The calls of other servers alone, for a port of their own.
    let internalService: HTTPService
    /// The desk of operators, for a port of its own; nil without one.
    let adminService: HTTPService?
    /// The parts in the order in which they handle change events and finish: rooms are read before the
    /// scheduler looks at them, and all is stored before the servers and their connections end.
    let parts: [any Part]

    /// The interval at which rooms and tokens are compared with the database, in case a change event was
    /// lost.
    static let refreshInterval = Duration.seconds(60)

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
        let traces = try Self.traces(configuration, on: outbound ?? background)
        let now: CurrentTime = { clock.now() }
        let changes = ChangeDispatcher()
        self.changes = changes
        let plan = try await Self.connectionPlan(configuration, database, loops, on: background)
        let pool = PostgresPool(database.sized(plan.background).planningEachTime(), on: background)
        backgroundPool = pool
        matchingPool = PostgresPool(database.sized(plan.matching).planningEachTime(), on: background)
        batcherPool = PostgresPool(
            database.sized(plan.registrations).preparing(only: RegistrationWriter.preparedStatements),
            on: background)
        // To read the names takes a third of a start, which needs them at its end.
        let timeZones = TimeZones()
        async let zonesAreRead: Void = OpenedDatabase.patiently { try await timeZones.read(from: pool) }
        let counts = SlotCounts(pool: pool)
        let ticketKey = try await OpenedDatabase.patiently {
            try await ServerKey.read(configuration.ticketKey, orKept: "ticket-key", in: pool)
        }
        let peers = Lock<PeerList?>(nil)
        let tickets = Tickets(key: ticketKey, publicURL: publicURL) { server in
            if server == ChangeEvent.origin { return configuration.serverName }
            return peers.withLock { $0 }?.find(server)?.label
        }
        let broadcaster = ChangeBroadcaster(
            database, on: background, openSlots: { rules.openSlots(at: now()) })
        let application = Application(
            configuration: configuration, rules: rules, tickets: tickets, now: now,
            timeZones: timeZones,
            pools: loops.prefix(plan.pools).map { PostgresPool(database.sized(plan.poolSize), on: $0) },
            locks: LockPlaces(
                pool: PostgresPool(
                    database.sized(plan.locks).waitingForLocks(LockPlaces.turn), on: background)),
            changed: { changeEvent in
                changes.receive(changeEvent)
                broadcaster.tell(changeEvent)
            }, tellOthers: { broadcaster.tell($0) }, limits: RequestLimits(configuration, now: now))
        // Until the listener is connected.
        application.signIns.setListening(false)
        self.application = application
        let partners = PartnerNotices(
            pool: pool, now: now, opensAt: { rules.opensAt($0) }, changed: application.changed)
        let log = roomsFile?.identity ?? ChangeEvent.origin
        let writer = PresenceWriter(
            pool: pool, serverName: "\(ChangeEvent.origin)", log: log, now: now,
            presenceChanged: { application.changed(.presence) })
        let schedule = ScheduleMetrics()
        let reader = NotificationReader(tickets: tickets)
        let feed = NotificationFeed(pool: pool, reader: reader, now: now) { notification in
            guard case .roomOpened(let details) = notification.data else { return }
            schedule.told(
                writtenAt: notification.createdAt, opensAt: application.rules.opensAt(details.startsAt),
                at: application.now())
        }
        let store = PostgresSchedule(
            pool: matchingPool, serverName: "\(ChangeEvent.origin)", label: label,
            boot: await BlockingThread.run { HostID.current() }, feed: feed,
            changed: application.changed, tellOthers: application.tellOthers)
        try await OpenedDatabase.patiently { try await store.begin(at: now()) }
        // The other servers know of this one now, and leave its rooms alone.
        let cluster = try await ClusterParts(
            configuration, database: database, connections: plan.lease,
            address: try await InternalAddress.find(configuration, boundTo: internalAddress, from: pool),
            store: store, background: pool, now: now)
        self.cluster = cluster
        peers.withLock { $0 = cluster.service.peers }
        try await OpenedDatabase.patiently {
            guard let roomsFile else { return }
            // Before they are restored.
            let saved = roomsFile.saved.map { (id: $0.id, term: $0.term) }
            roomsFile.claimed(try await RoomOwners.claimSaved(saved, by: ChangeEvent.origin, in: pool))
        }
        let rooms = await RoomDirectory(
            application, pool: pool, writer: writer, log: log, loops: loops, file: roomsFile,
            mayAnswer: { cluster.service.clock.mayAnswer })
        self.rooms = rooms
        // Only now the rooms file has the terms of the saved rooms, so that a death in here loses no log.
        await Self.takeFree(at: now(), file: roomsFile, pool)
        cluster.serve(rooms)
        let scheduler = Scheduler(
            rules, store: store, rooms: rooms,
            clock: LoopClock(background, clock), metrics: schedule, tracer: traces?.tracer, on: background,
            changed: application.changed, underWay: WorkUnderWay(connections: plan.matching))
        let batcher = RegistrationBatcher(
            pool: batcherPool, attendance: AttendanceRule(configuration),
            limit: RegistrationLimit(configuration), spans: RegistrationSpans(configuration),
            limits: RegistrationBatcher.Limits(transactions: max(1, plan.registrations - 1)),
            changed: application.changed)
        let deliveries = try await DeliveryService(
            application, database: database.sized(plan.deliveries), tracer: traces?.tracer,
            on: outbound ?? background)
        self.deliveries = deliveries
        let retention = Retention(
            days: configuration.retentionDays, quiet: Quiet(configuration), pool: pool,
            metrics: deliveries.retention, now: now)
        let routines = RoutineWorker(
            planner: RoutinePlanner(configuration, rules, timeZones), quiet: Quiet(configuration), pool: pool,
            now: now, changed: application.changed)
        let listening = ListenState()
        let listener = PostgresListener(
            database, on: background, channels: [ChangeEvent.channel], keepalive: .seconds(60),
            session: [PostgresSchedule.holdLife(of: ChangeEvent.origin)])

        var router = Router()
        let signIn = SignIn(
            application: application, cookie: SessionCookie(publicURL: publicURL),
            refreshRooms: { await rooms.refresh($0) })
        let rest = REST(
            application: application, batcher: batcher, signIn: signIn,
            roomSnapshot: { await rooms.snapshot(of: $0) })
        rest.routes(into: &router)
        let leaving = Leaving(rest: rest, rooms: rooms)
        leaving.routes(into: &router)
        deliveries.routes(rest, into: &router)
        NowEndpoint(pool: pool, now: now).add(rest, to: &router)
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
            bodyLimit: { cluster.calls.bodyLimit($0, $1) },
            trace: Self.tracing(traces?.tracer, cluster.calls), answered: Self.endSpan)
        if configuration.internalPort == nil { cluster.add(sockets, to: &router) }
        let writes = WriteCheck()
        readiness.add(to: &router) { loop in await Self.fault(of: application.database(loop), writes) }
        let requests = RequestMetrics()
        let lags = LoopLags(loops + [background] + (outbound.map { [$0] } ?? []))
        var adminRouter = Router()
        let desk: Desk?
        // The figures do not use the delivery worker's connections, which renew its lease.
        let figures = RecentFigures(now: now) { try? await EndpointFigures.read(from: pool, at: now()) }
        let deskPool = configuration.adminPort.map { _ in
            PostgresPool(
                database.sized(ServerConfiguration.deskConnections).planningEachTime(), on: background)
        }
        let databasePools = DatabasePools(
            groups: [
                .init(name: "requests", pools: application.pools),
                .init(name: "locks", pools: [application.locks.pool]),
                .init(name: "registrations", pools: [batcherPool]),
                .init(name: "matching", pools: [matchingPool]),
                .init(name: "background", pools: [pool]),
                .init(name: "deliveries", pools: [deliveries.pool]),
                .init(name: "lease", pools: [cluster.pool]),
                .init(name: "changes", pools: [broadcaster.pool]),
            ] + (deskPool.map { [.init(name: "desk", pools: [$0])] } ?? []))
        let metrics = Metrics(
            requests: requests, limits: application.limits, refusals: sockets.refusals, schedule: schedule,
            overdue: { await scheduler.overdue },
            rooms: { await rooms.statistics() }, clock: clock, loops: lags,
            pools: databasePools, traces: traces,
            changes: { changes.figures + [("servers", broadcaster.figures)] }, connections: connections,
            streams: { await feed.streamCount }, endpoints: deliveries.metrics,
            deliveryWorker: { await deliveries.deliveryWorker.figures },
            deliveries: { await figures.current() }, retention: deliveries.retention,
            cluster: cluster.tunnels.metrics, leaseAge: { await cluster.service.leaseAge })
        let announcements = AnnouncementWorker(pool: pool, now: now, changed: application.changed)
        let erasure = AccountErasureWorker(AccountErasure(pool: pool, now: now))
        let deskRetention = DeskRetention(
            auditDays: configuration.auditDays, reportDays: configuration.reportDays,
            announcementDays: configuration.retentionDays, pool: pool, now: now)
        if let deskPool {
            let auditKey = try await OpenedDatabase.patiently {
                try await ServerKey.read(configuration.auditKey, orKept: "audit-key", in: pool)
            }
            let parts = ServerParts(
                clock: clock, listening: listening, scheduler: scheduler, cluster: cluster.service,
                changes: changes, broadcaster: broadcaster, lags: lags, pools: databasePools, rooms: rooms,
                feed: feed, deliveries: deliveries, connections: connections, begun: now())
            let made = Desk(
                application, leaving: leaving, pool: deskPool, auditKey: auditKey,
                warnings: SettingWarnings.find(configuration, publicURL: publicURL),
                figures: { await parts.figures() }, test: { try await deliveries.test($0, of: $1) })
            desk = made
            made.routes(into: &adminRouter)
            OperatorsPage.add(to: &adminRouter)
            readiness.add(
                to: &adminRouter, parts: { await parts.states() },
                fault: { loop in await Self.fault(of: application.database(loop), writes) })
            parts.add(to: &adminRouter)
            metrics.add(to: &adminRouter)
            AdminHosts(bound: configuration.adminHost, others: configuration.adminHosts)
                .screen(&adminRouter)
        } else {
            desk = nil
            metrics.add(to: &router)
        }
        parts =
            [
                AccountsPart(
                    uses: signIn.uses, timeZones: timeZones, erasure: erasure, pool: pool),
                NotificationsPart(feed: feed),
                RegistrationsPart(batcher: batcher, counts: counts, partners: partners),
                DeskPart(desk: desk, announcements: announcements, retention: deskRetention),
                RoomsPart(rooms: rooms, file: roomsFile, writer: writer),
                SchedulePart(scheduler: scheduler, store: store, rooms: rooms, clock: clock, pool: pool),
                deliveries, routines, retention,
                cluster,
                ChangesPart(
                    application: application, dispatcher: changes, broadcaster: broadcaster,
                    listener: listener,
                    listening: listening),
            ] + (traces.map { [$0] } ?? [])
        try await zonesAreRead
        let accessLog = AccessLog(configuration.accessLog, percent: configuration.accessLogPercent)
        adminService = desk.map { _ in
            HTTPService(
                router: adminRouter, refuse: Answer.refusal, notice: LimitNotice.log,
                isUncounted: { OperatorsPage.isOfPage($0) }, answered: { accessLog.write($0) })
        }
        let hasPage = configuration.web == .on
        // Servers reach each other at a port of their own, which has no limits.
        let isInside = configuration.internalPort != nil
        if hasPage { WebPage.add(to: &router, others: cluster.pages) }
        service = HTTPService(
            router: router, refuse: Answer.refusal, notice: LimitNotice.log,
            isUnlimited: { !isInside && cluster.calls.liftsAddressLimits($0) },
            isUncounted: { hasPage && WebPage.isOfPage($0, others: cluster.pages) },
            bodyLimit: { cluster.calls.bodyLimit($0, $1) },
            sharing: CrossOriginSharing(configuration),
            trace: Self.tracing(traces?.tracer, cluster.calls),
            answered: { answered in
                if let request = answered.request {
                    Log.debug(
                        "request",
                        [
                            "method": request.head.method.rawValue, "path": request.loggedPath,
                            "status": answered.status, "ms": (answered.seconds * 1_000).rounded(),
                            "request": request.id,
                        ])
                }
                requests.add(answered)
                Self.endSpan(of: answered)
                accessLog.write(answered)
            })
    }

    /// Divides the connections that were asked for, or as many as PostgreSQL allows.
    private static func connectionPlan(
        _ configuration: ServerConfiguration, _ database: PostgresConfiguration, _ loops: [EventLoop],
        on loop: EventLoop
    ) async throws -> ConnectionPlan {
        let pool = PostgresPool(database.sized(1), on: loop)
        let found: Result<DatabaseReview, any Error>
        do {
            found = .success(
                try await OpenedDatabase.patiently { try await DatabaseReview.read(from: pool) })
        } catch {
            found = .failure(error)
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

    /// Takes the rooms that nobody owns, so that nobody who enters one waits for that. It is no reason not to
    /// start: else a room is claimed when a device knocks.
    ///
    /// The rooms of an earlier process that was killed lose their owner first, as in an orderly stop. It had
    /// the lock of the rooms file, and so has ended.
    private static func takeFree(at now: Timestamp, file: RoomsFile?, _ pool: PostgresPool) async {
        if let earlier = file?.earlier {
            for attempt in 1...3 {
                do throws(PostgresError) {
                    try await RoomOwners.free(of: earlier, in: pool)
                    break
                } catch {
                    Log.warning(
                        "rooms of the process before may wait for their first ale",
                        ["attempt": attempt, "error": "\(error)"])
                }
            }
        }
        file?.begin(ChangeEvent.origin)
        do throws(PostgresError) {
            _ = try await RoomOwners.takeFree(
                by: ChangeEvent.origin, at: now, limit: RoomDirectory.maximumInAdvance, in: pool)
        } catch {
            Log.warning("rooms without an owner are claimed one by one", ["error": "\(error)"])
        }
    }

    private static func fault(of pool: PostgresPool, _ writes: WriteCheck) async -> String? {
        do {
            return try await pool.withConnection { connection in
                if let fault = try await SchemaVersion.read(on: connection).fault { return fault }
                return try await writes.fault(on: connection)
            }
        } catch {
            return "The database cannot be reached."
        }
    }
}
