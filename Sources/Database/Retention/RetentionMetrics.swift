package import Contract
import Reactor

/// The counts of rows that were removed because they were old, for `/metrics`.
package final class RetentionMetrics: Sendable {
    package struct Values: Sendable {
        package var removed = SlotRemoval.Counts()
        /// The last instant at which this server removed something, or found nothing old.
        package var lastRun: Timestamp?
        /// The number of partitions of deliveries and attempts that were dropped.
        package var partitions = 0

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

    package func add(_ counts: SlotRemoval.Counts, at now: Timestamp) {
        values.withLock { values in
            values.removed.registrations += counts.registrations
            values.removed.slots += counts.slots
            values.lastRun = now
        }
    }

    package func addDropped(_ partitions: Int) { values.withLock { $0.partitions += partitions } }

    package var current: Values { values.withLock { $0 } }
}
