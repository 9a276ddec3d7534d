import Contract

/// The state of a stay in a room, over as many connections as it needs. It knows neither sockets nor clocks:
/// each input returns what to do, in order. Instants are a `ClientClock`'s.
struct Stay: Sendable {
    /// The phase of the stay, which decides the next step.
    enum Phase: Hashable, Sendable {
        /// Goes to `connecting` when it is started.
        case idle
        /// An attempt to open a socket is under way. Goes to `connected`, `waiting` or `closed`.
        case connecting
        /// The socket is open; the room is entered with the handshake. Goes to `waiting` or `closed`.
        case connected
        /// The next attempt begins at that instant, or earlier. Goes to `connecting` or `closed`.
        case waiting(until: Duration)
        case closed(CloseReason)
    }

    enum Step: Hashable, Sendable {
        case report(ConnectionFeeds.Report)
        case write([UInt8])
        /// The deadline of the transport ends, since the heartbeat bounds silence from here on.
        case liftDeadline
        case closeTransport
        /// The wait for the next attempt ends.
        case wake
        /// The server has acknowledged a message.
        case acknowledged(messageId: String, seq: Int64)
        /// The server has sent an error, about one of our messages if there is a messageId.
        case refused(code: String, detail: String, messageId: String?)
        /// The connection is lost, and another one follows.
        case lost(ClientError)
        /// The stay is over. Pending calls fail with this error.
        case end(ClientError)
    }

    /// The difference between the clocks of client and server from which on a person should look.
    private static let clockTolerance = Duration.seconds(300)

    private(set) var phase = Phase.idle
    private(set) var health = Health.healthy
    private(set) var roundTrips = RoundTrips()
    private var counted = ConnectionCounters()
    /// The current connection; an unused one if there is none.
    private var session = Session()
    private var progress = RoomProgress()
    private var policy = ReconnectPolicy()
    private var own = OwnStatus()
    private var generator: any RandomNumberGenerator & Sendable
    private var address: RoomAddress
    /// The room and the address of a `moved` message, until the close that follows it.
    private var destination: (room: Identifier, address: RoomAddress)?
    private var isReachable: Bool?
    private(set) var rejection: TokenRejection

    init(
        _ address: RoomAddress, hasTokenSource: Bool = false, generator: any RandomNumberGenerator & Sendable
    ) {
        self.address = address
        rejection = TokenRejection(hasSource: hasTokenSource)
        self.generator = generator
    }

    var isInRoom: Bool { session.isInRoom }

    /// The error of calls that are pending when the stay ends; nil before the end.
    var closedError: ClientError? {
        switch phase {
        case .closed(let reason): reason.error
        case .idle, .connecting, .connected, .waiting: nil
        }
    }

    /// The counters, without those of messages on their way.
    var counters: ConnectionCounters {
        var counters = counted
        counters.roundTripP50 = roundTrips.quantile(0.5)?.inMilliseconds
        counters.roundTripP95 = roundTrips.quantile(0.95)?.inMilliseconds
        counters.roundTripP99 = roundTrips.quantile(0.99)?.inMilliseconds
        return counters
    }

    /// Returns the state at an instant; `wall` is the time by the clock of this machine.
    func state(at now: Duration, wall: Timestamp) -> ConnectionState {
        switch phase {
        case .idle: .idle
        case .connecting: .connecting
        case .connected: isInRoom ? .connected : .connecting
        case .waiting(let until): .waiting(until: wall.adding(until - now))
        case .closed(let reason): .closed(reason)
        }
    }

    /// Returns the values on which the goals of waiting callers depend.
    func facts(queueDepth: Int) -> Watches.Facts {
        Watches.Facts(
            isInRoom: isInRoom, queueDepth: queueDepth, roundTrips: roundTrips.total,
            reconnects: counted.reconnects, closedError: closedError)
    }

