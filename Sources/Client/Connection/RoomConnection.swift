public import Contract
package import Reactor

/// A stay in a room, over as many connections as it needs.
///
/// Once started it runs by itself, whether or not its feeds are read: it sends heartbeats, detects lost
/// connections, reconnects by the close code and the hint of the server, and resumes without lost or repeated
/// ales. It ends when it is stopped, when the room closes, or when the server refuses it. Its feeds report
/// its state and its events. <doc:StayingInARoom> explains the rules.
public actor RoomConnection {
    private let loop: EventLoop
    private let configuration: ConnectionConfiguration
    private let clock: ClientClock
    private let door: RoomDoor
    /// The token of the current connection, if it is not in the address.
    private var token: String?
    let feeds: ConnectionFeeds
    /// The file of the queue; nil for a queue in memory only.
    private let file: DiskQueue?
    private var stay: Stay
    private var sending: SendQueue
    private var watches = Watches()
    /// The open socket while the stay is connected.
    private var transport: Transport?
    private var alarm = Alarm()
    private var driver: Task<Void, Never>?
    /// The end of the driver's wait for the next attempt.
    private var attemptDue = PendingResult<Void>()

    /// The executor of the actor: the client's event loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a connection, which connects when it is started. Throws if the queue's file cannot be used.
    public init(
        _ address: RoomAddress, trust: Trust = .system, configuration: ConnectionConfiguration = .init()
    ) throws(ClientError) {
        try self.init(address, loop: try ClientLoop.shared(), trust: trust, configuration: configuration)
    }

    package init(
        _ address: RoomAddress, loop: EventLoop, trust: Trust = .system,
        tokens: TokenKeeper = TokenKeeper(nil), language: Language? = nil,
        configuration: ConnectionConfiguration = .init()
    ) throws(ClientError) {
        self.loop = loop
        self.configuration = configuration
        door = RoomDoor(
            loop: loop, timeout: configuration.timeout, trust: trust, options: configuration.socket,
            tokens: tokens, language: language)
        clock = ClientClock(configuration.clock)
        feeds = ConnectionFeeds(eventBuffer: configuration.eventBuffer)
        stay = Stay(address, hasTokenSource: tokens.hasSource, generator: configuration.generator)
        file = try DiskQueue(configuration)
        sending = try SendQueue(configuration, recovered: file?.recovered)
    }

    deinit { alarm.cancel() }

    /// The health of the connection at present.
    public var health: Health { stay.health }

    /// The counters since the connection was made.
    public var counters: ConnectionCounters {
        var counters = stay.counters
        counters.acknowledged = sending.acknowledged
        counters.queueDepth = queueDepth
        return counters
    }

    /// The latest round-trip time of a ping; nil before the first.
    public var latestRoundTrip: Duration? { stay.roundTrips.latest }

    /// The state of the connection at present.
    public var state: ConnectionState { stay.state(at: clock.now(), wall: clock.wall) }

    /// The number of messages that wait to be sent or acknowledged, in both queues.
    public var queueDepth: Int { sending.count }

    /// The messages that wait to be sent or acknowledged.
    public var queuedMessages: [OutgoingMessage] { sending.messages }

    // The calls that control the connection.

    /// Enters the room, and stays until it is stopped. A second call does nothing.
    public func start() {
        guard case .idle = stay.phase else { return }
        LiveConnections.add(self)
        perform(stay.start())
        driver = Task(executorPreference: loop) { await self.run() }
    }

    /// Leaves the room and closes the socket. Waiting messages stay in a queue with a file.
    public func stop() { perform(stay.stop()) }

    /// Informs the connection that the process was suspended and continues. A waiting attempt is made at
    /// once, and an open connection is checked with a ping.
    public func resumed() { perform(stay.lookAgain(at: clock.now())) }

    /// Sets the status that all members of the room see, until the next call; nil clears it. It can be called
    /// at any time. The status is sent after the entry into the room, and again to a server that lost it.
    /// `RoomEvent.status` confirms it.
    public func declare(_ status: MemberStatus?) { perform(stay.declare(status)) }

    /// Waits until the connection is in the room. Starts the connection if it has not been started.
    ///
    /// Throws `CloseReason.error` once the connection is closed for good, `timedOut`, or `cancelled`.
    public func waitUntilConnected(timeout: Duration? = nil) async throws(ClientError) {
        start()
        try await wait(for: .inRoom, timeout)
    }

    /// Waits until all queued messages have been acknowledged. Throws as `waitUntilConnected` does.
    public func flush(timeout: Duration? = nil) async throws(ClientError) {
        start()
        try await wait(for: .emptyQueue, timeout)
    }

    /// Pings the server and returns the round-trip time. Starts the connection if it has not been started.
    ///
    /// Throws as `waitUntilConnected` does. A connection that does not answer is replaced.
    public func roundTrip(timeout: Duration? = nil) async throws(ClientError) -> Duration {
        try await waitUntilConnected(timeout: timeout)
        let before = facts
        resumed()
        try await wait(for: .roundTrip(after: before), timeout)
        guard let time = latestRoundTrip else { throw .timedOut }
        return time
    }

    /// Checks the connection, and reconnects at once if it does not work. Returns whether the connection is
    /// in the room afterwards.
    @discardableResult
    public func attemptRecovery(timeout: Duration? = .seconds(10)) async -> Bool {
        feeds.publish(.diagnostic(.recoveryAttempted))
        start()
        resumed()
        do throws(ClientError) {
            try await wait(for: stay.isInRoom ? .proof(after: facts) : .inRoom, timeout)
            feeds.publish(.diagnostic(.recoverySucceeded))
            return true
        } catch {
            feeds.publish(.diagnostic(.recoveryFailed(error: error.kind)))
            return false
        }
    }

    /// Calls the handler for each later message of that type, one after the other, until it is removed or the
    /// connection is closed. A slow handler does not delay others. At most `eventBuffer` messages wait for
    /// it; the oldest are dropped. It runs outside the connection and can call it.
    @discardableResult
    public func on<Payload>(
        _ route: MessageRoute<Payload>, _ handler: @escaping @Sendable (Payload) async -> Void
    ) -> RouteID {
        let task = Task.detached { [messages] in
            for await message in messages {
                if let payload = route.payload(message) { await handler(payload) }
            }
        }
        return RouteID(task: task)
    }

    /// Removes a handler. A running call of it ends first.
    public func remove(_ id: RouteID) { id.task.cancel() }

    /// Sends a message by that strategy until it is acknowledged. It takes effect once, however often it is
    /// sent. A policy bounds this: after `attempts` sendings, or `total` since the call, the message is given
    /// up (`RoomEvent.givenUp`, `timedOut`). A `pause` longer than `resendInterval` replaces that. The file
    /// of a queue does not store the bound.
    ///
    /// `liveOnly`, `liveElseQueued` and `liveElseLatest` wait for the acknowledgement if there is a
    /// connection. If it is lost, the first throws (the message can have arrived), and the others return
    /// `queued`. Throws `network` if a `liveOnly` message finds no connection, `timedOut` if no
    /// acknowledgement arrives, `queueFull`, `badMessage`, `storage`, the problem `tooManyRequests` if the
    /// server drops the message for its rate, `unexpected` if the server refuses it, and `CloseReason.error`
    /// once the connection is closed.
    @discardableResult
    public func send(
        _ message: OutgoingMessage, by strategy: DeliveryStrategy = .liveElseQueued,
        retrying policy: RetryPolicy? = nil
    ) async throws(ClientError) -> Delivery {
        if let error = stay.closedError { throw error }
        guard message.text.count <= Limits.clientMessageBytes else {
            throw .badMessage("A message has at most \(Limits.clientMessageBytes) bytes.")
        }
        let patience = configuration.acknowledgementTimeout
        return try await send(message, by: strategy, retrying: policy, patience: patience)
    }

    /// Queues an ale, which is sent now or after a reconnection, until it is acknowledged or the policy gives
    /// it up. Returns its messageId; nil if the queue is full, or the connection is closed.
    @discardableResult
    public func cheer(retrying policy: RetryPolicy? = nil) async -> String? {
        let message = OutgoingMessage.ale(id: stay.makeMessageId())
        do throws(ClientError) {
            try await send(message, by: .queuedOnly, retrying: policy)
            return message.id
        } catch {
            feeds.publish(SendQueue.failure(message, error))
            return nil
        }
    }

    /// Waits until the room is entered, and sends the message until it is acknowledged, within that number of
    /// attempts and that time. Returns its number. Throws the error of the last attempt, or `timedOut`.
    public func sendWhenReady(
        _ message: OutgoingMessage, attempts: Int = 3, timeout: Duration = .seconds(30)
    ) async throws(ClientError) -> Int64 {
        let deadline = clock.now() + timeout
        var tried = 0
        while true {
            try await waitUntilConnected(timeout: deadline - clock.now())
            tried += 1
            do throws(ClientError) {
                let patience = min(configuration.acknowledgementTimeout, deadline - clock.now())
                let delivery = try await send(message, by: .liveOnly, patience: patience)
                if case .acknowledged(let seq) = delivery { return seq }
            } catch {
                let now = clock.now()
                guard error.isTransient, now < deadline, tried < attempts else { throw error }
                guard case .problem = error else { continue }
                let end = min(now + configuration.ratePause, deadline)
                do { try await clock.sleep(end) } catch { throw ClientError.cancelled }
            }
        }
    }

    /// Cancels a queued message, and returns whether it was queued. It can have been sent before.
    @discardableResult
    public func cancel(_ messageId: String) async throws(ClientError) -> Bool {
        let wasQueued = cancelKnown(messageId)
        // The message may be on its way into the file.
        defer { perform(sending.cancelStored(messageId)) }
        return try await file?.cancel(messageId) ?? false || wasQueued
    }

    /// Cancels all queued messages, and returns their number.
    @discardableResult
    public func cancelAll() async throws(ClientError) -> Int {
        var ids = queuedMessages.map(\.id)
        for id in ids { _ = cancelKnown(id) }
        // Some messages may be on their way into the file.
        for message in try await file?.cancelAll() ?? [] {
            perform(sending.cancelStored(message.id))
            if !ids.contains(message.id) { ids.append(message.id) }
        }
        return ids.count
    }

    private func cancelKnown(_ messageId: String) -> Bool {
        let (wasQueued, steps) = sending.cancel(messageId)
        perform(steps)
        return wasQueued
    }

    private func send(
        _ message: OutgoingMessage, by strategy: DeliveryStrategy, retrying policy: RetryPolicy? = nil,
        patience: Duration
    ) async throws(ClientError) -> Delivery {
        let appended = strategy.isQueued ? try await file?.append(message) : nil
        let now = clock.now()
        let (result, steps) = try sending.send(
            message, by: strategy, retrying: policy, onDisk: appended, isInRoom: stay.isInRoom,
            closedError: stay.closedError, until: now + patience, at: now)
        perform(steps)
        sendWaiting()
        defer { sending.abandon(result) }
        return try await result.value()
    }

    private func wait(for goal: Watches.Goal, _ timeout: Duration?) async throws(ClientError) {
        let result = watches.add(goal, until: timeout.map { clock.now() + $0 }, facts)
        arm()
        defer { watches.remove(result) }
        try await result.value()
    }

    private var facts: Watches.Facts { stay.facts(queueDepth: sending.count) }

    // The driver.

    /// Drives the connection from the start to the end, as its only task.
    private func run() async {
        while true {
            switch stay.phase {
            case .connecting: await enter()
            case .connected: await read()
            case .waiting(let until) where clock.now() >= until: perform(stay.tick(at: clock.now()))
            case .waiting: try? await attemptDue.value()
            case .idle, .closed: return
            }
        }
    }

    private func enter() async {
        let (address, resume, nonce) = stay.attempt()
        let refused = stay.rejection.close == nil ? nil : token
        do throws(EntryFailure) {
            let entry = try await door.enter(address, insteadOf: refused, resuming: resume, nonce: nonce)
            guard let (transport, remainder, token) = entry else { return perform(stay.tokenRefused()) }
            guard let steps = stay.opened() else { return await transport.close() }
            (self.transport, self.token) = (transport, token)
            perform(steps)
            receive(remainder)
        } catch {
            perform(stay.entryFailed(error, at: clock.now()))
        }
    }

    private func read() async {
        guard let transport else { return }
        do throws(ClientError) {
            guard let bytes = try await transport.read() else {
                throw ClientError.network("The server closed the connection.")
            }
            // The transport may have been given up meanwhile.
            if transport === self.transport { receive(bytes) }
        } catch {
            if transport === self.transport { perform(stay.lost(error, at: clock.now())) }
        }
    }

    private func receive(_ bytes: [UInt8]) {
        for event in stay.receive(bytes, at: clock.now()) {
            perform(stay.handle(event, at: clock.now(), wall: clock.wall))
        }
        sendWaiting()
    }

    /// Sends the waiting messages that may be sent now, and writes the output.
    private func sendWaiting() {
        if stay.isInRoom { perform(sending.fill(at: clock.now())) }
        perform(stay.flush())
    }

    /// Makes the alarm ring when there is work again, or earlier.
    private func arm() {
        alarm.set([stay.due, sending.due, watches.due], on: loop, clock) { [weak self] in
            await self?.alarmRang(at: $0)
        }
    }

    private func alarmRang(at instant: Duration) {
        guard alarm.rang(at: instant) else { return }
        let now = clock.now()
        perform(stay.tick(at: now))
        perform(sending.expire(at: now))
        sendWaiting()
        watches.expire(at: now)
        arm()
    }

    private func perform(_ steps: [Stay.Step]) {
        for step in steps {
            switch step {
            case .report(let report): feeds.publish(report)
            case .write(let bytes): transport?.assumeIsolated { $0.write(bytes) }
            case .liftDeadline: transport?.assumeIsolated { $0.setDeadline(nil) }
            case .closeTransport:
                transport.take()?.assumeIsolated { $0.close() }
            case .wake:
                attemptDue.settle(.success(()))
                attemptDue = PendingResult()
            case .acknowledged(let id, let seq): perform(sending.acknowledged(id, seq: seq, at: clock.now()))
            case .refused(let code, let detail, let id):
                perform(sending.refused(code, detail, id, at: clock.now()))
            case .lost(let error): perform(sending.land(error, isFinal: false))
            case .end(let error):
                perform(sending.land(error, isFinal: true))
                alarm.cancel()
                driver?.cancel()
                LiveConnections.remove(self)
                feeds.finish()
            }
        }
        watches.check(facts)
        arm()
    }

    private func perform(_ steps: [SendQueue.Step]) {
        for step in steps {
            switch step {
            case .report(let report): feeds.publish(report)
            case .transmit(let message): stay.send(text: message.text)
            case .answer(let result, let delivery): result.settle(delivery)
            case .settleOnDisk(let id):
                file?.acknowledge(id) { [weak self, loop] error in
                    loop.execute { [weak self] in self?.assumeIsolated { $0.stay.count(error) } }
                }
            }
        }
        watches.check(facts)
    }
}
