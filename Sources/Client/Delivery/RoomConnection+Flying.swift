import Contract
import Reactor

extension RoomConnection {
    /// Sends the waiting messages that may be sent now, and writes the output.
    func send(to transport: Transport) {
        fill()
        write(to: transport)
    }

    private func fill() {
        guard progress.isInRoom else { return }
        let now = clock.now()
        if let pausedUntil {
            guard now >= pausedUntil else { return arm(at: pausedUntil) }
            self.pausedUntil = nil
        }
        let tooOld = now - configuration.resendInterval
        for flight in flights.flying.values where flight.route == .live && flights.isOld(flight, tooOld) {
            transmit(flight.message, .live)
        }
        fill(queue.messages.prefix(configuration.window), .queue, tooOld)
        fill(latest.messages.prefix(configuration.window), .latest, tooOld)
        if let due = flights.due(configuration) { arm(at: due) }
    }

    /// Sends messages in their order, also repeated ones.
    private func fill(
        _ messages: ArraySlice<OutgoingMessage>, _ route: DeliveryRoute, _ tooOld: Duration
    ) {
        for message in messages {
            if let flight = flights.flying[message.id], flight.sentAt != nil {
                if flights.isOld(flight, tooOld) { transmit(message, route) }
            } else if flights.aloft < configuration.window {
                transmit(message, route)
            }
        }
    }

    func transmit(_ message: OutgoingMessage, _ route: DeliveryRoute) {
        counted.messagesOut += 1
        flights.sent(message, route, at: clock.now())
        link.send(text: message.text)
    }

    /// Waits for the outcome of a message.
    func acknowledgement(
        of message: OutgoingMessage, patience: Duration? = nil
    ) async throws(ClientError) -> Delivery {
        let deadline = clock.now() + (patience ?? configuration.acknowledgementTimeout)
        let number = flights.makeNumber()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<Delivery, ClientError>, Never>) in
                if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
                flights.add(
                    .init(messageId: message.id, continuation: continuation, deadline: deadline), number)
                arm(at: deadline)
            }
        } onCancel: {
            loop.execute {
                self.assumeIsolated {
                    $0.flights.removeWaiter(number)?.continuation.resume(returning: .failure(.cancelled))
                }
            }
        }
        return try result.get()
    }

    func acknowledged(_ messageId: String, _ seq: Int64) {
        // The server acknowledges each copy of a message.
        guard let flight = flights.remove(messageId) else { return }
        counted.acknowledged += 1
        settle(messageId, flight.route)
        eventBroadcast.publish(.acknowledged(messageId: messageId, seq: seq))
        tell(.sent(type: flight.message.type, duration: clock.now() - flight.firstSentAt))
        answer(messageId, .success(.acknowledged(seq: seq)))
        if flight.route != .live {
            sentFromQueue += 1
            if queueDepth == 0 {
                tell(.queueFlushed(count: sentFromQueue))
                sentFromQueue = 0
            }
        }
        checkWatches()
    }

    /// Handles an error of the server about one of our messages.
    func refused(_ code: String, _ detail: String, _ messageId: String?) {
        counted.count("refused:\(code)")
        guard let messageId, let flight = flights.flying[messageId] else {
            eventBroadcast.publish(.refused(code: code, detail: detail, messageId: messageId))
            return
        }
        let isRate = code == SocketErrorCode.rateLimited.rawValue
        let willRetry = isRate && flight.route != .live
        let error: ClientError =
            isRate ? .problem(Problem(.tooManyRequests, detail: detail)) : .unexpected(detail)
        if willRetry {
            flights.land(messageId)
            pausedUntil = clock.now() + configuration.ratePause
        }
        // The pause begins before this is told, so that readers find it begun.
        tell(.deliveryFailed(type: flight.message.type, error: error.kind, willRetry: willRetry))
        if willRetry { return }
        settle(messageId, flight.route)
        forget(messageId, .failure(error))
        eventBroadcast.publish(.refused(code: code, detail: detail, messageId: messageId))
        checkWatches()
    }

    /// Ends the flights of a lost connection: messages that may wait are sent again on the next one; others
    /// fail.
    func landFlights() {
        let error = closedError ?? lastFailure ?? .network("The connection to the room was lost.")
        let isClosed = closedError != nil
        for flight in flights.flying.values {
            let id = flight.message.id
            let willRetry = !isClosed && flight.route != .live
            if flight.sentAt != nil {
                tell(.deliveryFailed(type: flight.message.type, error: error.kind, willRetry: willRetry))
            }
            guard willRetry else {
                forget(id, .failure(error))
                continue
            }
            flights.land(id)
        }
        // The loop includes waiters whose message has not been sent yet.
        for (number, waiter) in flights.waiters {
            _ = flights.removeWaiter(number)
            if !isClosed, let flight = flights.flying[waiter.messageId] {
                tell(.fallbackUsed(type: flight.message.type, from: .live, to: flight.route))
            }
            waiter.continuation.resume(returning: isClosed ? .failure(error) : .success(.queued))
        }
    }

    /// Resumes the waiters whose deadline has passed.
    func expireFlights(at now: Duration) {
        for (number, waiter) in flights.waiters where now >= waiter.deadline {
            _ = flights.removeWaiter(number)
            let isQueued = queuedMessages.contains { $0.id == waiter.messageId }
            if !isQueued { _ = flights.remove(waiter.messageId) }
            waiter.continuation.resume(returning: isQueued ? .success(.queued) : .failure(.timedOut))
        }
    }

    /// Removes the flight of a message, which is not sent again, and gives its waiters the result.
    func forget(_ messageId: String, _ result: Result<Delivery, ClientError>) {
        _ = flights.remove(messageId)
        answer(messageId, result)
    }

    private func answer(_ messageId: String, _ result: Result<Delivery, ClientError>) {
        for number in flights.waiters(for: messageId) {
            flights.removeWaiter(number)?.continuation.resume(returning: result)
        }
    }

    /// Removes a message from its queue. If the disk does not record that, a later process sends it again,
    /// which its messageId makes harmless.
    private func settle(_ messageId: String, _ route: DeliveryRoute) {
        do throws(ClientError) {
            switch route {
            case .queue: try queue.acknowledge(messageId) { [weak self] error in self?.settlingFailed(error) }
            case .latest: try latest.acknowledge(messageId)
            case .live, .dropped: break
            }
        } catch {
            counted.count(error.kind)
        }
    }

    private nonisolated func settlingFailed(_ error: ClientError) {
        loop.execute { self.assumeIsolated { $0.counted.count(error.kind) } }
    }
}
