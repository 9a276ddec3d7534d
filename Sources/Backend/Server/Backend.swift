import API
import Cluster
import Console
import Contract
import Database
import HTTPServer
import Logging
import Postgres
import Reactor
import Rooms
import Scheduling
import Settings
import Web

/// The whole service on a migrated database: the HTTP calls and the background tasks.
struct Backend: Sendable {
    /// The interval at which what the parts know is compared with the database, in case a change event was
    /// lost.
    static let comparing = Duration.seconds(60)

    /// The time that requests under way get when the server stops.
    static let drainTimeout = Duration.seconds(8)

    /// The calls of clients.
    let service: HTTPService
    /// The calls of other servers alone, for a port of their own.
    let internalService: HTTPService
    /// The desk of operators, for a port of its own; nil without one.
    let adminService: HTTPService?
    let deliveries: DeliveryService
    let context: PartContext
    let rooms: RoomDirectory
    let cluster: ClusterParts
    let pools: DatabasePools
    /// The parts in the order in which they handle change events: the worker of announcements is woken before
    /// rooms show one, and rooms are read before the scheduler looks at them. They finish in the opposite
    /// order: rooms are stored before the lease is released, and change events are sent last.
    let parts: [any Part]

    /// Creates the service. `loops` serve; `background` schedules and stores; `outbound` delivers.
    /// `listener` is the one for clients. With `roomsFile` rooms outlive the process.
    init(
        _ configuration: ServerConfiguration, database: PostgresConfiguration, publicURL: String,
        label: String, internalAddress: SocketAddress? = nil, loops: [EventLoop], background: EventLoop,
        outbound: EventLoop? = nil, readiness: Readiness,
        listener: HTTPServer? = nil, roomsFile: RoomsFile? = nil, clock: ReferenceClock
    ) async throws {
        let context = try await PartContext(
            configuration, database: database, publicURL: publicURL, loops: loops, background: background,
            outbound: outbound ?? background, clock: clock)
        self.context = context
        // To read the names takes a third of a start, which needs them at its end.
        async let zonesAreRead: Void = OpenedDatabase.patiently {
            try await context.application.timeZones.read(from: context.pool)
        }
        let metrics = ScheduleMetrics()
        let notifications = NotificationsPart(context, schedule: metrics)
        let store = try await SchedulePart.begin(context, notifications.feed, label: label)
        // The other servers know of this one from here on, and leave its rooms alone.
        cluster = try await ClusterParts(context, store, boundTo: internalAddress)
        let rooms = try await RoomsPart(context, cluster, roomsFile, loops: loops)
        self.rooms = rooms.rooms
        deliveries = try await DeliveryService(
            context.application, database: database.sized(context.plan.deliveries),
            figuresFrom: context.pool, retention: context.retention, tracer: context.traces?.tracer,
            on: context.outbound)
        let changes = ChangesPart(context)
        let first: [any Part] = [
            changes, cluster, AccountsPart(context, rooms.leaving), notifications,
            RegistrationsPart(context, rooms.leaving),
        ]
        let last: [any Part] = [
            rooms, SchedulePart(context, store, self.rooms, metrics), deliveries, RoutineWorker(context),
            CalendarsPart(), PeoplePart(), Retention(context), TracesPart(exporter: context.traces),
        ]
        let deskPool =
            configuration.adminPort == nil ? nil : context.makePool(ServerConfiguration.deskConnections)
        pools = DatabasePools(
            groups: context.pools + (first + last).flatMap(\.pools)
                + (deskPool.map { [.init(name: "desk", pools: [$0])] } ?? []))
        let server = ServerPart(
            limits: context.application.limits,
            lags: LoopLags(loops + [background] + (outbound.map { [$0] } ?? [])), pools: pools, clock: clock,
            changes: changes, listener: listener)
        let counted = first + last + [server]
        let desk = try await DeskPart(context, deskPool, rooms.leaving, deliveries) {
            await server.own(of: counted)
        }
        parts = first + [desk] + last + [server]
        var routers = Routers()
        for part in parts { part.routes(REST(rooms.leaving.signIn), into: &routers) }
        let services = PartServices(
            context: context, cluster: cluster, server: server, readiness: readiness, parts: counted)
        (service, internalService, adminService) = try services.make(from: routers)
        try await zonesAreRead
    }
}
