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
    private let retention: RetentionMetrics

    init(
        _ application: Application, database: PostgresConfiguration, figuresFrom background: PostgresPool,
        retention: RetentionMetrics = RetentionMetrics(), tracer: Tracer? = nil, on loop: EventLoop
    ) async throws {
        self.retention = retention
        let configuration = application.configuration
        let descriptors = DescriptorBudget.Share(of: .process, for: .deliveries)
        var anyone = HTTPSessionConfiguration()
        anyone.authorities = configuration.authoritiesFile
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
        channels = EndpointChannels(configuration, pushKey: vapid.publicKey)
        let proxy = await Self.proxy(configuration, on: loop)
        let addresses = AddressBook(
            on: loop, allowsPrivate: channels.allowsPrivate, proxy: proxy,
            descriptors: DescriptorBudget.Share(of: .process, for: .lookUps))
        let anywhere = AddressBook(
            on: loop, allowsPrivate: true, proxy: proxy,
            descriptors: DescriptorBudget.Share(of: .process, for: .names), waitsForDescriptors: false)
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

    /// Returns the proxy of deliveries, and logs it; nil if there is none.
    private static func proxy(_ configuration: ServerConfiguration, on loop: EventLoop) async
        -> OutboundProxy?
    {
        guard let url = configuration.outboundProxy else { return nil }
        let publicNames = PublicNames(on: loop)
        Log.info("outbound proxy", ["url": "\(url)"])
        if configuration.allowPrivateWebhooks == .off, await !publicNames.canBeFound() {
            Log.warning(
                "public names cannot be looked up; the proxy alone keeps webhooks out of the private network",
                ["proxy": "\(url)"])
        }
        return OutboundProxy(url, except: configuration.noOutboundProxy, publicNames: publicNames)
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
        await withTaskExecutorPreference(pool.loop) { await deliveryWorker.run() }
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

    /// Settles expired deliveries, and removes old ones with their attempts.
    func removeExpired(at time: Timestamp) async throws -> Duration? {
        var isQuiet = false
        try await takeAll([
            {
                try await StaleDeliveries.settle(
                    at: time, silent: await deliveryWorker.silentHosts, in: pool)
            },
            { try await OutboxHousekeeping.tidy(at: now(), in: pool) },
            {
                isQuiet = try await quiet.reigns(at: now(), in: pool)
                retention.addDropped(try await partitions.keep(at: now()))
            },
        ])
        return isQuiet ? .seconds(3600) : Quiet.pause
    }
}
