import Contract
import Postgres

/// The figures of this server for the desk.
struct ServerFigures: Sendable {
    private let clockOffsetSeconds: Double
    private let loopLagSeconds: [Double]
    private let pool: PoolFigures
    private let connections: Int
    private let uptimeSeconds: Double

    init(
        _ lags: LoopLags, _ pools: DatabasePools, clock: ReferenceClock,
        connections: @Sendable () async -> ConnectionMetrics, since begun: Timestamp
    ) async {
        clockOffsetSeconds = clock.machineAheadSeconds
        loopLagSeconds = lags.latest
        pool = await pools.figures().reduce(into: PoolFigures()) { $0 += $1.figures }
        self.connections = await connections().open
        uptimeSeconds = clock.now().since(begun) / .seconds(1)
    }

    /// The figures as an object in JSON.
    var json: String {
        let lags = loopLagSeconds.map { "\($0)" }.joined(separator: ",")
        let counts = "\"leased\":\(pool.leased),\"idle\":\(pool.idle),\"waiting\":\(pool.waiting)"
        return "{\"clockOffsetSeconds\":\(clockOffsetSeconds),\"loopLagSeconds\":[\(lags)],"
            + "\"pool\":{\(counts)},\"sockets\":\(connections),\"uptimeSeconds\":\(uptimeSeconds)}"
    }
}
