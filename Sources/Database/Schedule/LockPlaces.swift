package import Postgres
import Reactor

/// The few connections for requests that may wait for a lock of a slot or a user, so that these requests
/// never hold all connections.
///
/// Callers without a place wait like those for a connection: for `patience` at most, and not beyond the
/// `WaiterBudget` of the pool, which they share with them; then they get `.unavailable`. A caller that has a
/// place and does not get the lock within the lock timeout of the pool gives way to the other keys, and waits
/// for the next turn.
package actor LockPlaces {
    /// The time for which a caller waits for a lock at once: slots that open delay the cancelling in other
    /// slots only for so long.
    package static let turn = Duration.milliseconds(500)

    package nonisolated let pool: PostgresPool
    private let patience: Duration
    private var state: LockPlacesState
    private var waiters: [Int: Waiting] = [:]
    private var lastWaiter = 0

    private struct Waiting {
        let continuation: CheckedContinuation<Void, any Error>
        let timer: EventLoop.Timer
        /// Whether the caller has a place in the budget of waiters.
        let isCounted: Bool
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { pool.loop.asUnownedSerialExecutor() }

    /// Creates as many places as the pool has connections.
    package init(pool: PostgresPool, patience: Duration = .seconds(5)) {
        self.pool = pool
        self.patience = patience
        state = LockPlacesState(places: pool.configuration.poolSize)
    }

    /// Lends the pool to the body once the key has a place. The body is one transaction, and is run again
    /// from the start if it did not get a lock in time.
    package nonisolated func with<Value>(
        _ key: LockKey, _ body: (PostgresPool) async throws -> Value
    ) async throws -> Value {
        let end = Monotonic.nanoseconds() &+ patience.clampedNanoseconds
        let number = try await enter(key)
        while true {
            let value: Value
            do {
                value = try await body(pool)
            } catch let error as PostgresError
                where error.sqlState == .lockNotAvailable && Monotonic.nanoseconds() < end
            {
                try await wait(for: key, number, givingWayUntil: end)
                continue
            } catch {
                await leave(key)
                throw error
            }
            await leave(key)
            return value
        }
    }

    /// The number of callers that wait for a place.
    package var waiting: Int { state.waiting }

    private func enter(_ key: LockKey) async throws -> Int {
        lastWaiter += 1
        let number = lastWaiter
        try await wait(for: key, number)
        return number
    }

    /// Waits until the key has a place. With `end` the caller holds a place and gives it back first; a caller
    /// that gets an error holds none.
    private func wait(for key: LockKey, _ number: Int, givingWayUntil end: UInt64? = nil) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let end {
                    giveWay(key, number, until: end, continuation)
                } else {
                    request(key, number, continuation)
                }
            }
        } onCancel: {
            pool.loop.execute { self.assumeIsolated { $0.abandon(number, key, PostgresError.cancelled) } }
        }
    }

    private func giveWay(
        _ key: LockKey, _ number: Int, until end: UInt64, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        if Task.isCancelled {
            leave(key)
            return continuation.resume(throwing: PostgresError.cancelled)
        }
        // It was let in before, and so waits also if the budget is used up.
        let now = Monotonic.nanoseconds()
        let left = Duration.nanoseconds(Int64(clamping: end > now ? end - now : 0))
        add(number, key, continuation, patience: left, isCounted: pool.configuration.waiters.take())
        for number in state.giveWay(key, by: number) { take(number)?.resume() }
    }

    private func request(
        _ key: LockKey, _ number: Int, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        // A cancellation that came before the wait has found nobody.
        if Task.isCancelled { return continuation.resume(throwing: PostgresError.cancelled) }
        switch state.request(key, by: number) {
        case .enter: continuation.resume()
        case .wait:
            guard pool.configuration.waiters.take() else {
                _ = state.abandon(number, key)
                let maximum = pool.configuration.waiters.maximum
                return continuation.resume(
                    throwing: PostgresError.unavailable("\(maximum) callers are waiting already"))
            }
            add(number, key, continuation, patience: patience, isCounted: true)
        }
    }

    private func add(
        _ number: Int, _ key: LockKey, _ continuation: CheckedContinuation<Void, any Error>,
        patience: Duration, isCounted: Bool
    ) {
        let timer = pool.loop.schedule(after: patience) { [weak self] in
            self?.assumeIsolated {
                $0.abandon(number, key, PostgresError.unavailable("others wait for the same lock"))
            }
        }
        waiters[number] = Waiting(continuation: continuation, timer: timer, isCounted: isCounted)
    }

    private func leave(_ key: LockKey) {
        for number in state.leave(key) { take(number)?.resume() }
    }

    private func abandon(_ number: Int, _ key: LockKey, _ error: PostgresError) {
        if state.abandon(number, key) { take(number)?.resume(throwing: error) }
    }

    private func take(_ number: Int) -> CheckedContinuation<Void, any Error>? {
        guard let waiting = waiters.removeValue(forKey: number) else { return nil }
        pool.loop.cancel(waiting.timer)
        if waiting.isCounted { pool.configuration.waiters.giveBack() }
        return waiting.continuation
    }
}
