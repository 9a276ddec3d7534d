import Contract
import Outbox
package import Postgres
import Reactor
package import Scheduling

/// Stores registrations by group commit: requests that come while as many transactions as allowed are under
/// way share the next one. A request that would have to wait for another transaction is stored alone, so that
/// the others do not wait.
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
        /// The number of shared transactions at a time: PostgreSQL works on one while the server encodes
        /// another. Requests that are stored alone take one more connection of the pool, or one of these.
        var transactions = 1
        /// The time for which a request that is stored alone waits for a lock, before others have their turn.
        var patience = Duration.milliseconds(100)

        package init(
            waiting: Int = 10_000, batch: Int = 1000, keys: Int = 250, transactions: Int = 1,
            patience: Duration = .milliseconds(100)
        ) {
            self.waiting = waiting
            self.batch = batch
            self.keys = keys
            self.transactions = transactions
            self.patience = patience
        }
    }

    private struct Entry {
        let new: RegistrationRequest
        let continuation: CheckedContinuation<Answer, Never>
    }

    private typealias Answer = Result<RegistrationRequest.Outcome, any Error>

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
    /// The numbers of the requests that are stored alone, in the order of their turns.
    private var alone: [Int] = []
    private var entries: [Int: Entry] = [:]
    private let wakeSignal = WakeSignal()
    private let aloneSignal = WakeSignal()
    /// The number of batches that are being stored.
    private var underWay = 0
    /// The users of those batches: a second transaction would find them held.
    private var busy: Set<Identifier> = []
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
        guard waiting < limits.waiting else {
            throw PostgresError.unavailable("\(limits.waiting) registrations wait already")
        }
        let number = nextNumber
        nextNumber += 1
        let answer: Answer = await pool.loop.suspend {
            entries[number] = Entry(new: new, continuation: $0)
            queue.append(number)
            wakeSignal.send()
        } onCancel: {
            self.assumeIsolated { $0.settle(number, .failure(CancellationError())) }
        }
        return try answer.get()
    }

    /// Stores the waiting requests, batch after batch, until its task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.storeAlone() }
            while !Task.isCancelled {
                let batch = underWay < limits.transactions ? takeBatch() : []
                if batch.isEmpty {
                    await wakeSignal.wait()
                } else {
                    group.addTask { await self.storeAndMakeRoom(batch) }
                }
            }
        }
        isStopped = true
        for number in Array(entries.keys) {
            settle(number, .failure(PostgresError.unavailable("shutting down")))
        }
    }

    private typealias Batch = [(number: Int, new: RegistrationRequest)]

    /// Takes the requests that have waited longest, but for those of users with a batch under way.
    private func takeBatch() -> Batch {
        var batch: Batch = []
        var later: [Int] = []
        var keys = 0
        for (place, number) in queue.enumerated() {
            if batch.count == limits.batch || keys == limits.keys {
                later += queue[place...]
                break
            }
            guard let new = entries[number]?.new else { continue }
            if new.intent?.invite != nil {
                // Its transaction waits where the one who made the invite is just taking it back, and for
                // other guests of the slot.
                storeLater(number)
            } else if busy.contains(new.user) {
                later.append(number)
            } else {
                if new.kept != nil { keys += 1 }
                batch.append((number, new))
            }
        }
        queue = later
        if batch.isEmpty { return [] }
        underWay += 1
        busy.formUnion(batch.map(\.new.user))
        return batch
    }

    /// The number of requests that have no answer yet.
    var waiting: Int { entries.count }

    private func settle(_ number: Int, _ result: Answer) {
        entries.removeValue(forKey: number)?.continuation.resume(returning: result)
    }

    private func storeAndMakeRoom(_ batch: Batch) async {
        await store(batch[...])
        underWay -= 1
        busy.subtract(batch.map(\.new.user))
        wakeSignal.send()
    }

    /// Stores requests in one transaction. If it fails, they are stored in two halves, and so on, so that one
    /// of them does not spoil the others'. If the database is away that would only take longer.
    private func store(_ batch: Batch.SubSequence) async {
        let batch = batch.filter { entries[$0.number] != nil }
        if batch.isEmpty { return }
        do {
            let results = try await write(batch.map(\.new), waits: false)
            for ((number, _), result) in zip(batch, results) {
                switch result {
                case .settled(let outcome): settle(number, .success(outcome))
                case .again: storeLater(number)
                }
            }
        } catch {
            let isHopeless = (error as? PostgresError).map { $0.meansUnavailable || $0 == .cancelled } ?? true
            if isHopeless {
                for (number, _) in batch { settle(number, .failure(error)) }
            } else if batch.count == 1 {
                storeLater(batch[0].number)
            } else {
                await store(batch[..<(batch.count / 2)])
                await store(batch[(batch.count / 2)...])
            }
        }
    }

    private func storeLater(_ number: Int) {
        alone.append(number)
        aloneSignal.send()
    }

    /// Stores requests one by one until the task is cancelled.
    private func storeAlone() async {
        while !Task.isCancelled {
            if alone.isEmpty {
                await aloneSignal.wait()
            } else {
                await storeAlone(alone.removeFirst())
            }
        }
    }

    private func storeAlone(_ number: Int) async {
        guard let new = entries[number]?.new else { return }
        do {
            switch try await write([new], waits: true).first {
            case .settled(let outcome): settle(number, .success(outcome))
            // The session that it overlaps was cancelled between two statements of this transaction.
            case .again, nil: storeLater(number)
            }
        } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
            storeLater(number)
            // The other requests of this user would wait for the same lock.
            alone = Self.turns(alone) { entries[$0]?.new.user == new.user }
        } catch {
            settle(number, .failure(error))
        }
    }

    /// Returns requests in the order of their turns, held ones behind all others.
    static func turns(_ waiting: [Int], isHeld: (Int) -> Bool) -> [Int] {
        waiting.filter { !isHeld($0) } + waiting.filter(isHeld)
    }

    private func write(
        _ requests: [RegistrationRequest], waits: Bool
    ) async throws -> [RegistrationWriter.Decision] {
        let (attendance, limit, spans, patience) = (
            attendance, limit, spans, limits.patience.wholeMilliseconds
        )
        do {
            let (results, slots) = try await pool.transaction(attempts: 3) { connection in
                if waits { try await connection.simple("SET LOCAL lock_timeout = \(patience)") }
                return try await RegistrationWriter.write(
                    requests, attendance, limit, spans, waits: waits, on: connection)
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
