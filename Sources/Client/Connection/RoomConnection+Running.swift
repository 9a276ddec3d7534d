import Contract

extension RoomConnection {
    /// Drives the connection from the start to the end, as its only task.
    func run() async {
        while true {
            switch phase {
            case .connecting: await enter()
            case .connected(let transport): await read(transport)
            case .waiting: await sleep()
            case .idle, .closed: return
            }
        }
    }

    private func enter() async {
        counted.attempts += 1
        var nonce: [UInt8] = []
        for _ in 0..<16 { nonce.append(UInt8(truncatingIfNeeded: generator.next())) }
        let door = RoomDoor(loop: loop, timeout: configuration.timeout, trust: trust)
        do throws(EntryFailure) {
            let (transport, remainder) = try await door.open(
                address, resuming: progress.resume, nonce: nonce)
            guard case .connecting = phase else { return close(transport) }
            phase = .connected(transport)
            link = WebSocketLink()
            reachabilityChanged(true)
            receive(remainder, transport)
        } catch {
            if case .connecting = phase { entryFailed(error) }
        }
    }

    private func entryFailed(_ failure: EntryFailure) {
        counted.count(failure.error.kind)
        lastFailure = failure.error
        reachabilityChanged(failure.isReachable)
        let isWaiting =
            switch failure.error {
            // Before the first entry, the wrong server is likelier than a bad network.
            case .unexpected, .untrusted: progress.hasBeenInRoom || failure.hint != nil
            case .problem, .network, .timedOut, .badAddress, .cancelled, .queueFull, .badMessage, .storage:
                true
            }
        let suggestion = Suggestion(failure.error)
        switch failure.advice {
        case .backOff where isWaiting, .reconnect where isWaiting, .atOnce where isWaiting:
            setHealth(.unhealthy(suggestion))
            interrupted(failure.advice, hint: failure.hint, reason: failure.error.detail)
        case .stop, .backOff, .reconnect, .atOnce:
            if case .problem(let problem) = failure.error, problem.name == .gone, progress.hasBeenInRoom {
                return close(.roomClosed)
            }
            setHealth(.unhealthy(suggestion))
            close(.refused(failure.error))
        }
    }

    private func read(_ transport: Transport) async {
        let bytes: [UInt8]?
        let failure: ClientError
        do throws(ClientError) {
            bytes = try await transport.read()
            failure = .network("The server closed the connection.")
        } catch {
            bytes = nil
            failure = error
        }
        // The transport may have been given up meanwhile.
        guard case .connected(let current) = phase, current === transport else { return close(transport) }
        if let bytes { return receive(bytes, transport) }
        lost(transport, code: 1006, reason: failure.detail, kind: failure.kind)
    }

    private func sleep() async {
        await withCheckedContinuation { continuation in
            guard case .waiting(let until) = phase, clock.now() < until else {
                continuation.resume()
                return tryNow()
            }
            sleeper = continuation
            arm(at: until)
        }
    }

    /// Ends the wait for the next attempt.
    func tryNow() {
        guard case .waiting = phase else { return }
        phase = .connecting
        stateBroadcast.publish(.connecting)
        wake()
    }

    /// Handles the loss of the connection; the close code decides the next step.
    func lost(_ transport: Transport, code: UInt16, reason: String, kind: String) {
        close(transport)
        counted.count(kind)
        lastFailure = .network("The connection to the room was lost (\(code) \(reason)).")
        let isMoved = destination != nil
        if let destination {
            address = destination
            self.destination = nil
            progress.moved()
        }
        let hint = RetryAfter.read(reason)
        let advice = CloseAdvice(code: code)
        let isUsual = advice == .atOnce || code == 1000 || progress.isOver(at: clock.now())
        if !isUsual { setHealth(.unhealthy(Suggestion(closeCode: code))) }
        switch advice {
        case .stop: close(code == 1000 ? .roomClosed : .ended(code: code, reason: reason))
        // Without a destination, an immediate reconnection would be a loop.
        case .atOnce: interrupted(isMoved ? .atOnce : .reconnect, reason: reason)
        case .backOff, .reconnect: interrupted(advice, hint: hint, reason: reason)
        }
    }

    private func interrupted(_ advice: CloseAdvice, hint: Duration? = nil, reason: String) {
        let now = clock.now()
        progress.disconnected()
        policy.disconnected(at: now)
        heartbeat = nil
        if progress.isOver(at: now) { return close(.roomClosed) }
        guard let wait = policy.wait(advice, hint: hint, using: &generator) else { return }
        phase = .waiting(until: now + wait)
        eventBroadcast.publish(.interrupted(reason: reason, wait: wait))
        stateBroadcast.publish(.waiting(until: clock.wall.adding(wait)))
        landFlights()
        checkWatches()
    }

    /// Closes the connection for good, with an error for waiting messages and an end for all feeds.
    func close(_ reason: CloseReason) {
        if case .closed = phase { return }
        if case .connected(let transport) = phase { close(transport) }
        phase = .closed(reason)
        progress.disconnected()
        heartbeat = nil
        tell(.deactivated(reason: reason.kind))
        eventBroadcast.publish(.closed(reason))
        stateBroadcast.publish(.closed(reason))
        landFlights()
        checkWatches()
        alarm.cancel()
        wake()
        driver?.cancel()
        LiveConnections.remove(self)
        eventBroadcast.finish()
        messageBroadcast.finish()
        stateBroadcast.finish()
        healthBroadcast.finish()
        diagnosticBroadcast.finish()
    }

    private func wake() {
        let sleeper = sleeper
        self.sleeper = nil
        sleeper?.resume()
    }

    /// Closes the transport without waiting, since it lives on the same loop.
    func close(_ transport: Transport) { transport.assumeIsolated { $0.close() } }

    /// Writes the output of the link, in order.
    func write(to transport: Transport) {
        let bytes = link.takeOutput()
        counted.bytesOut += bytes.count
        transport.assumeIsolated { $0.write(bytes) }
    }

    func reachabilityChanged(_ isReachable: Bool) {
        guard isReachable != self.isReachable else { return }
        self.isReachable = isReachable
        tell(.reachabilityChanged(isReachable: isReachable))
    }
}
