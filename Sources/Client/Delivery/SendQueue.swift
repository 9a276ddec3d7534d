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

    /// The instant of the next resend, end of a pause, or deadline of a caller; nil for none.
    var due: Duration? {
        let resend = flights.values.compactMap(\.sentAt).min().map { $0 + configuration.resendInterval }
        return [pausedUntil ?? resend, waiters.map(\.deadline).min()].compactMap(\.self).min()
    }

    // The messages that come and go.

    /// Takes a message, and returns the result that its sender waits for. `isInRoom` tells whether it can be
    /// sent now; `closedError` is set once it never can.
    ///
    /// A queued message is appended here after it was appended to the file, if there is one. Throws as
    /// `OutgoingQueue.append` and `replaceLatest` do.
    mutating func send(
        _ message: OutgoingMessage, by strategy: DeliveryStrategy, onDisk appended: DiskQueue.Appended? = nil,
        isInRoom: Bool, closedError: ClientError? = nil, until deadline: Duration, at now: Duration
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
            flights[id] = nil
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

    /// Answers the callers whose deadline has passed, and ends a pause.
    mutating func expire(at now: Duration) -> [Step] {
        if let pausedUntil, now >= pausedUntil { self.pausedUntil = nil }
        let expired = waiters.filter { now >= $0.deadline }
        waiters.removeAll { now >= $0.deadline }
        return expired.map { waiter in
            let isQueued = messages.contains { $0.id == waiter.messageId }
            if !isQueued { flights[waiter.messageId] = nil }
            return .answer(waiter.result, isQueued ? .success(.queued) : .failure(.timedOut))
        }
    }

    // The messages in flight.

    /// Sends the messages that may be sent now, in order, for the first time or again.
    mutating func fill(at now: Duration) -> [Step] {
        if let pausedUntil, now < pausedUntil { return [] }
        pausedUntil = nil
        let tooOld = now - configuration.resendInterval
        var steps: [Step] = []
        for flight in flights.values where flight.route == .live {
            guard let sentAt = flight.sentAt, sentAt <= tooOld else { continue }
            steps.append(transmit(flight.message, .live, at: now))
        }
        var aloft = flights.values.count { $0.sentAt != nil }
        for (waiting, route) in [(queue, DeliveryRoute.queue), (latest, .latest)] {
            for message in waiting.messages.prefix(configuration.window) {
                if let sentAt = flights[message.id]?.sentAt {
                    if sentAt <= tooOld { steps.append(transmit(message, route, at: now)) }
                } else if aloft < configuration.window {
                    aloft += 1
                    steps.append(transmit(message, route, at: now))
                }
            }
        }
        return steps
    }

    private mutating func transmit(
        _ message: OutgoingMessage, _ route: DeliveryRoute, at now: Duration
    ) -> Step {
        let firstSentAt = flights[message.id]?.firstSentAt ?? now
        flights[message.id] = Flight(message: message, route: route, firstSentAt: firstSentAt, sentAt: now)
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
        let willRetry = isRate && flight.route != .live
        let error: ClientError =
            isRate ? .problem(Problem(.tooManyRequests, detail: detail)) : .unexpected(detail)
        let report = Step.report(Self.failure(flight.message, error, willRetry: willRetry))
        guard willRetry else {
            return [report] + settle(id, flight.route) + forget(id, .failure(error)) + [event]
        }
        flights[id]?.sentAt = nil
        pausedUntil = now + configuration.ratePause
        return [report]
    }

    /// Ends the flights of a lost connection: messages that may wait are sent again on the next one, if there
    /// is one; others fail.
    mutating func land(_ error: ClientError, isFinal: Bool) -> [Step] {
        var steps: [Step] = []
        for (id, flight) in flights {
            let willRetry = !isFinal && flight.route != .live
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
        if isFinal { pausedUntil = nil }
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

    /// Removes the flight of a message, which is not sent again, and answers its callers.
    private mutating func forget(_ id: String, _ result: Result<Delivery, ClientError>) -> [Step] {
        flights[id] = nil
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
