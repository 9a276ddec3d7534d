import Database
import Scheduling

/// Registrations, the counts of slots, and what people are told of their partners.
struct RegistrationsPart: Part {
    let batcher: RegistrationBatcher
    let counts: SlotCounts
    let partners: PartnerNotices

    var tasks: [@Sendable () async -> Void] { [batcher.run, counts.run, partners.run] }

    func changed(_ changes: PendingChanges) {
        if changes.slots.isEmpty { return }
        counts.wake()
        partners.wake()
    }

    func compare() { counts.wake() }
}
