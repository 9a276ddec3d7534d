public import Contract
package import Reactor
import WebSocket

/// A stay in a room, over as many connections as that takes.
///
/// Once started it runs by itself, whether or not anybody reads what it tells: it beats the heart, finds
/// links that are dead, comes back as the server's close code and hint say, and resumes there with nothing
/// lost or repeated. It ends when it is stopped, when the room closes, or when it is not let in; what it
/// is, each `Feed` tells.
public actor RoomConnection {
    /// States, heard by one reader that does not read.
    static let stateBuffer = 64
    static let diagnosticBuffer = 1024
    /// The clocks may differ by this much before somebody should look.
    static let clockTolerance = Duration.seconds(300)

    /// What is true, and who does what next.
    enum Phase {
        /// Goes to `connecting` when it is started.
        case idle
        /// `run` opens a socket. Goes to `connected`, `waiting` or `closed`.
        case connecting
        /// The socket is open; in the room from the handshake on. Goes to `waiting` or `closed`.
        case connected(Transport)
        /// `run` sleeps until then, or until it is woken. Goes to `connecting` or `closed`.
        case waiting(until: Duration)
        case closed(CloseReason)
    }

    let loop: EventLoop
    /// Whom to believe where the server is spoken to over TLS.
    let trust: Trust
    let configuration: ConnectionConfiguration
    let clock: ClientClock
    var address: RoomAddress
    var phase = Phase.idle
    var link = WebSocketLink()
    var heartbeat: Heartbeat?
    var progress = RoomProgress()
    var policy = ReconnectPolicy()
    var generator: any RandomNumberGenerator & Sendable
    /// Where a `moved` points, until the close that follows it.
    var destination: RoomAddress?
    /// What the last attempt or connection failed of.
    var lastFailure: ClientError?

    /// What waits in order, and of what only the latest of a type waits.
    let queue: ConnectionQueue
    var latest: OutgoingQueue
    var flights = Flights()
    /// Nothing is sent until then.
    var pausedUntil: Duration?
    /// Since the queue was empty last.
    var sentFromQueue = 0

    var watches = Watches()
    var alarm = Alarm()
    var driver: Task<Void, Never>?
    /// `run`, while it waits.
    var sleeper: CheckedContinuation<Void, Never>?

    var isReachable: Bool?
    var currentHealth = Health.healthy
    var counted = ConnectionCounters()
    var roundTrips = RoundTrips()
    var routes: [UInt64: Task<Void, Never>] = [:]
    var lastRoute: UInt64 = 0

    let stateBroadcast = Broadcast(latest: ConnectionState.idle, limit: stateBuffer)
    let eventBroadcast: Broadcast<RoomEvent>
    let messageBroadcast: Broadcast<ServerMessage>
    let healthBroadcast = Broadcast(latest: Health.healthy, limit: stateBuffer)
    let diagnosticBroadcast: Broadcast<Diagnostic>

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// It connects when it is started. Throws where the queue's file cannot be used.
    public init(
        _ address: RoomAddress, trust: Trust = .system, configuration: ConnectionConfiguration = .init()
    ) throws(ClientError) {
        try self.init(
            address, loop: try ClientLoop.shared(), trust: trust, configuration: configuration)
    }

    package init(
        _ address: RoomAddress, loop: EventLoop, trust: Trust = .system,
        configuration: ConnectionConfiguration = .init()
    ) throws(ClientError) {
        self.address = address
        self.loop = loop
        self.trust = trust
        self.configuration = configuration
        clock = ClientClock(configuration.clock)
        generator = configuration.generator
        queue = try ConnectionQueue(configuration)
        latest = try OutgoingQueue(limit: configuration.queueLimit, overflow: .dropOldest)
        eventBroadcast = Broadcast(limit: configuration.eventBuffer) { .missed($0) }
        messageBroadcast = Broadcast(limit: configuration.eventBuffer)
        diagnosticBroadcast = Broadcast(limit: Self.diagnosticBuffer) {
            Diagnostic(at: Timestamp(microseconds: WallClock.microseconds()), .missed($0))
        }
    }

    deinit { alarm.cancel() }

    // What it tells, each to as many as ask.

    /// The state now, and each that follows.
    public nonisolated var states: Feed<ConnectionState> { stateBroadcast.feed() }

    /// What happens in the room and to the connection, from now on.
    public nonisolated var events: Feed<RoomEvent> { eventBroadcast.feed() }

    /// What the server says from now on, word by word: also what is not known, but nothing twice.
    public nonisolated var messages: Feed<ServerMessage> { messageBroadcast.feed() }

    /// The health now, and each change.
    public nonisolated var healthChanges: Feed<Health> { healthBroadcast.feed() }

    /// What happens to the connection from now on, for whoever looks for a fault.
    public nonisolated var diagnostics: Feed<Diagnostic> { diagnosticBroadcast.feed() }

    public var health: Health { currentHealth }

    public var counters: ConnectionCounters {
        var counters = counted
        counters.queueDepth = queueDepth
        counters.roundTripP50 = roundTrips.quantile(0.5)?.inMilliseconds
        counters.roundTripP95 = roundTrips.quantile(0.95)?.inMilliseconds
        counters.roundTripP99 = roundTrips.quantile(0.99)?.inMilliseconds
        return counters
    }

    /// How long the latest answer to a ping took; nil before the first.
    public var latestRoundTrip: Duration? { roundTrips.latest }

    public var state: ConnectionState {
        switch phase {
        case .idle: .idle
        case .connecting: .connecting
        case .connected: progress.isInRoom ? .connected : .connecting
        case .waiting(let until): .waiting(until: clock.wall.adding(until - clock.now()))
        case .closed(let reason): .closed(reason)
        }
    }

    // What it is told.

    /// Enters the room, and stays until it is stopped. A second call does nothing.
    public func start() {
        guard case .idle = phase else { return }
        LiveConnections.add(self)
        tell(.activated)
        phase = .connecting
        stateBroadcast.publish(.connecting)
        driver = Task(executorPreference: loop) { await self.run() }
    }

    /// Leaves the room, and says so to the server. What waits to be sent stays in a queue that is on disk.
    public func stop() {
        if case .connected(let transport) = phase {
            link.close(.normal)
            write(to: transport)
        }
        close(.left)
    }

    /// The process was suspended, and goes on: what waits is tried at once, and what is connected has to
    /// show that it still is.
    public func resumed() { lookAgain() }

    /// The machine has another network or address: as after `resumed`. The library finds that out by itself;
    /// this is for a system that says it in another way.
    public func networkChanged() { lookAgain() }

    /// Tells every connection of the process, and every stream of notifications.
    public nonisolated static func processResumed() async {
        for connection in LiveConnections.all { await connection.resumed() }
    }

    private func lookAgain() {
        switch phase {
        case .idle, .connecting, .closed: return
        case .waiting: tryNow()
        case .connected:
            let step = heartbeat?.check(at: clock.now())
            perform(step ?? .nothing)
            armForHeartbeat()
        }
    }
}
