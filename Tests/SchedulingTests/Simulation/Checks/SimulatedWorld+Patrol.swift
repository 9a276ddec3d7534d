import Contract
import Scheduling

/// Checks of overdue work, as far as at least one server had no faults.
extension SimulatedWorld {
    /// The delay with which healthy servers may do something that is due, in microseconds.
    static let promptness: Int64 = 1_000_000
    /// The time after which a server has recovered from every fault, in microseconds: the agenda is read once
    /// a minute, a clock that was set is noticed after a quarter of one.
    static let recovery: Int64 = 76_000_000
    /// The longest back-off of the scheduler after several failures, in microseconds.
    static let longestBackoff: Int64 = 2_000_000

    /// Runs the checks now and at every interval.
    func patrol(every interval: Int64) {
        checkPromptness()
        checkPresence()
        checkIdleness()
        for startsAt in plan.slots { checkRematches(startsAt) }
        after(interval) { $0.patrol(every: interval) }
    }

    private func checkPromptness() {
        guard let wellSince = servers.filter({ $0.isUp && $0.wellSince <= elapsed }).map(\.wellSince).min()
        else {
            return
        }
        let recovered = wellSince == 0 ? 0 : wellSince + Self.recovery
        func isOverdue(_ due: Int64) -> Bool { elapsed > max(due + Self.promptness, recovered) }
        for startsAt in plan.slots {
            guard let slot = tables.slots[startsAt], slot.closedAt == nil else { continue }
            if isOverdue(since(slot.endsAt.adding(plan.rules.grace))) {
                fail("\(startsAt) is not closed")
            }
            if slot.endsAt <= now { continue }
            if slot.servedAt == nil, isOverdue(since(startsAt)), isOverdue(registeredFirst(startsAt)) {
                fail("no server noted that \(startsAt) was served")
            }
            // No other server takes over before the lease of a server that is gone, or has faults, is over.
            if isLeftAlone(slot) { continue }
            for registration in tables.registrations(of: startsAt) where registration.isLive {
                let due = max(since(plan.rules.opensAt(startsAt)), registeredAt[registration.id] ?? 0)
                if isOverdue(due) && tables.member(of: registration.id) == nil {
                    fail(
                        "r\(registration.id.number) waits for a room since "
                            + "\(Duration.microseconds(elapsed - due))"
                    )
                }
            }
        }
    }

    /// Whether the other servers wait for the end of the slot's lease, though its holder may have given it
    /// back.
    private func isLeftAlone(_ slot: ModelTables.Slot) -> Bool {
        guard let (lease, since) = leases[slot.startsAt], lease.until.adding(.seconds(1)) > now else {
            return false
        }
        // Another server took over a moment ago.
        if elapsed < since + Self.promptness { return true }
        return !servers.contains {
            $0.isUp && lease.holder == "\($0.index).\($0.generation)"
                && $0.wellSince < elapsed - Self.promptness - Self.longestBackoff
        }
    }

    private func since(_ instant: Timestamp) -> Int64 { instant.microseconds - plan.begin.microseconds }

    private func registeredFirst(_ startsAt: Timestamp) -> Int64 {
        tables.registrations(of: startsAt).compactMap { registeredAt[$0.id] }.min() ?? 0
    }

    /// Checks at the end of the simulation that nothing remains to be done.
    func checkEnd() {
        for slot in tables.slots.values.sorted(by: { $0.startsAt < $1.startsAt }) {
            if slot.closedAt == nil { fail("\(slot.startsAt) was never closed") }
            // No other server takes over before the lease of a server that is gone, or has faults, is over.
            if isLeftAlone(slot) { continue }
            for registration in tables.registrations(of: slot.startsAt) where registration.isLive {
                let told = tables.notifications.filter { $0.notice.registration == registration.id }
                let opened = told.filter { $0.notice.type == .roomOpened }
                let isInRoom = tables.members.contains { $0.registration == registration.id }
                let name = "r\(registration.id.number)"
                if opened.count != (isInRoom ? 1 : 0) {
                    fail("\(name) was told \(opened.count) times of a room")
                }
                if told.filter(\.notice.type.isEnd).count != 1 {
                    fail("\(name) was not told once of the end")
                }
                if let first = opened.first, first.at < plan.rules.opensAt(slot.startsAt) {
                    fail("\(name) was told too early")
                }
            }
        }
    }
}
