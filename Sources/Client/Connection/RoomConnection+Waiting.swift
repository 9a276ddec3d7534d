import Contract
import Reactor

extension RoomConnection {
    /// Returns once the connection is in the room, at once where it is; starts it where nobody has.
    ///
    /// Throws what `CloseReason.error` says where it is closed for good, `timedOut`, or `cancelled`.
    public func waitUntilConnected(timeout: Duration? = nil) async throws(ClientError) {
        start()
        try await wait(timeout) { connection in
            if connection.progress.isInRoom { return .success(()) }
            return connection.closedError.map { .failure($0) }
        }
    }

    /// Returns once all that waited has been acknowledged. Throws as `waitUntilConnected` does.
    public func flush(timeout: Duration? = nil) async throws(ClientError) {
        start()
        try await wait(timeout) { connection in
            if connection.queueDepth == 0 { return .success(()) }
            return connection.closedError.map { .failure($0) }
        }
    }

    /// Asks the server for an answer, and returns how long it took; starts the connection where nobody has.
    ///
    /// Throws as `waitUntilConnected` does. A link that does not answer is given up, and another one made.
    public func roundTrip(timeout: Duration? = nil) async throws(ClientError) -> Duration {
        try await waitUntilConnected(timeout: timeout)
        let seen = roundTrips.total
        resumed()
        try await wait(timeout) { connection in
            if connection.roundTrips.total > seen { return .success(()) }
            return connection.closedError.map { .failure($0) }
        }
        guard let time = roundTrips.latest else { throw .timedOut }
        return time
    }

    /// Looks whether the connection is well, and does what can be done where it is not: an attempt at once.
    /// Whether it is in the room afterwards.
    @discardableResult
    public func attemptRecovery(timeout: Duration? = .seconds(10)) async -> Bool {
        tell(.recoveryAttempted)
        start()
        resumed()
        // Where it seems connected, only an answer or a new connection shows that it is.
        let (answers, reconnects) = (roundTrips.total, counted.reconnects)
        let isProven = !progress.isInRoom
        do throws(ClientError) {
            try await wait(timeout) { connection in
                let isAnswered =
                    connection.roundTrips.total > answers || connection.counted.reconnects > reconnects
                if connection.progress.isInRoom && (isProven || isAnswered) { return .success(()) }
                return connection.closedError.map { .failure($0) }
            }
            tell(.recoverySucceeded)
            return true
        } catch {
            tell(.recoveryFailed(error: error.kind))
            return false
        }
    }

    var closedError: ClientError? {
        switch phase {
        case .closed(let reason): reason.error
        case .idle, .connecting, .connected, .waiting: nil
        }
    }

    func wait(_ timeout: Duration?, _ condition: @escaping Watches.Condition) async throws(ClientError) {
        if let result = condition(self) { return try result.get() }
        let number = watches.makeNumber()
        let deadline = timeout.map { clock.now() + $0 }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<Void, ClientError>, Never>) in
                if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
                watches.add(
                    .init(condition: condition, continuation: continuation, deadline: deadline), number)
                if let deadline { arm(at: deadline) }
                // It may have become true before it was watched.
                checkWatches()
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.settle(number, .failure(.cancelled)) } }
        }
        try result.get()
    }

    /// Something has changed that somebody may wait for.
    func checkWatches() {
        for (number, watch) in watches.waiting {
            if let result = watch.condition(self) { settle(number, result) }
        }
    }

    func expireWatches(at now: Duration) {
        for (number, watch) in watches.waiting {
            if let deadline = watch.deadline, now >= deadline { settle(number, .failure(.timedOut)) }
        }
    }

    private func settle(_ number: UInt64, _ result: Result<Void, ClientError>) {
        watches.remove(number)?.continuation.resume(returning: result)
    }
}
