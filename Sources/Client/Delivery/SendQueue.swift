import Contract

/// The messages of a connection until they are settled: those that wait, those in flight, and the callers
/// that wait for their outcome. It knows neither the network nor the disk: each input returns what to do, in
/// order. Instants are a `ClientClock`'s.
struct SendQueue: Sendable {
    enum Step: Equatable, Sendable {
        case report(ConnectionFeeds.Report)
        case transmit(OutgoingMessage)
        /// The queue's file has to forget that message. If the disk does not record that, a later process
        /// sends the message again, which its messageId makes harmless.
        case settleOnDisk(id: String)
        case answer(PendingResult<Delivery>, Result<Delivery, ClientError>)
    }

    private struct Flight {
        let message: OutgoingMessage
        let route: DeliveryRoute
        let firstSentAt: Duration
        /// The instant of the latest sending on the current connection; nil if there was none.
        var sentAt: Duration?
    }

    /// How long and how often a message is worth sending.
    private struct Bound {
        let policy: RetryPolicy
        /// The instant at which the message is given up; nil for never.
        let deadline: Duration?
        /// The number of times that it was sent.
        var sent = 0

        var isSpent: Bool { sent >= policy.attempts }
    }

    private struct Waiter {
        let messageId: String
        let deadline: Duration
        let result: PendingResult<Delivery>
    }

    private let configuration: ConnectionConfiguration
    /// The messages that wait in order. With a file they may lag behind it, and the file's limit applies.
    private var queue: OutgoingQueue
    /// The messages of which only the latest of a type waits.
    private var latest: OutgoingQueue
    /// The messages that were sent and are neither acknowledged nor given up.
    private var flights: [String: Flight] = [:]
    /// The bounds of the messages that have one, by messageId.
    private var bounds: [String: Bound] = [:]
    private var waiters: [Waiter] = []
    /// The instant before which nothing is sent.
    private var pausedUntil: Duration?
    /// The number of messages sent since the queue was last empty.
    private var sentSinceEmpty = 0
    /// The number of messages that the server has acknowledged.
    private(set) var acknowledged = 0

    /// Makes a queue with the messages of its file; `recovered` is nil without a file.
    init(_ configuration: ConnectionConfiguration, recovered: [OutgoingMessage]?) throws(ClientError) {
        let limit = configuration.queueLimit
        self.configuration = configuration
        latest = try OutgoingQueue(limit: limit, overflow: .dropOldest)
        if let recovered {
            queue = OutgoingQueue(recovered: recovered)
        } else {
            queue = try OutgoingQueue(limit: limit, overflow: configuration.queueOverflow)
        }
    }

    /// The number of messages that wait to be sent or acknowledged.
    var count: Int { queue.count + latest.count }

    /// The messages that wait to be sent or acknowledged.
    var messages: [OutgoingMessage] { queue.messages + latest.messages }

    /// The instant of the next resend, end of a pause, or deadline of a caller or message; nil for none.
    var due: Duration? {
        let resend = flights.values.compactMap { resendTime(of: $0) }.min()
        let deadlines = waiters.map(\.deadline) + bounds.values.compactMap(\.deadline)
        return [pausedUntil ?? resend, deadlines.min()].compactMap(\.self).min()
    }

    /// Returns the instant at which a message is sent again, or given up; nil if it is not in flight.
    private func resendTime(of flight: Flight) -> Duration? {
        let pause = bounds[flight.message.id]?.policy.pause ?? .zero
        return flight.sentAt.map { $0 + max(configuration.resendInterval, pause) }
    }

    // The messages that come and go.

    /// Takes a message, and returns the result that its sender waits for. `isInRoom` tells whether it can be
    /// sent now; `closedError` is set once it never can.
    ///
    /// A queued message is appended here after it was appended to the file, if there is one. `policy` bounds
    /// its sending from now on. Throws as `OutgoingQueue.append` and `replaceLatest` do.
    mutating func send(
        _ message: OutgoingMessage, by strategy: DeliveryStrategy, retrying policy: RetryPolicy? = nil,
        onDisk appended: DiskQueue.Appended? = nil, isInRoom: Bool, closedError: ClientError? = nil,
        until deadline: Duration, at now: Duration
    ) throws(ClientError) -> (result: PendingResult<Delivery>, steps: [Step]) {
        bounds[message.id] = policy.map { Bound(policy: $0, deadline: $0.total.map { now + $0 }) }
        defer { if !isUnsettled(message.id) { bounds[message.id] = nil } }
        return try take(
            message, by: strategy, onDisk: appended, isInRoom: isInRoom, closedError: closedError,
            until: deadline, at: now)
    }

