import API
import Codecs
import Console
import Contract
import HTTP1
import HTTPServer
import Logging
import Postgres
import Reactor
import Settings

/// Connections of clients and of the database, event loops, requests and the log, which parts share; and the
/// pages on which operators read the figures of all parts.
struct ServerPart: Part {
    /// The lag of a loop from which something keeps it busy, in seconds.
    private static let longLag = 1.0

    /// When this process began to serve, in seconds since 1970.
    private let startedAt = WallClock.seconds()
    private let begun = Monotonic.nanoseconds()
    let requests = RequestMetrics()
    let limits: RequestLimits
    let lags: LoopLags
    let pools: DatabasePools
    let clock: ReferenceClock
    let changes: ChangesPart
    /// The listener of clients; nil if there is none.
    let listener: HTTPServer?

    func routes(_ rest: REST, into routers: inout Routers) {
        DocumentEndpoints.add(to: &routers.open, below: rest.application.configuration.basePath)
    }

    func figures() async -> [Figure] {
        var figures = [
            Figure(
                "build_info", "Always 1; the labels say what this program is.",
                [Figure.Sample(["api": Version.api, "version": Version.build], 1)]),
            Figure("start_timestamp_seconds", "When this process began to serve.", Int(startedAt)),
        ]
        figures += await listener?.figures() ?? []
        figures.append(
            Figure(
                "requests_limited_total",
                "Requests that were refused by a limit of their sender, by limit.", by: "limit",
                [("address", listener?.limitCounts[.addressRate] ?? 0)]
                    + RequestLimits.Kind.allCases.map { ($0.rawValue, limits.counts[$0] ?? 0) }))
        figures += await pools.figures() + [lags.figure] + requests.current.figures
        return figures + [
            Figure(
                "log_lines_repeated_total", "Log lines that were counted and told together.",
                Log.repeatedCount),
            Figure(
                "log_lines_lost_total", "Log lines that were lost because standard error was not read.",
                Log.lostCount),
        ]
    }

    var states: [PartState] {
        let lag = lags.latest.max() ?? 0
        return [
            PartState(
                name: "event loops", isWell: lag < Self.longLag,
                detail: "the latest timer is \(PartState.rounded(lag)) s late")
        ]
    }

    // For operators.

    /// Adds `/metrics`, with the figures of the parts.
    func addMetrics(of parts: [any Part], to router: inout Router) {
        router.task(.get, "/metrics") { _ in
            HTTPResponse(
                status: 200, headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
                body: Array(await [Figure](of: parts, stored: true).text.utf8))
        }
    }

    /// Adds `/debug`, on the port of the desk alone.
    func addDebug(of parts: [any Part], to router: inout Router) {
        router.task(.get, "/debug") { _ in
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
                body: await debug([Figure](of: parts)).bytes)
        }
    }

    /// Returns the figures of this server for the desk.
    func own(of parts: [any Part]) async -> OwnFigures {
        let figures = await [Figure](of: parts)
        var own = OwnFigures()
        own.clockOffsetSeconds = clock.machineAheadSeconds
        own.isClockCertain = clock.isCertain
        own.loopLagSeconds = lags.latest
        own.pool = await pools.current().reduce(into: PoolFigures()) { $0 += $1.figures }
        own.sockets = figures["connections"]
        own.uptimeSeconds = uptimeSeconds
        own.deliveriesUnderWay = figures["deliveries_in_flight"]
        own.openCircuits = figures["delivery_circuits_open"]
        return own
    }

    private var uptimeSeconds: Double { Double(Monotonic.nanoseconds() &- begun) / 1e9 }

    private func debug(_ figures: [Figure]) async -> JSONValue {
        let counts = [
            ("rooms", "rooms"), ("devices", "room_devices"), ("connections", "connections"),
            ("streams", "event_streams"), ("deliveriesUnderWay", "deliveries_in_flight"),
        ].map { (name: $0, value: JSONValue.integer(figures[$1])) }
        return [
            "version": .string(Version.build), "uptimeSeconds": .real(uptimeSeconds),
            "counts": .members(counts),
            "loops": .array(
                zip(lags.current, lags.latest).map {
                    ["name": .string($0.name), "lagSeconds": .real($1)]
                }),
            "queues": .array(
                changes.queues.map { name, queue in
                    [
                        "name": .string(name), "received": .integer(queue.received),
                        "waiting": .integer(queue.waiting),
                        "oldestSeconds": .real(queue.oldestSeconds),
                    ]
                }),
            "pools": .array(
                await pools.current().map { name, pool in
                    [
                        "name": .string(name), "size": .integer(pool.size),
                        "leased": .integer(pool.leased), "idle": .integer(pool.idle),
                        "opening": .integer(pool.opening),
                        "waiting": .integer(pool.waiting),
                    ]
                }),
        ]
    }
}
