package import Contract
package import Outbox
import Synchronization

/// Deliveries in memory, for any number of couriers. It counts what the constraints of a database would refuse.
package final class MemoryOutbox: Sendable {
    package struct Row: Sendable {
        package var delivery: Delivery<String>
        package var priority: Int
        package var dueAt: Timestamp
        package var courier: String?
        package var attempts = 0
        package var verdict: Verdict?
        package var details: [String] = []
    }

    struct State {
        var rows: [Int64: Row] = [:]
        var aliveUntil: [String: Timestamp] = [:]
        var isDown = false
    }

    /// The database is away.
    package struct Away: Error {}

    let clock: any OutboxClock
    let state = Mutex(State())

    package init(clock: any OutboxClock) {
        self.clock = clock
    }

    package func add(
        _ id: Int64, to endpoint: UUID, host: String, priority: Int = 1, dueIn: Duration = .zero,
        expiresIn: Duration? = nil, message: String = ""
    ) {
        let now = clock.now()
        state.withLock {
            $0.rows[id] = Row(
                delivery: Delivery(
                    id: id, endpoint: endpoint, host: host, attempts: 0,
                    expiresAt: expiresIn.map { now.adding($0) }, message: message),
                priority: priority, dueAt: now.adding(dueIn))
        }
    }

    package var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    package var rows: [Row] { state.withLock { $0.rows.values.sorted { $0.delivery.id < $1.delivery.id } } }

    package func courier(_ name: String) -> MemoryOutboxStore { MemoryOutboxStore(outbox: self, name: name) }
}
