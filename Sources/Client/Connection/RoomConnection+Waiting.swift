import Contract
import Reactor

extension RoomConnection {
    /// Waits until the connection is in the room. Starts the connection if it has not been started.
    ///
    /// Throws `CloseReason.error` once the connection is closed for good, `timedOut`, or `cancelled`.
    public func waitUntilConnected(timeout: Duration? = nil) async throws(ClientError) {
        start()
        try await wait(timeout) { connection in
            if connection.progress.isInRoom { return .success(()) }
            return connection.closedError.map { .failure($0) }
        }
    }

    /// Waits until all queued messages have been acknowledged. Throws as `waitUntilConnected` does.
    public func flush(timeout: Duration? = nil) async throws(ClientError) {
        start()
        try await wait(timeout) { connection in
            if connection.queueDepth == 0 { return .success(()) }
            return connection.closedError.map { .failure($0) }
        }
    }

    /// Pings the server and returns the round-trip time. Starts the connection if it has not been started.
    ///
    /// Throws as `waitUntilConnected` does. A link that does not answer is given up and replaced.
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

    /// Checks the connection, and reconnects at once if it does not work. Returns whether the connection is
    /// in the room afterwards.
    @discardableResult
    public func attemptRecovery(timeout: Duration? = .seconds(10)) async -> Bool {
        tell(.recoveryAttempted)
        start()
        resumed()
        // A connection that seems to work is proven only by an answer or by a new connection.
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
                // The condition may have become true before it was watched.
                checkWatches()
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.settle(number, .failure(.cancelled)) } }
        }
        try result.get()
    }

    /// Resumes the watches whose conditions have become true.
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
