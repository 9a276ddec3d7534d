import Contract
import HTTP1
import HTTPServer
import Postgres
import PostgresTesting
import Reactor
import Rooms
import Testing

@testable import API
@testable import Backend
@testable import Database
@testable import Scheduling
@testable import Settings

/// A server with only the REST calls, on a database and a port of its own.
struct RESTWorld: Sendable {
    let clock: TestClock
    let pool: PostgresPool
    let application: Application
    let port: UInt16
    /// The change events that the server sent to its own process.
    let changeEvents: Lock<[ChangeEvent]>

    /// The snapshots of the rooms of this process; empty at first.
    let snapshots: Lock<[Identifier: RoomSnapshot]>

    /// The delivery service, which runs once a test starts it.
    let deliveries: DeliveryService

    /// The acts by which people leave, and the rooms of this process.
    let leaving: Leaving

    typealias DeclaredRoutes = [(method: HTTPMethod, pattern: String, body: Int)]

    /// The routes of the server, with the most bytes of their bodies.
    let routes: DeclaredRoutes

    /// The instant that the clock of most tests shows.
    static let noon = Timestamp(seconds: 1_803_902_400)  // 2027-03-01T12:00:00Z

    static func with(
        at now: Timestamp = noon, slotSeconds: Int = 1800, allowsPrivateWebhooks: Bool = true,
        keyPatience: Duration = .seconds(240), exports: SharedPlaces? = nil,
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (RESTWorld) async throws -> Void
    ) async throws {
        let configuration = {
            var configuration = ServerConfiguration(cores: 1)
            configuration.slotSeconds = slotSeconds
            // One address does more here than people do; tests of the limits set their own.
            configuration.signUpsPerMinute = 0
            configuration.accountRequestsPerSecond = 0
            configuration.registrationsPerHour = 0
            configuration.accountRegistrations = 0
            configuration.accountRegistrationsPerDay = 0
            configuration.allowPrivateWebhooks = allowsPrivateWebhooks ? .on : .off
            configure(&configuration)
            return configuration
        }()
        try await TestDatabase.with(copyOf: .migrated) { database in
            if !configuration.slotLengths.isEmpty {
                try await database.withConnection { try await RegistrationSpans.prepare(on: $0) }
            }
            let pools = (0..<3).map { _ in PostgresPool(database.configuration, on: database.loop) }
            let changeEvents = Lock<[ChangeEvent]>([])
            let clock = TestClock(now)
            var application = try await make(configuration, clock, pools[0], pools[2], exports) {
                changeEvent in
                changeEvents.withLock { $0.append(changeEvent) }
            }
            application.keyPatience = keyPatience
            let batcher = RegistrationBatcher(
                pool: pools[1], attendance: AttendanceRule(configuration),
                limit: RegistrationLimit(configuration), spans: RegistrationSpans(configuration),
                changed: application.changed)
            let leaving = await Self.leaving(application, pools[0])
            let snapshots = Lock<[Identifier: RoomSnapshot]>([:])
            let deliveries = try await DeliveryService(
                application, database: database.configuration, figuresFrom: pools[0], on: database.loop)
            let (server, routes) = try await serve(
                application, batcher, leaving, snapshots, deliveries, on: database.loop)
            let world = RESTWorld(
                clock: clock, pool: pools[0], application: application, port: server.address.port,
                changeEvents: changeEvents, snapshots: snapshots, deliveries: deliveries, leaving: leaving,
                routes: routes)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await batcher.run() }
                defer { group.cancelAll() }
                try await body(world)
            }
            await server.drain()
            await deliveries.finish()
            for pool in pools + deliveries.pools.flatMap(\.pools) { await pool.shutdown() }
        }
    }

    /// Lends a world to the body, and the token of an account in it.
    static func withAccount(
        _ body: @Sendable (RESTWorld, _ token: String) async throws -> Void
    ) async throws {
        try await with { world in try await body(world, try await world.signUp()) }
    }

    /// Lends a world to the body, and the tokens of two accounts in it: Ann's and Bea's.
    static func withTwoAccounts(
        _ body: @Sendable (RESTWorld, _ ann: String, _ bea: String) async throws -> Void
    ) async throws {
        try await with { world in
            try await body(world, try await world.signUp("Ann"), try await world.signUp("Bea"))
        }
    }

    private static func make(
        _ configuration: ServerConfiguration, _ clock: TestClock, _ pool: PostgresPool,
        _ locks: PostgresPool, _ exports: SharedPlaces?, _ changed: @escaping @Sendable (ChangeEvent) -> Void
    ) async throws -> Application {
        let timeZones = TimeZones()
        try await timeZones.read(from: pool)
        return Application(
            configuration: configuration,
            rules: try #require(ScheduleRules(configuration)),
            tickets: Tickets(key: Array(repeating: 7, count: 32), publicURL: "http://test"),
            now: { clock.now }, timeZones: timeZones, pools: [pool],
            locks: LockPlaces(pool: locks, patience: .seconds(240)), changed: changed,
            limits: RequestLimits(configuration, exports: exports),
            signIns: SignInCache(now: { 0 }))
    }

    private static func leaving(_ application: Application, _ pool: PostgresPool) async -> Leaving {
        let log = Identifier(value: 1)
        let writer = PresenceWriter(pool: pool, serverName: "test", log: log, now: application.now)
        let rooms = await RoomDirectory(
            application, pool: pool, writer: writer, log: log, loops: [pool.loop], file: nil)
        let publicURL = application.configuration.explicitPublicURL ?? "http://test"
        return Leaving(
            SignIn(
                application: application, cookie: SessionCookie(publicURL: publicURL),
                refreshRooms: { await rooms.refresh($0) }), rooms)
    }

    private static func serve(
        _ application: Application, _ batcher: RegistrationBatcher, _ leaving: Leaving,
        _ snapshots: Lock<[Identifier: RoomSnapshot]>,
        _ deliveries: DeliveryService, on loop: EventLoop
    ) async throws -> (HTTPServer, DeclaredRoutes) {
        var routers = Routers()
        let rest = REST(leaving.signIn)
        routers.open.add(
            UserEndpoints(rest, leaving), TokenEndpoints(rest), RecoveryEndpoints(rest),
            SignInCodeEndpoints(rest), SessionEndpoints(rest), ExportEndpoints(rest), TimeZoneEndpoints(rest),
            RegistrationEndpoints(rest, batcher, leaving), InviteEndpoints(rest), SlotEndpoints(rest),
            RoomEndpoints(rest) { id in snapshots.withLock { $0[id] } }, ExplanationEndpoints(rest),
            RoutineEndpoints(rest), CalendarEndpoints(rest), PeopleEndpoints(rest), StatsEndpoints(rest),
            NotificationEndpoints(rest), NowEndpoints(rest, application.database(loop)))
        let base = application.configuration.basePath
        DocumentEndpoints.add(to: &routers.open, below: base)
        deliveries.routes(rest, into: &routers)
        var patient = HTTPServerConfiguration.patient
        patient.trustedProxies = application.configuration.trustedProxies
        let server = try await HTTPServer(
            HTTPService(
                router: routers.open, refuse: { Answer.refusal(for: $0, to: $1, id: $2) },
                sharing: CrossOriginSharing(application.configuration)
            ).below(base), on: [loop],
            binding: try #require(SocketAddress(numeric: "127.0.0.1", port: 0)), configuration: patient)
        return (server, routers.open.routes)
    }
}

