public import Contract
package import Reactor
import WebSocket

/// A stay in a room, over as many connections as it needs.
///
/// Once started it runs by itself, whether or not its feeds are read: it sends heartbeats, finds dead links,
/// reconnects as the server's close code and hint say, and resumes with nothing lost or repeated. It ends
/// when it is stopped, when the room closes, or when entry is refused. Each `Feed` reports its state or
/// events.
public actor RoomConnection {
    /// The most states that wait for a slow reader.
    static let stateBuffer = 64
    static let diagnosticBuffer = 1024
    /// The difference between the clocks of client and server from which on a person should look.
    static let clockTolerance = Duration.seconds(300)

    /// The phase of the connection, which decides the next step.
    enum Phase {
        /// Goes to `connecting` when it is started.
        case idle
        /// `run` opens a socket. Goes to `connected`, `waiting` or `closed`.
        case connecting
        /// The socket is open; the room is entered with the handshake. Goes to `waiting` or `closed`.
        case connected(Transport)
        /// `run` sleeps until that instant, or until it is woken. Goes to `connecting` or `closed`.
        case waiting(until: Duration)
        case closed(CloseReason)
    }

    let loop: EventLoop
    /// The trust for servers over TLS.
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
    /// The address of a `moved` message, until the close that follows it.
    var destination: RoomAddress?
    /// The error of the last failed attempt or lost connection.
    var lastFailure: ClientError?

    /// The messages that wait in order; `latest` has those of which only the latest of a type waits.
    let queue: ConnectionQueue
    var latest: OutgoingQueue
    var flights = Flights()
    /// The instant before which nothing is sent.
    var pausedUntil: Duration?
    /// The number of messages sent since the queue was last empty.
    var sentFromQueue = 0

    var watches = Watches()
    var alarm = Alarm()
    var driver: Task<Void, Never>?
    /// The continuation of `run` while it waits.
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

    /// Makes a connection, which connects when it is started. Throws if the queue's file cannot be used.
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

    // The feeds, each for any number of readers.

    /// A feed of the current state, and each later one.
    public nonisolated var states: Feed<ConnectionState> { stateBroadcast.feed() }

    /// A feed of later events in the room and of the connection.
    public nonisolated var events: Feed<RoomEvent> { eventBroadcast.feed() }

    /// A feed of later messages from the server, unchanged: unknown ones too, but none twice.
    public nonisolated var messages: Feed<ServerMessage> { messageBroadcast.feed() }

    /// A feed of the current health, and each change.
    public nonisolated var healthChanges: Feed<Health> { healthBroadcast.feed() }

    /// A feed of later events of the connection, for diagnosis.
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

    /// The latest round-trip time of a ping; nil before the first.
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

    // The calls that control the connection.

    /// Enters the room, and stays until it is stopped. A second call does nothing.
    public func start() {
        guard case .idle = phase else { return }
        LiveConnections.add(self)
        tell(.activated)
        phase = .connecting
        stateBroadcast.publish(.connecting)
        driver = Task(executorPreference: loop) { await self.run() }
    }

    /// Leaves the room, and tells the server. Waiting messages stay in a queue that is on disk.
    public func stop() {
        if case .connected(let transport) = phase {
            link.close(.normal)
            write(to: transport)
        }
        close(.left)
    }

    /// Tells the connection that the process was suspended and goes on: a waiting attempt is made at once,
    /// and a connected link has to prove that it is alive.
    public func resumed() { lookAgain() }

    /// Tells the connection that the machine has another network or address, with the same effect as
    /// `resumed`. The library detects that by itself; this is for systems that report it in another way.
    public func networkChanged() { lookAgain() }

    /// Calls `resumed` on every connection of the process, and every stream of notifications.
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
