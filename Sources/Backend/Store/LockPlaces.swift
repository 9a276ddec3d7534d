import Postgres
import Reactor

/// The few connections for requests that may wait for a lock of a slot or a user, so that these never hold all.
///
/// Beyond the places callers wait, `maximumWaiters` of them and for `patience` at most; then they get `.unavailable`.
actor LockPlaces {
    private let pool: PostgresPool
    private let patience: Duration
    private var state: LockPlacesState
    private var waiters: [Int: Waiting] = [:]
    private var lastWaiter = 0

    private struct Waiting {
        let continuation: CheckedContinuation<Void, any Error>
        let timer: EventLoop.Timer
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { pool.loop.asUnownedSerialExecutor() }

    /// As many places as the pool has connections.
    init(pool: PostgresPool, maximumWaiters: Int = 256, patience: Duration = .seconds(5)) {
        self.pool = pool
        self.patience = patience
        state = LockPlacesState(places: pool.configuration.poolSize, maximumWaiters: maximumWaiters)
    }

    /// Lends the pool to the body, once the key has a place.
    nonisolated func with<Value>(
        _ key: LockKey, _ body: (PostgresPool) async throws -> Value
    ) async throws -> Value {
        try await enter(key)
        let value: Value
        do {
            value = try await body(pool)
        } catch {
            await leave(key)
            throw error
        }
        await leave(key)
        return value
    }

    func shutdown() async { await pool.shutdown() }

    /// How many wait for a place.
    var waiting: Int { state.waiting }

    private func enter(_ key: LockKey) async throws {
        lastWaiter += 1
        let number = lastWaiter
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                request(key, number, continuation)
            }
        } onCancel: {
            pool.loop.execute { self.assumeIsolated { $0.abandon(number, PostgresError.cancelled) } }
        }
    }

    private func request(
        _ key: LockKey, _ number: Int, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        // A cancellation that came before the wait has found nobody.
        if Task.isCancelled { return continuation.resume(throwing: PostgresError.cancelled) }
        switch state.request(key, by: number) {
        case .enter: continuation.resume()
        case .refuse:
            continuation.resume(throwing: PostgresError.unavailable("too many wait for a lock already"))
        case .wait:
            let timer = pool.loop.schedule(after: patience) { [weak self] in
                self?.assumeIsolated {
                    $0.abandon(number, PostgresError.unavailable("others wait for the same lock"))
                }
            }
            waiters[number] = Waiting(continuation: continuation, timer: timer)
        }
    }

    private func leave(_ key: LockKey) {
        for number in state.leave(key) { take(number)?.resume() }
    }

    private func abandon(_ number: Int, _ error: PostgresError) {
        if state.abandon(number) { take(number)?.resume(throwing: error) }
    }

    private func take(_ number: Int) -> CheckedContinuation<Void, any Error>? {
        guard let waiting = waiters.removeValue(forKey: number) else { return nil }
        pool.loop.cancel(waiting.timer)
        return waiting.continuation
    }
}