    /// The instant of the next call of `tick`; nil for none.
    var due: Duration? {
        switch phase {
        case .connected: session.due
        case .waiting(let until): until
        case .idle, .connecting, .closed: nil
        }
    }

    mutating func makeMessageId() -> String { Identifier.v4(using: &generator).description }

    mutating func count(_ error: ClientError) { counted.count(error.kind) }

    // The calls of the user.

    mutating func start() -> [Step] {
        guard case .idle = phase else { return [] }
        phase = .connecting
        return [.report(.diagnostic(.activated)), .report(.state(.connecting))]
    }

    /// Leaves the room with a close frame.
    mutating func stop() -> [Step] {
        session.leave()
        return flush() + close(.left)
    }

    /// Says one's own status, now or once the room is entered.
    mutating func declare(_ status: MemberStatus?) -> [Step] {
        own.say(status)
        guard isInRoom else { return [] }
        send(text: OwnStatus.text(status))
        return flush()
    }

    /// Makes a waiting attempt at once, and checks a link that may be lost.
    mutating func lookAgain(at now: Duration) -> [Step] {
        switch phase {
        case .idle, .connecting, .closed: []
        case .waiting: endWait()
        case .connected: perform(session.check(at: now), at: now)
        }
    }

    // The attempts to connect.

    /// Begins an attempt; returns the values that it needs.
    mutating func attempt() -> (RoomAddress, resuming: (epoch: String, since: Int64)?, nonce: [UInt8]) {
        counted.attempts += 1
        var nonce: [UInt8] = []
        for _ in 0..<16 { nonce.append(UInt8(truncatingIfNeeded: generator.next())) }
        return (address, progress.resume, nonce)
    }

    /// Takes the event that the socket is open. Returns nil if the stay does not want it any more.
    mutating func opened() -> [Step]? {
        guard case .connecting = phase else { return nil }
        phase = .connected
        session = Session()
        return mended() + reachability(true)
    }

    /// Takes the event that the source has no other token than the refused one: the stay ends as it does
    /// without a source.
    mutating func tokenRefused() -> [Step] {
        guard case .connecting = phase, let (code, reason) = rejection.close else { return [] }
        return setHealth(.unhealthy(Suggestion(closeCode: code)))
            + close(.ended(code: code, reason: reason))
    }

    /// Returns the steps for a loss that another token has mended, if that is how the connection came about.
    private mutating func mended() -> [Step] {
        guard let (code, reason) = rejection.mended() else { return [] }
        return [.report(.event(.interrupted(reason: reason, wait: .zero))), .lost(.lost(code, reason))]
    }

    mutating func entryFailed(_ failure: EntryFailure, at now: Duration) -> [Step] {
        guard case .connecting = phase else { return [] }
        count(failure.error)
        let isWaiting =
            switch failure.error {
            // Before the first entry, the wrong server is likelier than a bad network.
            case .unexpected, .untrusted: progress.hasBeenInRoom || failure.hint != nil
            case .problem, .network, .timedOut, .badAddress, .cancelled, .queueFull, .badMessage, .storage:
                true
            }
        let reachability = reachability(failure.isReachable)
        switch failure.advice {
        case .backOff where isWaiting, .reconnect where isWaiting, .atOnce where isWaiting:
            return reachability + setHealth(.unhealthy(Suggestion(failure.error)))
                + interrupted(
                    failure.advice, hint: failure.hint, reason: failure.error.detail, failure.error, at: now)
        case .stop, .backOff, .reconnect, .atOnce:
            if case .problem(let problem) = failure.error, problem.name == .gone, progress.hasBeenInRoom {
                return reachability + close(.roomClosed)
            }
            return reachability + setHealth(.unhealthy(Suggestion(failure.error)))
                + close(.refused(failure.error))
        }
    }

    /// Pings the server, gives a silent link up, or ends a wait, if that is due.
    mutating func tick(at now: Duration) -> [Step] {
        let steps = perform(session.tick(at: now), at: now)
        guard case .waiting(let until) = phase, now >= until else { return steps }
        return steps + endWait()
    }

