import Codecs
package import Reactor

/// The connections of one loop, each lent to one caller at a time. Callers that find none wait in the order
/// of their arrival: for `acquireTimeout` at most, and not beyond the `WaiterBudget` of the process. Load
/// shedding: callers beyond either limit get `.unavailable`. The owner of the pool shuts it down.
///
/// A caller that is cancelled stops waiting at once. Its connection outlives it: the pool lends the
/// connection
/// again when the statement under way has ended and its transaction is rolled back.
package actor PostgresPool {
    package nonisolated let loop: EventLoop
    package nonisolated let configuration: PostgresConfiguration
    private var state: PoolState<ObjectIdentifier>
    private var connections: [ObjectIdentifier: PostgresConnection] = [:]
    private var room: WaitingRoom<Grant>
    /// The connections that were given back by cancelled callers, and are recovering.
    private var recovering: Set<ObjectIdentifier> = []
    /// The attempts to open a connection.
    private var attempts: [Int: Task<Void, Never>] = [:]
    private var lastAttempt = 0
    private var lastFailure: PostgresError?
    private var isSweeping = false
    private var waits = PoolFigures.noWaits
    private var refusals = 0

    private typealias Grant = Result<PostgresConnection, PostgresError>

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(_ configuration: PostgresConfiguration, on loop: EventLoop) {
        self.loop = loop
        self.configuration = configuration
        room = WaitingRoom(on: loop)
        state = PoolState(size: configuration.poolSize)
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
    /// `attempts` times in all. With `retrying` it is run again, on another connection, if the first
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
    package func shutdown() async {
        perform(state.shutDown())
        closeAbandoned()
        let attempts = attempts.values
        for attempt in attempts { attempt.cancel() }
        for attempt in attempts { await attempt.value }
    }

    /// Closes the connections that work for callers that were cancelled.
    package func closeAbandoned() {
        for id in recovering { connections[id]?.assumeIsolated { $0.close(for: .cancelled) } }
    }

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
            let connection = try await grant(until: end).get()
            if isOpen(connection) { return connection }
            forget(connection)
        }
    }

    private func grant(until end: UInt64) async -> Grant {
        let number = room.nextNumber()
        return await loop.suspend {
            request(number, until: end, $0)
        } onCancel: {
            self.assumeIsolated { $0.abandon(number, .cancelled) }
        }
    }

    /// Asks for a connection and stores the waiter in one step, so that none is handed to a waiter that is
    /// not stored yet.
    private func request(
        _ number: Int, until end: UInt64, _ continuation: WaitingRoom<Grant>.Continuation
    ) {
        switch state.request(number) {
        case .use(let id): continuation.resume(returning: lend(id))
        case .refuse: continuation.resume(returning: .failure(Self.isShutDown))
        case .wait(let steps):
            guard configuration.waiters.take() else {
                _ = state.abandon(number)
                let maximum = configuration.waiters.maximum
                continuation.resume(returning: .failure(.unavailable("\(maximum) callers wait already")))
                return perform(steps)
            }
            room.add(number, continuation, configuration.waiters, patience: Self.time(until: end)) {
                [weak self] in self?.assumeIsolated { $0.expire(number) }
            }
            perform(steps)
        }
    }

    private func expire(_ number: Int) {
        let isBusy = state.leased.count == configuration.poolSize
        let reason = isBusy ? "all \(configuration.poolSize) connections are in use" : "no answer in time"
        abandon(number, isBusy ? .unavailable(reason) : lastFailure ?? .unavailable(reason))
    }

    private func abandon(_ number: Int, _ error: PostgresError) {
        if state.abandon(number) { room.release(number, .failure(error)) }
    }

    private func lend(_ id: ObjectIdentifier) -> Grant {
        guard let connection = connections[id] else { return .failure(.unavailable("lost")) }
        connection.assumeIsolated { $0.relend() }
        return .success(connection)
    }

    /// Opens a connection in a task of the pool, so that the attempt goes on if the caller is cancelled.
    private func open() {
        lastAttempt += 1
        let number = lastAttempt
        attempts[number] = Task(executorPreference: loop) { await self.attempt(number) }
    }

    private func attempt(_ number: Int) async {
        defer { attempts[number] = nil }
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(configuration, on: loop)
            lastFailure = nil
            adopt(connection)
        } catch {
            lastFailure = error
            perform(state.openFailed())
            // A wrong password, for example, is wrong for all callers that wait.
            if !error.meansUnavailable { for waiter in state.waiters.all { abandon(waiter, error) } }
        }
    }

    private func adopt(_ connection: PostgresConnection) {
        let id = ObjectIdentifier(connection)
        connections[id] = connection
        connection.assumeIsolated { connection in
            connection.outliveCallers { [weak self] in self?.assumeIsolated { $0.recovered(id) } }
        }
        perform(state.opened(id))
        // Its caller has gone meanwhile. Kept idle, the session would refuse a write after the database takes
        // some again.
        if state.idle.contains(id), !connection.assumeIsolated({ $0.session.takesWrites }) {
            forget(connection)
        }
    }

    private func giveBack(_ connection: PostgresConnection) {
        let id = ObjectIdentifier(connection)
        // The connection belongs to the same loop, so that its state can be read from here.
        if !state.isShutDown, connection.assumeIsolated({ $0.isRecovering }) {
            recovering.insert(id)
        } else if connection.assumeIsolated({ $0.isReusable }) {
            perform(state.returned(id))
            closeIdleLater()
        } else {
            forget(connection)
        }
    }

    /// Notes that a connection has recovered or is closed. If its cancelled caller has not given it back yet,
    /// that follows.
    private func recovered(_ id: ObjectIdentifier) {
        guard recovering.remove(id) != nil, let connection = connections[id] else { return }
        giveBack(connection)
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
        let isSuspect = connection.assumeIsolated { connection in
            defer { connection.close() }
            return connection.session.hasTurnedReadOnly || connection.closeReason?.meansUnavailable ?? false
        }
        let id = ObjectIdentifier(connection)
        connections[id] = nil
        perform(state.lost(id, suspectServer: isSuspect))
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
            case .hand(let id, let waiter): room.release(waiter, lend(id))
            case .open: open()
            case .refuse(let waiter): room.release(waiter, .failure(Self.isShutDown))
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

    private static let isShutDown = PostgresError.unavailable("shutting down")

    private static func time(until end: UInt64) -> Duration {
        let now = Monotonic.nanoseconds()
        return .nanoseconds(now < end ? Int64(end - now) : 0)
    }
}
