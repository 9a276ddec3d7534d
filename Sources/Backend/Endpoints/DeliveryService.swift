import API
import Codecs
import Contract
import Crypto
import Database
import HTTPServer
import Logging
import OutboundHTTP
import Outbox
import Postgres
import Push
import Reactor
import Scheduling
import Settings
import Tracing

/// The service that delivers notifications to endpoints, on a loop of its own.
struct DeliveryService: Part {
    /// The interval at which old outcomes are removed.
    private static let tidying = Duration.seconds(3600)
    /// The seconds until the next try where that could not be finished: about five minutes. They vary, since
    /// a fixed time could end near an opening again and again.
    private static let retrying = 240.0...300.0
    /// The time that attempts under way get when the server stops. No attempt takes longer.
    private static let draining = Duration.seconds(20)
    /// The most pushes under way to one of Apple's services, which need no connection each; Apple allows
    /// twice as many.
    private static let pushesUnderWay = 500

    let metrics = EndpointMetrics()
    let pool: PostgresPool
    private let session: HTTPSession
    /// The session to Apple's service, on one connection.
    private let appleSession: HTTPSession
    private let store: PostgresOutboxStore
    private let tester: EndpointTester
    let deliveryWorker: DeliveryWorker<PostgresOutboxStore, ChannelSink>
    private let channels: EndpointChannels
    private let now: CurrentTime
    private let partitions: DeliveryPartitions
    private let quiet: Quiet
    /// The figures of the database; nil if it does not answer soon.
    private let figures: RecentFigures<[Figure]>
    let retention = RetentionMetrics()

    init(
        _ application: Application, database: PostgresConfiguration, figuresFrom background: PostgresPool,
        tracer: Tracer? = nil, on loop: EventLoop
    ) async throws {
        let configuration = application.configuration
        let descriptors = DescriptorBudget.Share(of: .process, for: .deliveries)
        var anyone = HTTPSessionConfiguration()
        anyone.authorities = configuration.authoritiesFile
        // Connections that are kept for later are within the reserve, and so need not be counted.
        anyone.idleConnections = min(anyone.idleConnections, descriptors.reserve)
        var apple = anyone
        apple.version = .http2
        apple.connectionsPerHost = 1
        guard let session = HTTPSession(anyone, on: loop),
            let appleSession = HTTPSession(apple, on: loop)
        else { throw StartFailure("There is no memory for connections.") }
        self.session = session
        self.appleSession = appleSession
        let pool = PostgresPool(Self.steady(database), on: loop)
        self.pool = pool
        let vapid = VAPID(
            key: try await OpenedDatabase.patiently { try await VAPIDKey.read(configuration, from: pool) },
            subject: configuration.vapidSubject)
        let now = application.now
        self.now = now
        // The figures do not use the delivery worker's connections, which renew its lease.
        figures = RecentFigures(now: now) { try? await EndpointFigures.read(from: background, at: now()) }
        quiet = Quiet(configuration)
        partitions = DeliveryPartitions(pool: pool, quiet: quiet)
        channels = EndpointChannels(
            allowsPrivate: configuration.allowPrivateWebhooks,
            verifiesWebhooks: configuration.verifyWebhooks == .on,
            pushServices: configuration.pushServices, hasAPNs: configuration.apns != nil,
            pushKey: vapid.publicKey)
        let addresses = AddressBook(
            on: loop, allowsPrivate: channels.allowsPrivate,
            descriptors: DescriptorBudget.Share(of: .process, for: .lookUps))
        // The operator chooses the hosts of pushes, so private addresses are allowed.
        let anywhere = AddressBook(
            on: loop, allowsPrivate: true, descriptors: DescriptorBudget.Share(of: .process, for: .names),
            waitsForDescriptors: false)
        let webhooks = WebhookSink(session: session, addresses: addresses, now: application.now)
        let sink = ChannelSink(
            webhooks: webhooks,
            verifier: channels.verifiesWebhooks
                ? WebhookVerifier(sink: webhooks) { try await EndpointWriter.verify($0, in: pool) } : nil,
            pushServices: PushServices(configuration.pushServices),
            apns: try configuration.apns.map {
                try APNsSink($0, session: appleSession, addresses: anywhere, now: application.now)
            },
            webPush: WebPushSink(
                session: session, addresses: addresses, vapid: vapid,
                page: configuration.web == .on ? Self.page(application.tickets.publicURL) : nil,
                now: application.now),
            metrics: metrics, tracer: tracer, now: application.now)
        var random = SystemRandomNumberGenerator()
        store = PostgresOutboxStore(
            name: Identifier.v4(using: &random).description, pool: pool,
            reader: NotificationReader(tickets: application.tickets), now: application.now)
        tester = EndpointTester(
            name: "test \(Identifier.v4(using: &random))", sink: sink, now: application.now,
            descriptors: .process)
        deliveryWorker = DeliveryWorker(
            store: store, sink: sink, clock: WallOutboxClock(time: application.now),
            configuration: Self.bounds(
                hasAPNs: channels.hasAPNs, perHostRate: configuration.webhooksPerSecond,
                pushServices: configuration.pushServices, descriptors: descriptors),
            warn: { step, error in Log.warning(step, ["error": "\(error)"]) })
    }

