package import Contract
import Reactor

/// The counts of what was removed because it was old, for `/metrics`.
package final class RetentionMetrics: Sendable {
    package struct Values: Sendable {
        package var removed = SlotRemoval.Counts()
        /// The last instant at which this server removed something, or found nothing that may go. Until then
        /// it is when this server began to look.
        package var lastRun: Timestamp?
        /// The number of partitions of deliveries and attempts that were dropped.
        package var partitions = 0
        /// The time that the removal of slots took so far, in seconds.
        package var workSeconds = 0.0
        /// The number of times that the removal of slots failed, and was put off.
        package var failures = 0

        package init(
            removed: SlotRemoval.Counts = SlotRemoval.Counts(), lastRun: Timestamp? = nil, partitions: Int = 0
        ) {
            self.removed = removed
            self.lastRun = lastRun
            self.partitions = partitions
        }
    }

    private let values = Lock(Values())

    package init() {}

    package func add(_ counts: SlotRemoval.Counts, at now: Timestamp, seconds: Double) {
        values.withLock { values in
            values.workSeconds += seconds
            values.removed.registrations += counts.registrations
            values.removed.slots += counts.slots
            values.lastRun = now
        }
    }

    /// Notes that this server has looked for old slots, or begins to.
    package func looked(at now: Timestamp) { values.withLock { $0.lastRun = now } }

    package func addDropped(_ partitions: Int) { values.withLock { $0.partitions += partitions } }

    /// Adds cancelled registrations that were removed before their slot.
    package func addRemoved(registrations count: Int) {
        values.withLock { $0.removed.registrations += count }
    }

    package func addFailure() { values.withLock { $0.failures += 1 } }

    package var current: Values { values.withLock { $0 } }
}