    private mutating func endWait() -> [Step] {
        phase = .connecting
        return [.report(.state(.connecting)), .wake]
    }

    // The connection.

    /// Sends a text with the next `flush`.
    mutating func send(text: [UInt8]) {
        counted.messagesOut += 1
        session.send(text: text)
    }

    /// Returns the output of the connection as a step.
    mutating func flush() -> [Step] {
        let bytes = session.takeOutput()
        guard !bytes.isEmpty, case .connected = phase else { return [] }
        counted.bytesOut += bytes.count
        return [.write(bytes)]
    }

    /// Reads bytes of the connection. Each event is to be handled before the next one.
    mutating func receive(_ bytes: [UInt8], at now: Duration) -> [WebSocketLink.Event] {
        counted.bytesIn += bytes.count
        return session.receive(bytes, at: now)
    }

    /// Handles an event; `wall` is the time by the clock of this machine.
    mutating func handle(_ event: WebSocketLink.Event, at now: Duration, wall: Timestamp) -> [Step] {
        guard case .connected = phase else { return [] }
        switch event {
        case .message(let bytes):
            guard let message = ServerMessage.read(bytes.span.bytes) else {
                counted.unreadableMessages += 1
                return []
            }
            if isInRoom { policy.heard() }
            guard let steps = hear(message, at: now, wall: wall) else {
                counted.duplicates += 1
                return []
            }
            return steps + [.report(.message(message))]
        case .pong(let number):
            if let time = session.answered(number, at: now) { roundTrips.add(time) }
            return []
        case .closed(let code, let reason):
            return flush() + lost(code: code, reason: reason, kind: "close:\(code)", at: now)
        }
    }

    /// Returns the steps for a message; nil if it repeats an earlier one.
    private mutating func hear(_ message: ServerMessage, at now: Duration, wall: Timestamp) -> [Step]? {
        switch message {
        case .handshake(let handshake?):
            // A connection enters the room once.
            return isInRoom ? nil : entered(handshake, at: now, wall: wall)
        case .aleResponse(let ale?):
            // The position moves before any reader gets the ale, so that no ale is reported twice.
            return progress.isNew(ale) ? [.report(.event(.ale(ale)))] : nil
        case .ack(let messageId, let seq):
            // A repeated ack has an old number.
            _ = progress.isNew(seq: seq)
            return [.acknowledged(messageId: messageId, seq: seq)]
        case .presence(let member, let present):
            return [.report(.event(.presence(member: member, present: present)))]
        case .checkIn(let member, let checkIn):
            return [.report(.event(.checkIn(member: member, checkIn: checkIn)))]
        case .outcome(let member, let outcome, let note):
            return [.report(.event(.outcome(member: member, outcome: outcome, note: note)))]
        case .status(let member, let status):
            own.heard(status, of: member)
            return [.report(.event(.status(member: member, status: status)))]
        case .members(let members):
            return [.report(.event(.members(members)))]
        case .moved(let id, let url):
            destination = (id, address.moved(to: id, url: url))
            return [.report(.event(.moved(id)))]
        case .announcement(let text, let at):
            return [.report(.event(.announcement(text: text, at: at)))]
        case .error(let code, let detail, let messageId):
            counted.count("refused:\(code)")
            return [.refused(code: code, detail: detail, messageId: messageId)]
        case .unknown:
            counted.unknownMessages += 1
            return []
        case .handshake(nil), .aleResponse(nil), .roomClosed:
            return []  // The close code says that the room closed.
        }
    }