    /// Returns the limits of the delivery worker. Without Apple's key, deliveries to Apple are left to
    /// servers that have it.
    static func bounds(
        hasAPNs: Bool, perHostRate: Int = 0, pushServices: [String] = [],
        descriptors: DescriptorBudget.Share? = nil
    ) -> DeliveryWorkerConfiguration {
        var bounds = DeliveryWorkerConfiguration()
        bounds.descriptors = descriptors
        bounds.perHostRate = perHostRate
        bounds.known = CheckedEndpoint.hosts(ofPushServices: pushServices)
        let apple = PushEnvironment.allCases.map { CheckedEndpoint.host(of: $0) }
        for host in apple { bounds.limits[host] = pushesUnderWay }
        bounds.services = [CheckedEndpoint.webPush]
        if !hasAPNs { bounds.barred = Set(apple) }
        return bounds
    }

    /// Returns the configuration with settings for a queue, whose statistics are always out of date: plans
    /// read in the order of the index, as far as needed.
    private static func steady(_ database: PostgresConfiguration) -> PostgresConfiguration {
        var database = database
        database.sessionSettings += [
            (name: "jit", value: "off"), (name: "enable_bitmapscan", value: "off"),
        ]
        return database
    }

    /// Returns the URL of the page, as addresses of its screens begin.
    private static func page(_ publicURL: String) -> String {
        String(publicURL.reversed().drop { $0 == "/" }.reversed())
    }

    func routes(_ rest: REST, into routers: inout Routers) {
        routers.open.add(EndpointEndpoints(rest, channels, tester))
    }

    /// Makes a test delivery to an endpoint of that account.
    func test(_ endpoint: Identifier, of owner: Identifier) async throws -> EndpointOutcome {
        try await tester.test(endpoint, of: owner, in: pool)
    }

    var tasks: [@Sendable () async -> Void] { [run] }

    func changed(_ changes: PendingChanges) { if changes.notifications { deliveryWorker.wake() } }

    func figures() async -> [Figure] {
        let worker = await deliveryWorker.figures
        return metrics.current.figures + [
            Figure("deliveries_in_flight", "Attempts under way.", worker.inFlight),
            Figure("delivery_circuits_open", "Hosts that are left alone for a while.", worker.openCircuits),
        ]
    }

    func storedFigures() async -> [Figure] { await figures.current() ?? [] }

    var states: [PartState] {
        get async {
            let worker = await deliveryWorker.figures
            return [
                PartState(
                    name: "deliveries", isWell: worker.openCircuits == 0,
                    detail: "\(worker.inFlight) under way, \(worker.openCircuits) hosts left alone")
            ]
        }
    }

    /// Delivers notifications until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            let loop = pool.loop
            group.addTask(executorPreference: loop) { await deliveryWorker.run() }
            group.addTask(executorPreference: loop) { await tidy() }
        }
        // Another server may take the remaining deliveries at once.
        await shielded { await store.resign() }
    }

    /// Finishes the attempts under way, so that no other server repeats them, and begins no more.
    func drain() async { await deliveryWorker.drain(for: Self.draining) }

    var pools: [DatabasePools.Group] { [.init(name: "deliveries", pools: [pool])] }

    /// Closes the sessions, after `run` has ended.
    func finish() async {
        await session.close()
        await appleSession.close()
    }

    private func tidy() async {
        var everything = true
        while !Task.isCancelled {
            var wait = Self.tidying
            if await tidyOnce(everything: everything) {
                everything = false
            } else {
                wait = .seconds(Double.random(in: Self.retrying))
            }
            try? await ContinuousClock().sleep(for: wait)
        }
    }

    /// Removes old rows. Returns false if that could not be finished, since it failed or an opening is near.
    package func tidyOnce(everything: Bool) async -> Bool {
        var isFinished = await step("stale deliveries") {
            try await StaleDeliveries(pool: pool).settle(
                at: now(), silent: await deliveryWorker.silentHosts)
            return true
        }
        isFinished =
            await step("outcomes") {
                try await OutboxHousekeeping(pool: pool).tidy(at: now())
                return true
            } && isFinished
        isFinished =
            await step("idempotency keys") {
                try await IdempotencyKeys.tidy(at: now(), in: pool)
                return true
            } && isFinished
        isFinished =
            await step("cancelled registrations") {
                let gone = try await CancelledRegistrations(pool: pool, quiet: quiet, now: now)
                    .tidy(everything: everything)
                retention.addRemoved(registrations: gone.count)
                return gone.isFinished
            } && isFinished
        isFinished =
            await step("partitions") {
                let isQuiet = try await quiet.reigns(at: now(), in: pool)
                retention.addDropped(try await partitions.keep(at: now()))
                return isQuiet
            } && isFinished
        return isFinished
    }

    /// Removes old rows of one kind, and returns whether that is finished. A failure keeps no other kind.
    private func step(_ rows: String, _ remove: () async throws -> Bool) async -> Bool {
        do {
            return try await remove()
        } catch {
            if Task.isCancelled { return false }
            Log.warning("removing old rows failed; retrying", ["rows": rows, "error": "\(error)"])
            return false
        }
    }
}
