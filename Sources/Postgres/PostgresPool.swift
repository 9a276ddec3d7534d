import Codecs
package import Reactor

/// The connections of one loop, each lent to one caller at a time. A caller that needs one may open it
/// itself.
///
/// While the database is unreachable, callers wait until `acquireTimeout` at most and then get
/// `.unavailable`; the next attempt after that may succeed. The owner of the pool shuts it down.
package actor PostgresPool {
    package nonisolated let loop: EventLoop
    package nonisolated let configuration: PostgresConfiguration
    private var state: PoolState<ObjectIdentifier>
    private var connections: [ObjectIdentifier: PostgresConnection] = [:]
    private var waiters: [Int: Waiting] = [:]
    private var lastWaiter = 0
    private var lastFailure: PostgresError?
    private var isSweeping = false
    private var waits = PoolFigures.noWaits
    private var refusals = 0

    private struct Waiting {
        let continuation: CheckedContinuation<Grant, Never>
        let timer: EventLoop.Timer
    }

    private enum Grant: Sendable {
        case use(PostgresConnection)
        case open
        case fail(PostgresError)
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(_ configuration: PostgresConfiguration, on loop: EventLoop) {
        self.loop = loop
        self.configuration = configuration
        state = PoolState(size: configuration.poolSize, maximumWaiters: configuration.maximumWaiters)
    }

    /// Lends a connection to the body. A connection that comes back broken, or inside a transaction, is
    /// closed.
    @discardableResult
    package nonisolated func withConnection<Value>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let connection = try await lease()
        let value: Value
        do {
            value = try await body(connection)
        } catch {
            await giveBack(connection)
            throw error
        }
        await giveBack(connection)
        return value
    }

    /// Runs one statement on a connection of the pool.
    ///
    /// A statement that failed because of another transaction has taken no effect, and is run again,
    /// `attempts` times in all. With `retrying` it is run once more, on another connection, if the first
    /// turned out to be dead: only for a statement that may be run twice.
    @discardableResult
    package func query(
        _ sql: String, _ parameters: [any PostgresEncodable] = [], retrying: Bool = false, attempts: Int = 3
    ) async throws(PostgresError) -> PostgresRows {
        let connection = try await lease()
        let failure: PostgresError
        do throws(PostgresError) {
            let rows = try await connection.query(sql, parameters)
            giveBack(connection)
            return rows
        } catch {
            giveBack(connection)
            failure = error
        }
        if failure.isRetryable && attempts > 1 {
            return try await query(sql, parameters, retrying: retrying, attempts: attempts - 1)
        }
        guard retrying, failure.meansDeadConnection else { throw failure }
        return try await query(sql, parameters, retrying: false, attempts: attempts)
    }

    /// Runs one statement, and returns the number of rows that it affected.
    @discardableResult
    package func execute(
        _ sql: String, _ parameters: [any PostgresEncodable] = []
    ) async throws(PostgresError) -> Int {
        try await query(sql, parameters).affected
    }

    /// Runs the body in a transaction, as `PostgresConnection.transaction` does.
    ///
    /// If it fails with an error that `isRetryable`, it is run again from the start, `attempts` times in all.
    @discardableResult
    package nonisolated func transaction<Value>(
        _ isolation: TransactionIsolation = .readCommitted, readOnly: Bool = false, attempts: Int = 1,
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await withConnection { connection in
            var left = attempts
            while true {
                left -= 1
                do {
                    return try await connection.transaction(isolation, readOnly: readOnly, body)
                } catch let error as PostgresError where error.isRetryable && left > 0 {
                    continue
                }
            }
        }
    }

    /// Closes the idle connections at once, and the others when they come back; callers from now on get
    /// `.unavailable`.
    package func shutdown() { perform(state.shutDown()) }

    /// The figures of this pool until now.
    package var figures: PoolFigures {
        PoolFigures(
            leased: state.leased.count, idle: state.idle.count, opening: state.opening,
            waiting: state.waiters.count, size: configuration.poolSize, waits: waits, refusals: refusals)
    }

    private func lease() async throws(PostgresError) -> PostgresConnection {
        let begun = Monotonic.nanoseconds()
        do throws(PostgresError) {
            let connection = try await lease(
                until: begun &+ configuration.acquireTimeout.clampedNanoseconds)
            waits.add(Double(Monotonic.nanoseconds() &- begun) / 1e9)
            return connection
        } catch {
            if error != .cancelled { refusals += 1 }
            throw error
        }
    }

    private func lease(until end: UInt64) async throws(PostgresError) -> PostgresConnection {
        while true {
            if Task.isCancelled { throw .cancelled }
            dropClosed()
            switch await grant(until: end) {
            case .use(let connection):
                if isOpen(connection) { return connection }
                forget(connection)
            case .open:
                do throws(PostgresError) {
                    return try await open(until: end)
                } catch {
                    guard error.meansUnavailable, Monotonic.nanoseconds() < end else { throw error }
                }
            case .fail(let error):
                throw error
            }
        }
    }

    private func grant(until end: UInt64) async -> Grant {
        lastWaiter += 1
        let number = lastWaiter
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Grant, Never>) in
                request(number, until: end, continuation)
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.abandon(number, .cancelled) } }
        }
    }

    /// Asks for a connection and stores the waiter in one step, so that none is handed to a waiter that is
    /// not stored yet.
    private func request(
        _ number: Int, until end: UInt64, _ continuation: CheckedContinuation<Grant, Never>
    ) {
        switch state.request(number) {
        case .use(let id):
            continuation.resume(returning: connections[id].map { .use($0) } ?? .fail(.unavailable("lost")))
        case .open: continuation.resume(returning: .open)
        case .refuse(let refusal): continuation.resume(returning: .fail(failure(for: refusal)))
        case .wait:
            let timer = loop.schedule(after: Self.time(until: end)) { [weak self] in
                self?.assumeIsolated { $0.expire(number) }
            }
            waiters[number] = Waiting(continuation: continuation, timer: timer)
            // A cancellation that came before the wait has found no waiter.
            if Task.isCancelled { abandon(number, .cancelled) }
        }
    }

    private func expire(_ number: Int) {
        let isBusy = state.leased.count == configuration.poolSize
        let reason = isBusy ? "all \(configuration.poolSize) connections are in use" : "no answer in time"
        abandon(number, isBusy ? .unavailable(reason) : lastFailure ?? .unavailable(reason))
    }

    private func abandon(_ number: Int, _ error: PostgresError) {
        if state.abandon(number) { resume(number, .fail(error)) }
    }

    private func resume(_ number: Int, _ grant: Grant) {
        guard let waiting = waiters.removeValue(forKey: number) else { return }
        loop.cancel(waiting.timer)
        waiting.continuation.resume(returning: grant)
    }

    private func open(until end: UInt64) async throws(PostgresError) -> PostgresConnection {
        do throws(PostgresError) {
            let timeout = min(configuration.connectTimeout, Self.time(until: end))
            let connection = try await PostgresConnection.connect(configuration, on: loop, timeout: timeout)
            lastFailure = nil
            connections[ObjectIdentifier(connection)] = connection
            perform(state.opened(ObjectIdentifier(connection)))
            return connection
        } catch {
            if error == .cancelled {
                perform(state.openAbandoned())
            } else {
                lastFailure = error
                perform(state.openFailed())
            }
            throw error
        }
    }

    private func giveBack(_ connection: PostgresConnection) {
        // The connection belongs to the same loop, so that its state can be read from here.
        if connection.assumeIsolated({ $0.isReusable }) {
            perform(state.returned(ObjectIdentifier(connection)))
            closeIdleLater()
        } else {
            forget(connection)
        }
    }

    /// Schedules a sweep of idle connections, while more than one is idle.
    private func closeIdleLater() {
        guard !isSweeping, state.idle.count > 1 else { return }
        isSweeping = true
        loop.schedule(after: configuration.idleTimeout) { [weak self] in
            self?.assumeIsolated { pool in
                pool.isSweeping = false
                pool.perform(pool.state.closeIdle())
                pool.closeIdleLater()
            }
        }
    }

    private func forget(_ connection: PostgresConnection) {
        let reason = connection.assumeIsolated { connection in
            defer { connection.close() }
            return connection.closeReason
        }
        let id = ObjectIdentifier(connection)
        connections[id] = nil
        perform(state.lost(id, suspectServer: reason?.meansUnavailable ?? false))
    }

    /// Forgets the idle connections that the server has closed.
    private func dropClosed() {
        for id in state.idle {
            if let connection = connections[id], !isOpen(connection) { forget(connection) }
        }
    }

    private func isOpen(_ connection: PostgresConnection) -> Bool { connection.assumeIsolated { $0.isOpen } }

    private func perform(_ steps: [PoolState<ObjectIdentifier>.Step]) {
        for step in steps {
            switch step {
            case .hand(let id, let waiter):
                resume(waiter, connections[id].map { .use($0) } ?? .fail(.unavailable("lost")))
            case .permit(let waiter): resume(waiter, .open)
            case .fail(let waiter, let refusal): resume(waiter, .fail(failure(for: refusal)))
            case .close(let id):
                connections.removeValue(forKey: id)?.assumeIsolated { $0.close() }
            case .pause(let failures):
                loop.schedule(after: PostgresConfiguration.reconnecting.delay(afterFailures: failures)) {
                    [weak self] in
                    self?.assumeIsolated { $0.endPause() }
                }
            }
        }
    }

    private func endPause() { perform(state.pauseEnded()) }

    private func failure(for refusal: PoolState<ObjectIdentifier>.Failure) -> PostgresError {
        switch refusal {
        case .tooManyWaiters: .unavailable("\(configuration.maximumWaiters) callers wait already")
        case .shutDown: .unavailable("shutting down")
        }
    }

    private static func time(until end: UInt64) -> Duration {
        let now = Monotonic.nanoseconds()
        return .nanoseconds(now < end ? Int64(end - now) : 0)
    }
}