    private mutating func take(
        _ message: OutgoingMessage, by strategy: DeliveryStrategy, onDisk appended: DiskQueue.Appended?,
        isInRoom: Bool, closedError: ClientError?, until deadline: Duration, at now: Duration
    ) throws(ClientError) -> (result: PendingResult<Delivery>, steps: [Step]) {
        let result = PendingResult<Delivery>()
        func answered(_ steps: [Step], _ answer: Result<Delivery, ClientError>) -> (
            result: PendingResult<Delivery>, steps: [Step]
        ) { (result, steps + [.answer(result, answer)]) }

        let steps: [Step]
        let fallback: DeliveryRoute
        switch strategy {
        case .queuedOnly: return answered(try append(message, onDisk: appended), .success(.queued))
        case .latestOnly: return answered(try keepLatest(message), .success(.queued))
        case .fireAndForget:
            guard isInRoom else {
                return answered([Self.fallback(message, to: .dropped)], .success(.dropped))
            }
            let sent = Diagnostic.Event.sent(type: message.type, duration: .zero)
            return answered([.transmit(message), .report(.diagnostic(sent))], .success(.sent))
        case .liveOnly:
            guard isInRoom else {
                let error = closedError ?? .network("There is no connection to the room now.")
                return answered([.report(Self.failure(message, error))], .failure(error))
            }
            steps = [transmit(message, .live, at: now)]
            fallback = .dropped
        case .liveElseQueued:
            steps = try append(message, onDisk: appended)
            fallback = .queue
        case .liveElseLatest:
            // A message that is sent now replaces no other.
            steps = try isInRoom ? appendLatest(message) : keepLatest(message)
            fallback = .latest
        }
        // The connection may have been closed while the disk was waited for.
        if let closedError { return answered(steps, .failure(closedError)) }
        guard isInRoom else {
            return answered(steps + [Self.fallback(message, to: fallback)], .success(.queued))
        }
        waiters.append(Waiter(messageId: message.id, deadline: deadline, result: result))
        return (result, steps)
    }

    /// Records that a sender does not wait any more. A message that is sent for no longer than that is not
    /// sent again.
    mutating func abandon(_ result: PendingResult<Delivery>) {
        guard let index = waiters.firstIndex(where: { $0.result == result }) else { return }
        let id = waiters.remove(at: index).messageId
        if flights[id]?.route == .live && !waiters.contains(where: { $0.messageId == id }) {
            (flights[id], bounds[id]) = (nil, nil)
        }
    }

    /// Cancels a message, and returns whether it waited.
    mutating func cancel(_ id: String) -> (wasQueued: Bool, steps: [Step]) {
        let wasLatest = remove(id, from: \.latest)
        return (remove(id, from: \.queue) || wasLatest, forget(id, .failure(.cancelled)))
    }

    /// Cancels a message that has come into the file meanwhile. Another one of this id, which was sent since,
    /// goes on.
    mutating func cancelStored(_ id: String) -> [Step] {
        remove(id, from: \.queue) ? forget(id, .failure(.cancelled)) : []
    }

    /// Gives up the messages whose bound is reached, answers the callers whose deadline has passed, and ends
    /// a pause.
    mutating func expire(at now: Duration) -> [Step] {
        if let pausedUntil, now >= pausedUntil { self.pausedUntil = nil }
        let late = bounds.filter { id, bound in
            let answer = bound.isSpent ? flights[id].flatMap { resendTime(of: $0) } : nil
            return [bound.deadline, answer].contains { $0.map { now >= $0 } ?? false }
        }
        let givenUp = late.keys.sorted().flatMap { giveUp($0, .timedOut) }
        let expired = waiters.filter { now >= $0.deadline }
        waiters.removeAll { now >= $0.deadline }
        return givenUp
            + expired.map { waiter in
                let (id, isQueued) = (waiter.messageId, isQueued(waiter.messageId))
                if !isQueued { (flights[id], bounds[id]) = (nil, nil) }
                return .answer(waiter.result, isQueued ? .success(.queued) : .failure(.timedOut))
            }
    }

