import Contract
import Postgres

@testable import BackendTesting

/// The connection to the database: it takes time, and may break.
extension SimulatedWorld {
    /// Runs one statement: sends it, executes it at one instant, and returns the answer. Runs on the executor
    /// of its caller.
    nonisolated func ask<Value: Sendable>(
        _ server: ServerHandle?, in transaction: Int? = nil,
        _ work: @Sendable (isolated SimulatedWorld) throws -> Value
    ) async throws -> Value {
        try await travel(server, transaction, isRequest: true)
        let value = try inPlace { world in
            try world.checkStanding(transaction)
            return try work(world)
        }
        // Most answers arrive at once: each delay also takes time to simulate.
        if inPlace({ $0.chance(0.3) }) { try await travel(server, transaction, isRequest: false) }
        return value
    }

    nonisolated func travel(_ server: ServerHandle?, _ transaction: Int?, isRequest: Bool) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            inPlace { world in
                let call = PendingCall(server: server, transaction: transaction, continuation: continuation)
                world.depart(call, isRequest: isRequest)
            }
        }
    }

    /// Waits until the transaction holds the lock of the slot.
    nonisolated func takeLock(of startsAt: Timestamp, in transaction: Int, _ server: ServerHandle?)
        async throws
    {
        try await take(.slot(startsAt), in: transaction, server)
    }

    /// Waits until the transaction holds the lock of the notification writers.
    nonisolated func takeNotificationLock(in transaction: Int, _ server: ServerHandle?) async throws {
        try await take(.notifications, in: transaction, server)
    }

    nonisolated private func take(_ lock: ModelLock, in transaction: Int, _ server: ServerHandle?)
        async throws
    {
        try await travel(server, transaction, isRequest: true)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            inPlace { world in
                let call = PendingCall(server: server, transaction: transaction, continuation: continuation)
                world.queue(call, for: lock, transaction)
            }
        }
    }

    func isAlive(_ server: ServerHandle?) -> Bool {
        guard let server else { return true }
        return servers[server.index].isUp && servers[server.index].generation == server.generation
    }

    /// Throws when the transaction was broken off meanwhile.
    func checkStanding(_ transaction: Int?) throws {
        if let transaction, transactions[transaction] == nil {
            throw PostgresError.connectionLost("the transaction was broken off")
        }
    }

    private func depart(_ call: PendingCall, isRequest: Bool) {
        guard isAlive(call.server) else { return call.continuation.resume(throwing: ServerKilled()) }
        lastCall += 1
        let number = lastCall
        calls[number] = call
        if isRequest {
            statistics.statements += 1
            if let server = call.server { servers[server.index].statements += 1 }
        }
        if let server = call.server, !isCalm, chance(plan.faults.crashAtStatement) {
            after(draw(0...2_000)) { $0.crash(server, because: "at a statement") }
        }
        var latency = draw(50...1_500)
        if !isCalm && chance(plan.faults.slowAnswer) {
            latency = draw(1_000...2_000_000)
            // A server that waits for a lock of this transaction is slow as well.
            troubleForAll(until: elapsed + latency)
        }
        let isLost = !isCalm && chance(plan.faults.lostConnection)
        after(latency) { world in
            if isLost || world.elapsed < world.databaseAwayUntil {
                world.trouble(call.server)
                world.answer(number, PostgresError.connectionLost("of the model"))
            } else {
                world.answer(number, nil)
            }
        }
    }

    func answer(_ number: Int, _ error: (any Error)?) {
        guard let call = calls.removeValue(forKey: number) else { return }
        guard let error else { return call.continuation.resume() }
        if let transaction = call.transaction { breakOff(transaction) }
        call.continuation.resume(throwing: error)
    }

    // Locks.

    private func queue(_ call: PendingCall, for lock: ModelLock, _ transaction: Int) {
        guard isAlive(call.server), transactions[transaction] != nil else {
            return call.continuation.resume(throwing: ServerKilled())
        }
        lastCall += 1
        let number = lastCall
        calls[number] = call
        let isForgotten = bug == .forgetsLock && call.server != nil && lock != .notifications
        if isForgotten || transactions[transaction]?.locks.contains(lock) == true {
            return answer(number, nil)
        }
        if locks[lock] == nil {
            locks[lock] = LockQueue(holder: transaction)
            grant(lock, to: transaction)
            return answer(number, nil)
        }
        locks[lock]?.waiting.append((transaction, number))
        after(5_000_000) { world in
            guard world.locks[lock]?.waiting.contains(where: { $0.call == number }) == true else {
                return
            }
            world.trouble(call.server)
            world.locks[lock]?.waiting.removeAll { $0.call == number }
            world.answer(number, PostgresError.refused(.lockNotAvailable))
        }
    }

    private func grant(_ lock: ModelLock, to transaction: Int) {
        transactions[transaction]?.locks.append(lock)
        transactions[transaction]?.lockedAfter = commits
    }

    private func release(_ lock: ModelLock) {
        guard var queue = locks[lock] else { return }
        guard let next = queue.waiting.first else {
            locks[lock] = nil
            return
        }
        queue.waiting.removeFirst()
        queue.holder = next.transaction
        locks[lock] = queue
        grant(lock, to: next.transaction)
        answer(next.call, nil)
    }

    // Transactions.

    func begin(_ server: ServerHandle?) -> Int {
        lastTransaction += 1
        transactions[lastTransaction] = ModelTransaction(
            server: server, begunAt: elapsed, lockedAfter: commits)
        return lastTransaction
    }

    /// Rolls the transaction back.
    func breakOff(_ transaction: Int) {
        guard let ended = transactions.removeValue(forKey: transaction) else { return }
        for lock in locks.keys {
            let waiting = locks[lock]?.waiting.filter { $0.transaction == transaction } ?? []
            locks[lock]?.waiting.removeAll { $0.transaction == transaction }
            // A statement that waits for a lock fails with its connection.
            for waiter in waiting { answer(waiter.call, PostgresError.connectionLost("of the model")) }
        }
        for lock in ended.locks { release(lock) }
    }

    /// Returns the tables as the transaction sees them: the committed ones, with its own changes.
    func view(of transaction: Int) throws -> ModelTables {
        try checkStanding(transaction)
        var view = tables
        for effect in transactions[transaction]?.effects ?? [] { try view.apply(effect) }
        return view
    }

    nonisolated func commit(_ transaction: Int, _ server: ServerHandle?) async throws {
        enum Loss { case before, after }
        let loss: Loss? = try inPlace { world in
            try world.checkStanding(transaction)
            if !world.isCalm && world.chance(world.plan.faults.serialization) {
                world.breakOff(transaction)
                world.trouble(server)
                throw PostgresError.refused(.serializationFailure)
            }
            world.transactions[transaction]?.isCommitting = true
            if world.isCalm || !world.chance(world.plan.faults.lostCommit) { return nil }
            world.statistics.lostCommits += 1
            world.trouble(server)
            return world.chance(0.5) ? .before : .after
        }
        if loss == .before {
            inPlace { $0.breakOff(transaction) }
            try await travel(server, nil, isRequest: true)
            throw PostgresError.commitUnknown("of the model: nothing was done")
        }
        do {
            try await travel(server, nil, isRequest: true)
        } catch {
            // The COMMIT is on its way, whatever became of its sender.
            inPlace { world in
                if world.chance(0.5) { world.finish(transaction) } else { world.breakOff(transaction) }
            }
            throw error is ServerKilled ? error : PostgresError.commitUnknown("of the model: perhaps done")
        }
        let error: PostgresError? = try inPlace { world in
            try world.checkStanding(transaction)
            return world.finish(transaction)
        }
        if let error { throw error }
        try await travel(server, nil, isRequest: false)
        if loss == .after { throw PostgresError.commitUnknown("of the model: all was done") }
    }

    /// Makes the changes of the transaction, all at once.
    @discardableResult
    private func finish(_ transaction: Int) -> PostgresError? {
        guard let ended = transactions[transaction] else { return nil }
        let before = tables
        do {
            tables = try view(of: transaction)
        } catch {
            // Constraints are the last line of defence: code that relies on them is wrong.
            fail("a transaction of \(name(ended.server)) ran into a constraint: \(error)")
            breakOff(transaction)
            return error as? PostgresError ?? .rolledBack
        }
        breakOff(transaction)
        commits += 1
        bug?.spoil(&tables, since: before)
        checkCommit(ended, before)
        checkRevisions(since: before)
        if tables.members != before.members {
            for lock in ended.locks { changed(lock.slot) }
            sendRoomEvents(from: ended.server?.index)
            // People leave; the moves of a match are made by a server.
            if ended.server == nil { for slot in ended.locks.compactMap(\.slot) { departureEvent(slot) } }
        }
        return nil
    }

    func name(_ server: ServerHandle?) -> String { server.map { "server \($0.index)" } ?? "a person" }
}
