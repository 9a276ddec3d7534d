import Contract
import Outbox
package import Postgres
import Reactor
package import Scheduling

/// Stores registrations by group commit: requests that come while as many transactions as allowed are under
/// way share the next one.
///
/// `run` works until its task is cancelled; callers that wait then, and later ones, get `.unavailable`. The
/// batcher lives on the loop of its pool.
package actor RegistrationBatcher {
    package struct Limits: Sendable {
        /// The number of requests that may wait; more are refused at once.
        package var waiting = 10_000
        /// The number of requests in one transaction.
        var batch = 1000
        /// The number of requests with idempotency keys in one transaction: each takes a place in the table
        /// of locks that all sessions of PostgreSQL share. Each transaction under way may take as many.
        var keys = 250
        /// The number of transactions at a time: PostgreSQL works on one while the server encodes another.
        /// The pool has at least as many connections.
        var transactions = 1

        package init(
            waiting: Int = 10_000, batch: Int = 1000, keys: Int = 250, transactions: Int = 1
        ) {
            self.waiting = waiting
            self.batch = batch
            self.keys = keys
            self.transactions = transactions
        }
    }

    private struct Entry {
        let new: RegistrationRequest
        let continuation: CheckedContinuation<Result<RegistrationRequest.Outcome, any Error>, Never>
    }

    /// A pool of the batcher's own, so that a crowd of readers does not keep writers waiting.
    private let pool: PostgresPool
    private let attendance: AttendanceRule?
    private let limit: RegistrationLimit?
    private let spans: RegistrationSpans?
    private let changed: @Sendable (ChangeEvent) -> Void
    private let limits: Limits
    private var nextNumber = 0
    /// The numbers of the requests, in the order of arrival; one may have been abandoned.
    private var queue: [Int] = []
    private var entries: [Int: Entry] = [:]
    private let wakeSignal = WakeSignal()
    /// The number of batches that are being stored.
    private var underWay = 0
    private var isStopped = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { pool.loop.asUnownedSerialExecutor() }

    package init(
        pool: PostgresPool, attendance: AttendanceRule? = nil, limit: RegistrationLimit? = nil,
        spans: RegistrationSpans? = nil, limits: Limits = Limits(),
        changed: @escaping @Sendable (ChangeEvent) -> Void
    ) {
        self.pool = pool
        self.attendance = attendance
        self.limit = limit
        self.spans = spans
        self.limits = limits
        self.changed = changed
    }

    /// Stores a request, and returns its outcome when the transaction that holds it has ended. A cancelled
    /// caller is released at once, although its request may still be stored.
    package func register(_ new: RegistrationRequest) async throws -> RegistrationRequest.Outcome {
        if isStopped { throw PostgresError.unavailable("shutting down") }
        guard entries.count < limits.waiting else {
            throw PostgresError.unavailable("\(limits.waiting) registrations wait already")
        }
        let number = nextNumber
        nextNumber += 1
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<RegistrationRequest.Outcome, any Error>, Never>) in
                // A cancellation that came before there was an entry has released nobody.
                if Task.isCancelled { return continuation.resume(returning: .failure(CancellationError())) }
                if isStopped {
                    return continuation.resume(
                        returning: .failure(PostgresError.unavailable("shutting down")))
                }
                entries[number] = Entry(new: new, continuation: continuation)
                queue.append(number)
                wakeSignal.send()
            }
        } onCancel: {
            pool.loop.execute { self.assumeIsolated { $0.settle(number, .failure(CancellationError())) } }
        }
        return try result.get()
    }

    /// Stores the waiting requests, batch after batch, until its task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let batch = underWay < limits.transactions ? takeBatch() : []
                if batch.isEmpty {
                    await wakeSignal.wait()
                } else {
                    underWay += 1
                    group.addTask { await self.storeAndMakeRoom(batch) }
                }
            }
        }
        isStopped = true
        for number in Array(entries.keys) {
            settle(number, .failure(PostgresError.unavailable("shutting down")))
        }
    }

    private func takeBatch() -> [(number: Int, new: RegistrationRequest)] {
        var batch: [(number: Int, new: RegistrationRequest)] = []
        var (taken, keys) = (0, 0)
        for number in queue {
            if taken == limits.batch || keys == limits.keys { break }
            taken += 1
            guard let new = entries[number]?.new else { continue }
            if new.kept != nil { keys += 1 }
            batch.append((number, new))
        }
        queue.removeFirst(taken)
        return batch
    }

    private func settle(_ number: Int, _ result: Result<RegistrationRequest.Outcome, any Error>) {
        entries.removeValue(forKey: number)?.continuation.resume(returning: result)
    }

    private func storeAndMakeRoom(_ batch: [(number: Int, new: RegistrationRequest)]) async {
        await store(batch)
        underWay -= 1
        wakeSignal.send()
    }

    private func store(_ batch: [(number: Int, new: RegistrationRequest)]) async {
        let results: [RegistrationWriter.Decision]
        do {
            results = try await write(batch.map(\.new))
        } catch {
            return await storeAfterFailure(batch, error)
        }
        for (entry, result) in zip(batch, results) {
            switch result {
            case .settled(let outcome): settle(entry.number, .success(outcome))
            case .again: await storeAlone(entry.number, entry.new)
            }
        }
    }

    /// Stores each request in a transaction of its own, so that one does not spoil the others'. If the
    /// database is away that would only take longer.
    private func storeAfterFailure(_ batch: [(number: Int, new: RegistrationRequest)], _ error: any Error)
        async
    {
        let isHopeless = (error as? PostgresError).map { $0.meansUnavailable || $0 == .cancelled } ?? true
        for (number, new) in batch {
            if isHopeless {
                settle(number, .failure(error))
            } else {
                await storeAlone(number, new)
            }
        }
    }

    private func storeAlone(_ number: Int, _ new: RegistrationRequest) async {
        do {
            let results = try await write([new])
            // No other request in this transaction can free a place or take one, so the decision is final.
            guard case .settled(let outcome)? = results.first else { throw PostgresError.rolledBack }
            settle(number, .success(outcome))
        } catch let error as PostgresError where error.sqlState == .foreignKeyViolation {
            settle(number, .success(.unknownUser))
        } catch {
            settle(number, .failure(error))
        }
    }

    private func write(_ requests: [RegistrationRequest]) async throws -> [RegistrationWriter.Decision] {
        let (attendance, limit, spans) = (attendance, limit, spans)
        do {
            let (results, slots) = try await pool.transaction(attempts: 3) { connection in
                try await RegistrationWriter.write(requests, attendance, limit, spans, on: connection)
            }
            for slot in slots { changed(.slot(slot)) }
            return results
        } catch PostgresError.commitUnknown(let reason) {
            // The requests may be stored: a reader of a slot finds its true state.
            for slot in Set(requests.flatMap(\.slots).map(\.startsAt)) { changed(.slot(slot)) }
            throw PostgresError.commitUnknown(reason)
        }
    }
}
