import Contract
import HTTP1
import HTTPServer
import Matching
import Postgres
import Reactor

/// The whole business on a database that is there and migrated: what is served, and what works in the background.
struct Backend: Sendable {
    let service: HTTPService
    private let application: Application
    private let backgroundPool: PostgresPool
    private let batcherPool: PostgresPool
    private let rooms: RoomKeeper
    private let writer: VisitWriter
    private let store: PostgresSchedule
    private let scheduler: Scheduler
    private let batcher: RegistrationBatcher
    private let feed: NotificationFeed
    private let listener: PostgresListener
    private let hints: Hints
    private let deliveries: DeliveryService

    /// Where hints go in this process, once everything is there.
    private struct Hints: Sendable {
        let stream: AsyncStream<Hint>
        let continuation: AsyncStream<Hint>.Continuation

        init() { (stream, continuation) = AsyncStream<Hint>.makeStream() }
    }

    /// `loops` serve; `background` schedules and stores; `outbound` delivers. `connections` is asked for what
    /// `/metrics` shows. With `roomsFile` rooms outlive the process.
    init(
        _ configuration: ServerConfiguration, database: PostgresConfiguration, publicURL: String,
        serverName: String, loops: [EventLoop], background: EventLoop, outbound: EventLoop? = nil,
        readiness: Readiness, connections: @escaping @Sendable () -> ConnectionMetrics,
        roomsFile: RoomsFile? = nil,
        now: @escaping @Sendable () -> Timestamp = { Timestamp(microseconds: WallClock.microseconds()) }
    ) async throws {
        guard let grid = SlotGrid(slotSeconds: Int64(configuration.slotSeconds)),
            let roomSize = RoomSize(configuration.roomSize), let rules = ScheduleRules(configuration)
        else { preconditionFailure("the configuration was checked when it was read") }
        let hints = Hints()
        self.hints = hints
        let pool = PostgresPool(database, on: background)
        backgroundPool = pool
        let ticketKey = try await Database.patiently { try await TicketKey.read(configuration, from: pool) }
        let tickets = Tickets(key: ticketKey, publicURL: publicURL)
        let application = Application(
            configuration: configuration, grid: grid, roomSize: roomSize, tickets: tickets, now: now,
            timeZones: try await Database.patiently { try await TimeZones.read(from: pool) },
            pools: loops.map { PostgresPool(database, on: $0) },
            changed: { hints.continuation.yield($0) })
        self.application = application
        let log = roomsFile?.identity ?? Hint.origin
        let writer = VisitWriter(
            pool: pool, serverName: serverName, log: log, now: now,
            presenceChanged: { application.changed(.presence) })
        self.writer = writer
        let rooms = await RoomKeeper(
            application, pool: pool, writer: writer, log: log, loops: loops, file: roomsFile)
        self.rooms = rooms
        let schedule = ScheduleMetrics()
        let reader = NotificationReader(tickets: tickets)
        let feed = NotificationFeed(pool: pool, reader: reader, now: now) { notification in
            guard case .roomOpened(let news) = notification.data else { return }
            schedule.told(
                writtenAt: notification.createdAt, opensAt: application.opensAt(news.startsAt),
                at: application.now())
        }
        self.feed = feed
        let store = PostgresSchedule(pool: pool, serverName: serverName, feed: feed)
        self.store = store
        try await Database.patiently { try await store.begin(at: now()) }
        scheduler = Scheduler(
            rules, store: store, rooms: rooms,
            clock: LoopClock(background, now: now), metrics: schedule, on: background,
            changed: application.changed)
        batcherPool = PostgresPool(database, on: background)
        let batcher = RegistrationBatcher(
            pool: batcherPool, attendance: AttendanceRule(configuration), changed: application.changed)
        self.batcher = batcher
        let deliveries = try await DeliveryService(
            application, database: database, on: outbound ?? background)
        self.deliveries = deliveries
        listener = PostgresListener(
            database, on: background, channels: [Hint.channel], keepalive: .seconds(60))

        var router = Router()
        let rest = REST(
            application: application, batcher: batcher, roomSnapshot: { await rooms.snapshot(of: $0) })
        rest.routes(into: &router)
        Leaving(rest: rest, rooms: rooms).routes(into: &router)
        deliveries.routes(rest, into: &router)
        EventsEndpoint(rest: rest, feed: feed, reader: reader).add(to: &router)
        SocketEndpoint(application: application, rooms: rooms).add(to: &router)
        readiness.add(to: &router) { loop in await Self.isMigrated(application.database(loop)) }
        let requests = RequestMetrics()
        // Not with the courier's connections, which prolong its lease.
        let figures = RecentFigures(now: now) { try? await EndpointFigures.read(from: pool, at: now()) }
        Metrics(
            requests: requests, schedule: schedule, rooms: { await rooms.statistics() },
            connections: connections, streams: { await feed.streamCount }, endpoints: deliveries.metrics,
            courier: { await deliveries.statistics() }, deliveries: { await figures.current() }
        ).add(to: &router)
        service = HTTPService(router: router, refuse: Answer.refusal, notice: LimitNotice.log) {
            request, status, seconds in
            requests.add(method: request.head.method.rawValue, status: status, seconds: seconds)
        }
    }

    /// Works in the background until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            let loop = backgroundPool.loop
            group.addTask(executorPreference: loop) { await writer.run() }
            group.addTask(executorPreference: loop) { await batcher.run() }
            group.addTask(executorPreference: loop) { await feed.run() }
            group.addTask { await deliveries.run() }
            group.addTask(executorPreference: loop) { await scheduler.run() }
            group.addTask(executorPreference: loop) {
                for await hint in hints.stream { await heed(hint) }
            }
            group.addTask(executorPreference: loop) {
                await listener.run(
                    onConnect: {
                        await scheduler.reread()
                        await feed.wake()
                        deliveries.wake()
                        try? await rooms.refreshAll()
                    },
                    onNotification: { notification in
                        if let hint = Hint(notification.payload) { await heed(hint) }
                    },
                    onFailure: { error in
                        Log.warning("hints of other servers are missed meanwhile", ["error": "\(error)"])
                    })
            }
        }
    }

    /// Sends everybody away, then stores what is left.
    func drain() async {
        await rooms.drain()
    }

    /// After `run` has ended.
    func finish() async {
        do {
            try await rooms.storeEverything()
            try await store.resign(at: application.now())
        } catch {
            Log.error("the last entries and counts could not be stored", ["error": "\(error)"])
        }
        await deliveries.finish()
        for pool in application.pools + [batcherPool, backgroundPool] { await pool.shutdown() }
    }

    private func heed(_ hint: Hint) async {
        switch hint {
        case .notifications:
            await feed.wake()
            deliveries.wake()
        case .slot(let startsAt): await scheduler.slotChanged(startsAt)
        case .opened(let startsAt, let origin):
            if origin != Hint.origin { await rooms.refresh(slot: startsAt) }
        case .room(let room):
            await rooms.refresh([room])
            await scheduler.presenceChanged()
        case .presence: await scheduler.presenceChanged()
        case .user(let user): await feed.end(user)
        }
    }

    private static func isMigrated(_ pool: PostgresPool) async -> Bool {
        do {
            let migrator = try Migrations.migrator()
            return try await pool.withConnection { try await migrator.status(on: $0).pending.isEmpty }
        } catch {
            return false
        }
    }
}
