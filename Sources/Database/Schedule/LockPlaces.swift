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
    private var room: WaitingRoom<Result<Void, PostgresError>>

    package nonisolated var unownedExecutor: UnownedSerialExecutor { pool.loop.asUnownedSerialExecutor() }

    /// Creates as many places as the pool has connections.
    package init(pool: PostgresPool, patience: Duration = .seconds(5)) {
        self.pool = pool
        self.patience = patience
        room = WaitingRoom(on: pool.loop)
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

    /// Runs a transaction once the key has a place. It takes the lock, and is run again from the start if it
    /// did not get it in time, or failed with an error that `isRetryable`.
    @discardableResult
    package nonisolated func transaction<Value>(
        under key: LockKey, attempts: Int = 3, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await with(key) { try await $0.transaction(attempts: attempts, body) }
    }

    /// The number of callers that wait for a place.
    package var waiting: Int { state.waiting }

    private func enter(_ key: LockKey) async throws -> Int {
        let number = room.nextNumber()
        try await wait(for: key, number)
        return number
    }

    /// Waits until the key has a place. With `end` the caller holds a place and gives it back first; a caller
    /// that gets an error holds none.
    private func wait(for key: LockKey, _ number: Int, givingWayUntil end: UInt64? = nil) async throws {
        let result = await pool.loop.suspend {
            if let end {
                giveWay(key, number, until: end, $0)
            } else {
                request(key, number, $0)
            }
        } onCancel: {
            self.assumeIsolated { $0.abandon(number, key, .cancelled) }
        }
        try result.get()
    }

    private typealias Continuation = WaitingRoom<Result<Void, PostgresError>>.Continuation

    private func giveWay(_ key: LockKey, _ number: Int, until end: UInt64, _ continuation: Continuation) {
        // It was let in before, and so waits also if the budget is used up.
        let now = Monotonic.nanoseconds()
        let left = Duration.nanoseconds(Int64(clamping: end > now ? end - now : 0))
        let budget = pool.configuration.waiters
        add(number, key, continuation, budget.take() ? budget : nil, patience: left)
        for number in state.giveWay(key, by: number) { room.release(number, .success(())) }
    }

    private func request(_ key: LockKey, _ number: Int, _ continuation: Continuation) {
        switch state.request(key, by: number) {
        case .enter: continuation.resume(returning: .success(()))
        case .wait:
            let budget = pool.configuration.waiters
            guard budget.take() else {
                _ = state.abandon(number, key)
                let reason = "\(budget.maximum) callers are waiting already"
                return continuation.resume(returning: .failure(.unavailable(reason)))
            }
            add(number, key, continuation, budget, patience: patience)
        }
    }

    private func add(
        _ number: Int, _ key: LockKey, _ continuation: Continuation, _ budget: WaiterBudget?,
        patience: Duration
    ) {
        room.add(number, continuation, budget, patience: patience) { [weak self] in
            self?.assumeIsolated {
                $0.abandon(number, key, .unavailable("others wait for the same lock"))
            }
        }
    }

    private func leave(_ key: LockKey) {
        for number in state.leave(key) { room.release(number, .success(())) }
    }

    private func abandon(_ number: Int, _ key: LockKey, _ error: PostgresError) {
        if state.abandon(number, key) { room.release(number, .failure(error)) }
    }
}
