import Contract
import Reactor

/// What was removed because it was old, for `/metrics`.
final class RetentionMetrics: Sendable {
    struct Values: Sendable {
        var removed = SlotRemoval.Counts()
        /// When something was removed, or nothing old was left, by this server.
        var lastRun: Timestamp?
        /// Partitions of deliveries and attempts that were dropped.
        var partitions = 0
    }

    private let values = Lock(Values())

    func add(_ counts: SlotRemoval.Counts, at now: Timestamp) {
        values.withLock { values in
            values.removed.registrations += counts.registrations
            values.removed.slots += counts.slots
            values.lastRun = now
        }
    }

    func addDropped(_ partitions: Int) { values.withLock { $0.partitions += partitions } }

    var current: Values { values.withLock { $0 } }
}
