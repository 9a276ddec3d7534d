import API
import Cluster
import Console
import Contract
import Database
import HTTP1
import HTTPServer
import Outbox
import Postgres
import Reactor
import Rooms
import Scheduling

/// The parts of this server, for operators: `/readyz?verbose` and `/debug`, on the port of the desk alone.
struct ServerParts: Sendable {
    /// The time after which what is due is late, and that change events may wait.
    private static let late = Duration.seconds(5)
    /// The lag of a loop from which something keeps it busy, in seconds.
    private static let longLag = 1.0

    let clock: ReferenceClock
    let listening: ListenState
    let scheduler: Scheduler
    let cluster: ClusterService
    let changes: ChangeDispatcher
    let broadcaster: ChangeBroadcaster
    let lags: LoopLags
    let pools: DatabasePools
    let rooms: RoomDirectory
    let feed: NotificationFeed
    let deliveries: DeliveryService
    let connections: @Sendable () async -> ConnectionMetrics
    let begun: Timestamp

    /// Returns the states of the parts besides the server itself and the database.
    func states() async -> [PartState] {
        let (overdue, idle) = (await scheduler.overdue, await scheduler.idleTime)
        let waits = queues.map(\.oldestSeconds).max() ?? 0
        let lag = lags.latest.max() ?? 0
        let worker = await deliveries.deliveryWorker.figures
        return [
            listening.part,
            PartState(
                name: "clock", isWell: clock.isCertain, ageSeconds: clock.measurementAge.map(Self.seconds),
                detail: Self.clockDetail(aheadSeconds: clock.machineAheadSeconds)),
            PartState(
                name: "lease", isWell: cluster.isRenewed,
                ageSeconds: await cluster.leaseAge.map(Self.seconds),
                detail: cluster.clock.mayAnswer
                    ? "relied on" : "not relied on, as nobody needs it, or it is past"),
            PartState(
                name: "scheduler", isWell: overdue < Self.late,
                detail: overdue > .zero
                    ? "late by \(Self.rounded(Self.seconds(overdue))) s"
                    : idle.map { "next in \(Self.rounded(Self.seconds($0))) s" } ?? "nothing is planned"),
            PartState(
                name: "change events", isWell: waits < Self.seconds(Self.late), ageSeconds: waits,
                detail: "\(queues.reduce(0) { $0 + $1.waiting }) wait"),
            PartState(
                name: "event loops", isWell: lag < Self.longLag,
                detail: "the latest timer is \(Self.rounded(lag)) s late"),
            PartState(
                name: "deliveries", isWell: worker.openCircuits == 0,
                detail: "\(worker.inFlight) under way, \(worker.openCircuits) hosts left alone"),
        ]
    }

    // The inner state.

    struct Debug: Encodable {
        struct Loop: Encodable {
            let name: String
            let lagSeconds: Double
        }

        struct Queue: Encodable {
            let name: String
            let received: Int
            let waiting: Int
            let oldestSeconds: Double
        }

        struct Pool: Encodable {
            let name: String
            let size: Int
            let leased: Int
            let idle: Int
            let opening: Int
            let waiting: Int
        }

        struct Counts: Encodable {
            let rooms: Int
            let devices: Int
            let connections: Int
            let streams: Int
            let deliveriesUnderWay: Int
        }

        let version: String
        let uptimeSeconds: Double
        let counts: Counts
        let loops: [Loop]
        let queues: [Queue]
        let pools: [Pool]
    }

    func debug() async -> Debug {
        let rooms = await rooms.statistics()
        let pools = await pools.figures().map { name, figures in
            Debug.Pool(
                name: name, size: figures.size, leased: figures.leased, idle: figures.idle,
                opening: figures.opening, waiting: figures.waiting)
        }
        return Debug(
            version: Version.product, uptimeSeconds: Self.seconds(clock.now().since(begun)),
            counts: Debug.Counts(
                rooms: rooms.rooms, devices: rooms.devices, connections: await connections().open,
                streams: await feed.streamCount,
                deliveriesUnderWay: await deliveries.deliveryWorker.figures.inFlight),
            loops: zip(lags.current, lags.latest).map { Debug.Loop(name: $0.name, lagSeconds: $1) },
            queues: queues, pools: pools)
    }

    /// Returns the figures of this server for the desk.
    func figures() async -> OwnFigures {
        var own = OwnFigures()
        own.clockOffsetSeconds = clock.machineAheadSeconds
        own.isClockCertain = clock.isCertain
        own.loopLagSeconds = lags.latest
        own.pool = await pools.figures().reduce(into: PoolFigures()) { $0 += $1.figures }
        own.sockets = await connections().open
        own.uptimeSeconds = Self.seconds(clock.now().since(begun))
        let worker = await deliveries.deliveryWorker.figures
        (own.deliveriesUnderWay, own.openCircuits) = (worker.inFlight, worker.openCircuits)
        return own
    }

    private var queues: [Debug.Queue] {
        (changes.figures + [("servers", broadcaster.figures)]).map { name, figures in
            Debug.Queue(
                name: name, received: figures.received, waiting: figures.waiting,
                oldestSeconds: figures.oldestSeconds)
        }
    }

    /// Adds `/debug`.
    func add(to router: inout Router) {
        router.on(
            .get, "/debug",
            .task { request in
                do {
                    return HTTPResponse(
                        status: 200,
                        headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
                        body: try JSON.encode(await debug()))
                } catch {
                    return Answer.refusal(for: error, id: request.id, in: .english)
                }
            })
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

    /// Returns a sentence on the clock of the machine: it is ahead of the database's, or behind it.
    static func clockDetail(aheadSeconds: Double) -> String {
        let side = (aheadSeconds * 1000).rounded() < 0 ? "behind" : "ahead of"
        return "this machine is \(rounded(abs(aheadSeconds))) s \(side) the database"
    }

    private static func rounded(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}