    private mutating func entered(
        _ handshake: ServerMessage.Handshake, at now: Duration, wall: Timestamp
    ) -> [Step] {
        if progress.hasBeenInRoom { counted.reconnects += 1 }
        let isResumed = progress.entered(handshake, at: now)
        policy.connected(at: now)
        if let status = own.entered(handshake) { send(text: status) }
        let ping = perform(session.entered(pingSeconds: handshake.pingSeconds, at: now), at: now)
        let offset = handshake.now.since(wall)
        let isClockRight = max(offset, .zero - offset) < Self.clockTolerance
        return [.liftDeadline] + ping
            + [.report(.event(.connected(handshake, resumed: isResumed))), .report(.state(.connected))]
            + setHealth(isClockRight ? .healthy : .unhealthy(.checkClock))
    }

    private mutating func perform(_ step: Session.Step, at now: Duration) -> [Step] {
        switch step {
        case .nothing: []
        case .write: flush()
        case .giveUp:
            lost(code: 1006, reason: "nothing was heard of the server", kind: "halfOpen", at: now)
        }
    }

    // The end of a connection.

    /// Handles the loss of the connection by an error of its transport.
    mutating func lost(_ error: ClientError, at now: Duration) -> [Step] {
        guard case .connected = phase else { return [] }
        return lost(code: 1006, reason: error.detail, kind: error.kind, at: now)
    }

    /// Handles the loss of the connection; the close code decides the next step.
    private mutating func lost(code: UInt16, reason: String, kind: String, at now: Duration) -> [Step] {
        counted.count(kind)
        let error = ClientError.lost(code, reason)
        let isMoved = destination != nil
        if let destination {
            address = destination.address
            self.destination = nil
            progress.moved(to: destination.room)
        }
        let hint = RetryAfter.read(reason)
        let advice = CloseAdvice(code: code)
        let (hasLasted, isOver) = (policy.isStable(at: now), progress.isOver(at: now))
        if !isOver, rejection.mayMend(code: code, reason: reason, hasLasted: hasLasted) {
            (phase, session) = (.connecting, Session())
            policy.disconnected(at: now)
            return [.closeTransport, .report(.state(.connecting))]
        }
        let isUsual = advice == .atOnce || code == 1000 || isOver
        let health = isUsual ? [] : setHealth(.unhealthy(Suggestion(closeCode: code)))
        let next =
            switch advice {
            case .stop: close(code == 1000 ? .roomClosed : .ended(code: code, reason: reason))
            // Without a destination, an immediate reconnection would be a loop.
            case .atOnce: interrupted(isMoved ? .atOnce : .reconnect, reason: reason, error, at: now)
            case .backOff, .reconnect: interrupted(advice, hint: hint, reason: reason, error, at: now)
            }
        return [.closeTransport] + health + next
    }

    private mutating func interrupted(
        _ advice: CloseAdvice, hint: Duration? = nil, reason: String, _ error: ClientError, at now: Duration
    ) -> [Step] {
        session = Session()
        policy.disconnected(at: now)
        if progress.isOver(at: now) { return close(.roomClosed) }
        guard let wait = policy.wait(advice, hint: hint, using: &generator) else { return [] }
        phase = .waiting(until: now + wait)
        return [
            .report(.event(.interrupted(reason: reason, wait: wait))), .report(.waiting(wait)), .lost(error),
        ]
    }

    /// Ends the stay, with an error for waiting messages.
    private mutating func close(_ reason: CloseReason) -> [Step] {
        if case .closed = phase { return [] }
        phase = .closed(reason)
        session = Session()
        return [
            .closeTransport, .report(.diagnostic(.deactivated(reason: reason.kind))),
            .report(.event(.closed(reason))), .report(.state(.closed(reason))), .end(reason.error),
        ]
    }

    // The condition of the connection.

    private mutating func setHealth(_ health: Health) -> [Step] {
        guard health != self.health else { return [] }
        self.health = health
        return [.report(.health(health)), .report(.diagnostic(.healthChanged(health)))]
    }

    private mutating func reachability(_ isReachable: Bool?) -> [Step] {
        guard let isReachable, isReachable != self.isReachable else { return [] }
        self.isReachable = isReachable
        return [.report(.diagnostic(.reachabilityChanged(isReachable: isReachable)))]
    }
}