extension RESTWorld {
    /// Has every account read anew, as it is after a second.
    func forgetSignIns() { application.signIns.apply(.all(.users)) }

    /// Sends a request and checks the answer against the OpenAPI document, and its status if one is expected.
    @discardableResult
    func send(
        _ method: String, _ path: String, token: String? = nil, body: String? = nil,
        headers: [String] = [], expecting status: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RawHTTP.Response {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: test", "Connection: close"] + headers
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let body {
            lines.append("Content-Length: \(body.utf8.count)")
            if !headers.contains(where: { $0.lowercased().hasPrefix("content-type") }) {
                lines.append("Content-Type: application/json")
            }
        }
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
        let response = try await RawHTTP.exchange(port: port, Array(text.utf8))
        let faults = try SchemaCheck().faults(method, path, response)
        #expect(faults.isEmpty, "\(method) \(path): \(response.text)", sourceLocation: sourceLocation)
        #expect(response.headers["x-request-id"] != nil, sourceLocation: sourceLocation)
        if let status {
            #expect(response.status == status, "\(response.text)", sourceLocation: sourceLocation)
        }
        if response.status >= 400 {
            #expect(
                response.headers["content-type"] == "application/problem+json", sourceLocation: sourceLocation
            )
            #expect(
                try response.json()["instance"]?.string == response.headers["x-request-id"],
                sourceLocation: sourceLocation)
        }
        return response
    }

    /// Makes an account; returns its token.
    func signUp(_ name: String = "Ann", timeZone: String = "UTC") async throws -> String {
        let response = try await send(
            "POST", "/v1/users", body: #"{"name":"\#(name)","timeZone":"\#(timeZone)"}"#)
        return try #require(try response.json()["token"]?.string)
    }

    /// Asks for a registration for each of the slots.
    func book(
        _ token: String, _ slots: [String], task: String = "Write"
    ) async throws -> RawHTTP.Response {
        let list = slots.map { "\"\($0)\"" }.joined(separator: ",")
        return try await send(
            "POST", "/v1/registrations", token: token, body: #"{"task":"\#(task)","slots":[\#(list)]}"#)
    }

    /// Registers for one slot; returns the registration's id.
    func register(_ token: String, _ slot: String, task: String = "Write") async throws -> Identifier {
        let response = try await book(token, [slot], task: task)
        let id = try response.json()["registrations"]?.array?.first?["id"]?.string
        return try #require(id.flatMap { Identifier($0) }, "\(response.text)")
    }

    /// Opens a room for the registrations, as the scheduler would.
    func open(_ registrations: [Identifier], at slot: String) async throws -> Identifier {
        let startsAt = try #require(Timestamp(slot))
        var random = SystemRandomNumberGenerator()
        let room = Identifier.v4(using: &random)
        try await pool.query(
            "INSERT INTO rooms (id, starts_at, opened_at) VALUES ($1, $2, $3)", [room, startsAt, clock.now])
        try await pool.query(
            "INSERT INTO members (room_id, registration_id) SELECT $1, unnest($2::uuid[])",
            [room, registrations])
        try await pool.query(
            "UPDATE slots SET opened_at = $2, served_at = $2 WHERE starts_at = $1", [startsAt, clock.now])
        return room
    }

    /// Closes a slot, as the scheduler would.
    func close(_ slot: String) async throws {
        try await pool.query(
            "UPDATE slots SET closed_at = ends_at WHERE starts_at = $1", [try #require(Timestamp(slot))])
    }

    func count(_ table: String) async throws -> Int64 {
        try await pool.query("SELECT count(*) FROM \(table)")[0].decode(0, Int64.self)
    }
}

extension HTTPServerConfiguration {
    /// The configuration with a long handler timeout: tests that compute share the machine's few threads with
    /// the handlers.
    static var patient: HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        configuration.handlerTimeout = .seconds(120)
        // The tests' own threads may be busy for long between a connection and its request.
        configuration.headerTimeout = .seconds(120)
        return configuration
    }
}