    // The messages in flight.

    /// Sends the messages that may be sent now, in order, for the first time or again.
    mutating func fill(at now: Duration) -> [Step] {
        if let pausedUntil, now < pausedUntil { return [] }
        pausedUntil = nil
        var steps: [Step] = []
        for flight in flights.values where flight.route == .live && isDue(flight, at: now) {
            steps.append(transmit(flight.message, .live, at: now))
        }
        var aloft = flights.values.count { $0.sentAt != nil }
        for (waiting, route) in [(queue, DeliveryRoute.queue), (latest, .latest)] {
            for message in waiting.messages.prefix(configuration.window) {
                if let flight = flights[message.id], flight.sentAt != nil {
                    if isDue(flight, at: now) { steps.append(transmit(message, route, at: now)) }
                } else if aloft < configuration.window, isWorthSending(message.id, at: now) {
                    aloft += 1
                    steps.append(transmit(message, route, at: now))
                }
            }
        }
        return steps
    }

    private func isDue(_ flight: Flight, at now: Duration) -> Bool {
        resendTime(of: flight).map { now >= $0 } ?? false && isWorthSending(flight.message.id, at: now)
    }

    private func isWorthSending(_ id: String, at now: Duration) -> Bool {
        bounds[id].map { !$0.isSpent && $0.deadline.map { now < $0 } ?? true } ?? true
    }

    private mutating func transmit(
        _ message: OutgoingMessage, _ route: DeliveryRoute, at now: Duration
    ) -> Step {
        let firstSentAt = flights[message.id]?.firstSentAt ?? now
        flights[message.id] = Flight(message: message, route: route, firstSentAt: firstSentAt, sentAt: now)
        bounds[message.id]?.sent += 1
        return .transmit(message)
    }

    /// Settles a message that the server has acknowledged.
    mutating func acknowledged(_ id: String, seq: Int64, at now: Duration) -> [Step] {
        // The server acknowledges each copy of a message.
        guard let flight = flights[id] else { return [] }
        acknowledged += 1
        var steps = settle(id, flight.route)
        let duration = now - flight.firstSentAt
        steps.append(.report(.event(.acknowledged(messageId: id, seq: seq))))
        steps.append(.report(.diagnostic(.sent(type: flight.message.type, duration: duration))))
        steps += forget(id, .success(.acknowledged(seq: seq)))
        if flight.route != .live {
            sentSinceEmpty += 1
            if count == 0 {
                steps.append(.report(.diagnostic(.queueFlushed(count: sentSinceEmpty))))
                sentSinceEmpty = 0
            }
        }
        return steps
    }

    /// Handles an error of the server, about one of our messages if there is an id.
    mutating func refused(_ code: String, _ detail: String, _ id: String?, at now: Duration) -> [Step] {
        let event = Step.report(.event(.refused(code: code, detail: detail, messageId: id)))
        guard let id, let flight = flights[id] else { return [event] }
        let isRate = code == SocketErrorCode.rateLimited.rawValue
        let willRetry = isRate && flight.route != .live && isWorthSending(id, at: now)
        let words = Text(english: detail)
        let error: ClientError =
            isRate ? .problem(Problem(.tooManyRequests, detail: words)) : .unexpected(words)
        let report = Step.report(Self.failure(flight.message, error, willRetry: willRetry))
        guard willRetry else {
            return [report] + settle(id, flight.route) + forget(id, .failure(error)) + [event]
        }
        flights[id]?.sentAt = nil
        pausedUntil = now + configuration.ratePause
        return [report]
    }

    /// Ends the flights of a lost connection: messages that may wait are sent again on the next one, if there
    /// is one and they are worth it; others fail.
    mutating func land(_ error: ClientError, isFinal: Bool) -> [Step] {
        var steps: [Step] = []
        for (id, flight) in flights {
            let willRetry = !isFinal && flight.route != .live
            if willRetry && bounds[id]?.isSpent ?? false {
                steps += giveUp(id, error)
                continue
            }
            if flight.sentAt != nil {
                steps.append(.report(Self.failure(flight.message, error, willRetry: willRetry)))
            }
            if willRetry {
                flights[id]?.sentAt = nil
            } else {
                steps += forget(id, .failure(error))
            }
        }
        // The loop includes callers whose message has not been sent yet.
        for waiter in waiters {
            if !isFinal, let flight = flights[waiter.messageId] {
                steps.append(Self.fallback(flight.message, to: flight.route))
            }
            steps.append(.answer(waiter.result, isFinal ? .failure(error) : .success(.queued)))
        }
        waiters = []
        if isFinal { (pausedUntil, bounds) = (nil, [:]) }
        return steps
    }

