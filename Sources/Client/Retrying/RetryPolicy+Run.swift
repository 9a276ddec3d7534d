import Reactor

extension RetryPolicy {
    /// Runs an operation until it succeeds, fails with an error that is not transient, or the policy is
    /// exhausted. Throws the last error.
    ///
    /// `isIdempotent`: two executions have the effect of one. An operation that is not idempotent is tried
    /// once. It has to end when its task is cancelled.
    public func run<Value: Sendable>(
        isIdempotent: Bool, clock: some Clock<Duration> = ContinuousClock(),
        operation: @escaping @Sendable () async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        try await attempt(isIdempotent: isIdempotent, clock: clock) { () async throws(AttemptFailure) in
            do throws(ClientError) {
                return try await operation()
            } catch {
                throw AttemptFailure(error)
            }
        }
    }

    /// The most that chance adds to a wait.
    static let longestJitter = Duration.seconds(2)

    /// Runs an operation as above that also reports the wait that the server asked for. `random` returns a
    /// number from 0 to 1.
    func attempt<Value: Sendable>(
        isIdempotent: Bool, clock: some Clock<Duration> = ContinuousClock(),
        random: @Sendable () -> Double = { .random(in: 0...1) },
        operation: @escaping @Sendable () async throws(AttemptFailure) -> Value
    ) async throws(ClientError) -> Value {
        let deadline = total.map { clock.now.advanced(by: $0) }
        var tried = 0
        while true {
            tried += 1
            let failure: AttemptFailure
            switch await result(of: operation, until: deadline, clock) {
            case .success(let value): return value
            case .failure(let error): failure = error
            }
            if Task.isCancelled { throw .cancelled }
            guard isIdempotent, tried < attempts, failure.isTransient else { throw failure.error }
            let least = max(pause, failure.retryAfter ?? .zero)
            let next = clock.now.advanced(by: least + min(least, Self.longestJitter) * random())
            if let deadline, next >= deadline { throw failure.error }
            do { try await clock.sleep(until: next, tolerance: nil) } catch { throw .cancelled }
        }
    }

    private func result<Value: Sendable, C: Clock<Duration>>(
        of operation: @escaping @Sendable () async throws(AttemptFailure) -> Value,
        until deadline: C.Instant?,
        _ clock: C
    ) async -> Result<Value, AttemptFailure> {
        guard let deadline else { return await Result(awaiting: operation) }
        return await withTaskGroup(of: Result<Value, AttemptFailure>?.self) { group in
            group.addTask { await Result(awaiting: operation) }
            group.addTask {
                try? await clock.sleep(until: deadline, tolerance: nil)
                return nil
            }
            var isLate = false
            while let first = await group.next() {
                group.cancelAll()
                switch first {
                case .success(let value): return .success(value)
                // The operation was cancelled because the time was over.
                case .failure(let failure):
                    return .failure(
                        isLate && failure.error == .cancelled ? AttemptFailure(.timedOut) : failure)
                case nil: isLate = true
                }
            }
            return .failure(AttemptFailure(.cancelled))
        }
    }
}
