import Contract

extension RoomConnection {
    /// The number of messages that wait to be sent or acknowledged, in both queues.
    public var queueDepth: Int { queue.count + latest.count }

    /// The messages that wait to be sent or acknowledged.
    public var queuedMessages: [OutgoingMessage] { queue.messages + latest.messages }

    /// Sends a message by that strategy, until it is acknowledged; it takes effect once, however often it is
    /// sent.
    ///
    /// `liveOnly`, `liveElseQueued` and `liveElseLatest` wait for the acknowledgement if there is a
    /// connection; if that is lost meanwhile the first throws (the message may have arrived all the same),
    /// and the other two return `queued`. Throws `network` if there is no connection and the message may not
    /// wait, `timedOut` if no acknowledgement comes, `queueFull`, `badMessage`, `storage`, the problem
    /// `too-many-requests` if the server drops the message for its rate, `unexpected` if the server refuses
    /// it, and `CloseReason.error` once the connection is closed.
    @discardableResult
    public func send(
        _ message: OutgoingMessage, by strategy: DeliveryStrategy = .liveElseQueued
    ) async throws(ClientError) -> Delivery {
        try check(message)
        switch strategy {
        case .liveOnly: return try await sendLive(message, patience: configuration.acknowledgementTimeout)
        case .liveElseQueued:
            try await enqueue(message)
            if let closedError { throw closedError }
            return progress.isInRoom ? try await acknowledgement(of: message) : fallBack(message, to: .queue)
        case .liveElseLatest:
            guard progress.isInRoom else {
                try keepLatest(message)
                return fallBack(message, to: .latest)
            }
            // The message is sent now, so it replaces no other.
            for message in try latest.append(message) { drop(message, .queueFull(limit: latest.limit)) }
            queued(message)
            return try await acknowledgement(of: message)
        case .queuedOnly:
            try await enqueue(message)
            return .queued
        case .latestOnly:
            try keepLatest(message)
            return .queued
        case .fireAndForget:
            return fire(message)
        }
    }

    /// Queues an ale, and sends it now or when the connection is back, until it is acknowledged. Returns its
    /// messageId; nil if the queue is full, or the connection is closed.
    @discardableResult
    public func cheer() async -> String? {
        let message = OutgoingMessage.ale(id: Identifier.v4(using: &generator).description)
        do throws(ClientError) {
            try check(message)
            try await enqueue(message)
            return message.id
        } catch {
            tell(.deliveryFailed(type: message.type, error: error.kind, willRetry: false))
            return nil
        }
    }

    /// Waits until the room is entered, and sends the message until it is acknowledged, within that number of
    /// attempts and that time. Returns its number. Throws the last attempt's error, or `timedOut`.
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
                guard case .acknowledged(let seq) = try await sendLive(message, patience: patience) else {
                    continue
                }
                return seq
            } catch {
                let rest = deadline - clock.now()
                guard error.isTransient, rest > .zero, tried < attempts else { throw error }
                if case .problem = error { try await pause(min(configuration.ratePause, rest)) }
            }
        }
    }

    /// Cancels a queued message, and returns whether it was queued. It may have been sent.
    @discardableResult
    public func cancel(_ messageId: String) async throws(ClientError) -> Bool {
        defer { checkWatches() }
        forget(messageId, .failure(.cancelled))
        let wasLatest = try latest.cancel(messageId)
        return try await queue.cancel(messageId) || wasLatest
    }

    /// Cancels all queued messages, and returns their number.
    @discardableResult
    public func cancelAll() async throws(ClientError) -> Int {
        defer { checkWatches() }
        for message in queuedMessages { forget(message.id, .failure(.cancelled)) }
        let latestCount = try latest.cancelAll()
        let cancelled = try await queue.cancelAll()
        // Some messages may have been on their way into the file.
        for message in cancelled { forget(message.id, .failure(.cancelled)) }
        return cancelled.count + latestCount
    }

    // The delivery strategies.

    private func check(_ message: OutgoingMessage) throws(ClientError) {
        if let closedError { throw closedError }
        guard message.text.count <= Limits.clientMessageBytes else {
            throw .badMessage("A message has at most \(Limits.clientMessageBytes) bytes.")
        }
    }

    private func sendLive(
        _ message: OutgoingMessage, patience: Duration
    ) async throws(ClientError) -> Delivery {
        guard case .connected(let transport) = phase, progress.isInRoom else {
            let error = closedError ?? .network("There is no connection to the room now.")
            tell(.deliveryFailed(type: message.type, error: error.kind, willRetry: false))
            throw error
        }
        transmit(message, .live)
        write(to: transport)
        return try await acknowledgement(of: message, patience: patience)
    }

    private func fire(_ message: OutgoingMessage) -> Delivery {
        guard case .connected(let transport) = phase, progress.isInRoom else {
            tell(.fallbackUsed(type: message.type, from: .live, to: .dropped))
            return .dropped
        }
        counted.messagesOut += 1
        link.send(text: message.text)
        write(to: transport)
        tell(.sent(type: message.type, duration: .zero))
        return .sent
    }

    private func enqueue(_ message: OutgoingMessage) async throws(ClientError) {
        let dropped = try await queue.append(message)
        for message in dropped { drop(message, .queueFull(limit: configuration.queueLimit)) }
        queued(message)
    }

    private func keepLatest(_ message: OutgoingMessage) throws(ClientError) {
        let replaced = try latest.replaceLatest(message)
        for message in replaced { drop(message, .cancelled) }
        queued(message)
    }

    private func queued(_ message: OutgoingMessage) {
        tell(.queued(type: message.type, depth: queueDepth))
        if case .connected(let transport) = phase { send(to: transport) }
    }

    private func drop(_ message: OutgoingMessage, _ error: ClientError) {
        tell(.deliveryFailed(type: message.type, error: error.kind, willRetry: false))
        forget(message.id, .failure(error))
    }

    private func fallBack(_ message: OutgoingMessage, to route: DeliveryRoute) -> Delivery {
        tell(.fallbackUsed(type: message.type, from: .live, to: route))
        return .queued
    }

    private func pause(_ wait: Duration) async throws(ClientError) {
        let end = clock.now() + wait
        do { try await clock.sleep(end) } catch { throw .cancelled }
    }
}