    // The parts of the steps.

    /// Returns the report of a message that was not delivered.
    static func failure(
        _ message: OutgoingMessage, _ error: ClientError, willRetry: Bool = false
    ) -> ConnectionFeeds.Report {
        .diagnostic(.deliveryFailed(type: message.type, error: error.kind, willRetry: willRetry))
    }

    private static func fallback(_ message: OutgoingMessage, to route: DeliveryRoute) -> Step {
        .report(.diagnostic(.fallbackUsed(type: message.type, from: .live, to: route)))
    }

    private mutating func append(
        _ message: OutgoingMessage, onDisk appended: DiskQueue.Appended?
    ) throws(ClientError) -> [Step] {
        let dropped: [OutgoingMessage]
        if let appended {
            // A message that was settled meanwhile was not dropped.
            dropped = appended.dropped.filter { remove($0.id, from: \.queue) }
            if appended.isNew { try queue.append(message) }
        } else {
            dropped = try queue.append(message)
        }
        return queued(message, insteadOf: dropped, .queueFull(limit: configuration.queueLimit))
    }

    private mutating func appendLatest(_ message: OutgoingMessage) throws(ClientError) -> [Step] {
        let dropped = try latest.append(message)
        return queued(message, insteadOf: dropped, .queueFull(limit: latest.limit))
    }

    private mutating func keepLatest(_ message: OutgoingMessage) throws(ClientError) -> [Step] {
        let replaced = try latest.replaceLatest(message)
        return queued(message, insteadOf: replaced, .cancelled)
    }

    private mutating func queued(
        _ message: OutgoingMessage, insteadOf dropped: [OutgoingMessage], _ error: ClientError
    ) -> [Step] {
        let failed = dropped.flatMap { [.report(Self.failure($0, error))] + forget($0.id, .failure(error)) }
        return failed + [.report(.diagnostic(.queued(type: message.type, depth: count)))]
    }

    /// Ends a message that is not worth sending any more.
    private mutating func giveUp(_ id: String, _ error: ClientError) -> [Step] {
        guard let message = flights[id]?.message ?? messages.first(where: { $0.id == id }) else { return [] }
        let waiting = queue.messages.contains { $0.id == id } ? DeliveryRoute.queue : .latest
        return [.report(Self.failure(message, error))] + settle(id, flights[id]?.route ?? waiting)
            + forget(id, .failure(error)) + [.report(.event(.givenUp(messageId: id)))]
    }

    private func isQueued(_ id: String) -> Bool { messages.contains { $0.id == id } }

    /// Whether a message may still be sent, or waits for its acknowledgement.
    private func isUnsettled(_ id: String) -> Bool { flights[id] != nil || isQueued(id) }

    /// Removes the flight of a message, which is not sent again, and answers its callers.
    private mutating func forget(_ id: String, _ result: Result<Delivery, ClientError>) -> [Step] {
        (flights[id], bounds[id]) = (nil, nil)
        let answered = waiters.filter { $0.messageId == id }
        waiters.removeAll { $0.messageId == id }
        return answered.map { .answer($0.result, result) }
    }

    /// Removes a message that is not sent again from its queue.
    private mutating func settle(_ id: String, _ route: DeliveryRoute) -> [Step] {
        switch route {
        case .queue:
            _ = remove(id, from: \.queue)
            return [.settleOnDisk(id: id)]
        case .latest:
            _ = remove(id, from: \.latest)
            return []
        case .live, .dropped:
            return []
        }
    }

    /// Removes a message, and returns whether it was there. Queues in memory have no disk that could fail.
    private mutating func remove(_ id: String, from queue: WritableKeyPath<Self, OutgoingQueue>) -> Bool {
        (try? self[keyPath: queue].cancel(id)) ?? false
    }
}
