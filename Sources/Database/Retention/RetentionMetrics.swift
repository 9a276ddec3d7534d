package import Codecs
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

        package var figures: [Figure] {
            [
                Figure(
                    "retention_slots_removed_total", "Slots that were removed because they were old.",
                    removed.slots),
                Figure(
                    "retention_registrations_removed_total",
                    "Registrations that were removed with their slots, or after they were cancelled.",
                    removed.registrations),
                Figure(
                    "retention_partitions_dropped_total",
                    "Partitions of deliveries and attempts that were dropped.", partitions),
                Figure(
                    "retention_work_seconds_total", "The time that the removal of old slots took.",
                    workSeconds),
                Figure(
                    "retention_failures_total", "Times that the removal of old slots failed and was put off.",
                    failures),
                Figure(
                    "retention_last_run_timestamp_seconds",
                    "When this server last looked for old slots; until then when it started.",
                    lastRun.map { Double($0.seconds) }),
            ]
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
