import API
import Contract
import Database
import Postgres
import Reactor
import Rooms
import Scheduling

/// The snapshots of the first screen: made once a second, and only while a browser shows it.
package actor LiveBoard {
    static let interval = Duration.seconds(1)
    /// The figures of the database are kept for as many times as long as it took to read them.
    private static let thrift = 200
    /// The most who look at once.
    static let capacity = 64
    /// The lateness of an opening that people should not notice.
    static let objectiveSeconds = 1.0

    package typealias Snapshots = AsyncStream<[UInt8]>

    private let pool: PostgresPool
    private let rooms: RoomDirectory
    /// Returns the figures of this server.
    let own: @Sendable () async -> OwnFigures
    private let now: CurrentTime
    private let figures: RecentFigures<DeskFigures>
    private let servers: RecentFigures<[ServerDirectory.Listed]>
    private var lookers: [Int: Snapshots.Continuation] = [:]
    private var nextLooker = 0
    private var ales: (count: UInt64, at: Timestamp)?
    private let wakeSignal = WakeSignal()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { pool.loop.asUnownedSerialExecutor() }

    init(
        pool: PostgresPool, rooms: RoomDirectory, own: @escaping @Sendable () async -> OwnFigures, lead: Int,
        now: @escaping CurrentTime
    ) {
        self.pool = pool
        self.rooms = rooms
        self.own = own
        self.now = now
        figures = RecentFigures(now: now, thrift: Self.thrift) {
            try? await DeskFigures.read(lead: lead, at: now(), in: pool)
        }
        servers = RecentFigures(now: now, thrift: Self.thrift) {
            try? await ServerDirectory(pool: pool).list().servers
        }
    }

    /// The number of those who look.
    package var count: Int { lookers.count }

    /// Returns the snapshots from now on; nil if too many look. A slow looker gets the latest one.
    func look() -> Snapshots? {
        guard lookers.count < Self.capacity else { return nil }
        let number = nextLooker
        nextLooker += 1
        let (snapshots, continuation) = Snapshots.makeStream(bufferingPolicy: .bufferingNewest(1))
        lookers[number] = continuation
        let loop = pool.loop
        continuation.onTermination = { _ in
            loop.execute { self.assumeIsolated { $0.lookers[number] = nil } }
        }
        wakeSignal.send()
        return snapshots
    }

    /// Makes snapshots until the task is cancelled.
    package func run() async {
        while await wakeSignal.wait() {
            while !lookers.isEmpty, !Task.isCancelled {
                let snapshot = await snapshot().bytes
                for looker in lookers.values { looker.yield(snapshot) }
                try? await ContinuousClock().sleep(for: Self.interval)
            }
            ales = nil
        }
        for looker in lookers.values { looker.finish() }
    }

    /// Returns the snapshot of this moment.
    func snapshot() async -> JSONValue {
        async let reading = figures.current()
        async let listing = servers.current()
        let (known, listed) = await (reading, listing)
        let own = await own()
        let servers = Desk.servers(listed ?? [], own)
        let rooms = await rooms.statistics()
        let at = now()
        let perSecond = rate(rooms.ales, at: at)
        let problems = DeskProblem.find(
            figures: known, servers: listed, openCircuits: own.openCircuits,
            isClockCertain: own.isClockCertain)
        let ready: [(name: String, value: JSONValue)] = [
            ("at", .time(at)), ("server", .string(Self.name(in: listed))),
            ("devices", .integer(rooms.devices)), ("alesPerSecond", .real(perSecond)),
            ("ales", .integer(rooms.ales)),
            ("objectiveSeconds", .real(Self.objectiveSeconds)),
            (
                "deliveries",
                [
                    "waiting": known.map { .integer($0.waiting) } ?? .null,
                    "oldestSeconds": known.map { .real($0.oldestSeconds) } ?? .null,
                    "disabledEndpoints": known.map { .integer($0.disabled) } ?? .null,
                    "inFlight": .integer(own.deliveriesUnderWay),
                    "openCircuits": .integer(own.openCircuits),
                ]
            ),
            ("servers", servers),
            ("problems", .array(problems.map(\.json))),
        ]
        return .members(ready + (known?.members ?? []).map { ($0.name, $0.value) })
    }

    private static func name(in servers: [ServerDirectory.Listed]?) -> String {
        servers?.first { $0.entry.name == "\(ChangeEvent.origin)" }?.entry.shownName
            ?? ServerEntry.shownName(label: nil, incarnation: ChangeEvent.origin)
    }

    /// Returns the ales a second since the snapshot before; 0 where that is long ago, or counted more since
    /// another snapshot was made meanwhile.
    private func rate(_ count: UInt64, at now: Timestamp) -> Double {
        defer { ales = (count, now) }
        guard let ales, count >= ales.count, now.since(ales.at) < .seconds(60) else { return 0 }
        let seconds = now.since(ales.at) / .seconds(1)
        return seconds > 0 ? (Double(count - ales.count) / seconds * 10).rounded() / 10 : 0
    }
}
