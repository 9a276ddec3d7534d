package import Contract
package import Outbox
import Synchronization

/// Deliveries in memory, for any number of delivery workers. It counts what the constraints of a database
/// would refuse.
package final class MemoryOutbox: Sendable {
    package struct Row: Sendable {
        package var delivery: Delivery<String>
        package var priority: Int
        package var dueAt: Timestamp
        package var deliveryWorker: String?
        package var attempts = 0
        package var verdict: Verdict?
        package var details: [String] = []
    }

    struct State {
        var rows: [Int64: Row] = [:]
        var aliveUntil: [String: Duration] = [:]
        var failingSince: [Identifier: Timestamp] = [:]
        var claimDelay = Duration.zero
        var renewalDelay = Duration.zero
        var isDown = false
        var isLocked = false
        var claims = 0
        var questions = 0
    }

    /// The error of a database that is away.
    package struct Away: Error {}

    let clock: any OutboxClock
    let state = Mutex(State())

    package init(clock: any OutboxClock) {
        self.clock = clock
    }

    package func add(
        _ id: Int64, to endpoint: Identifier, of user: Identifier? = nil, host: String, priority: Int = 1,
        dueIn: Duration = .zero, expiresIn: Duration? = nil, message: String = ""
    ) {
        let now = clock.now()
        state.withLock {
            $0.rows[id] = Row(
                delivery: Delivery(
                    id: id, endpoint: endpoint, user: user, host: host, priority: priority, attempts: 0,
                    expiresAt: expiresIn.map { now.adding($0) }, message: message),
                priority: priority, dueAt: now.adding(dueIn))
        }
    }

    package var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Whether every row is locked by another transaction.
    package var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    /// The delay of claims; `renewalDelay` is the delay of the renewals of a lease.
    package var claimDelay: Duration {
        get { state.withLock { $0.claimDelay } }
        set { state.withLock { $0.claimDelay = newValue } }
    }
    package var renewalDelay: Duration {
        get { state.withLock { $0.renewalDelay } }
        set { state.withLock { $0.renewalDelay = newValue } }
    }

    /// The number of claims; `questions` is the number of all calls.
    package var claims: Int { state.withLock { $0.claims } }
    package var questions: Int { state.withLock { $0.questions } }

    /// Ends the delivery worker's lease.
    package func kill(_ name: String) {
        let uptime = clock.uptime()
        state.withLock { $0.aliveUntil[name] = uptime }
    }

    package func isAlive(_ name: String) -> Bool {
        let uptime = clock.uptime()
        return state.withLock { $0.aliveUntil[name].map { uptime < $0 } ?? false }
    }

    package var rows: [Row] { state.withLock { $0.rows.values.sorted { $0.delivery.id < $1.delivery.id } } }

    package func deliveryWorker(_ name: String) -> MemoryOutboxStore {
        MemoryOutboxStore(outbox: self, name: name)
    }
}
