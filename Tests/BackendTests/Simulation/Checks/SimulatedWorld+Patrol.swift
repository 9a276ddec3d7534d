import Contract
import Scheduling

@testable import Backend

/// What has to be done by now, where at least one server had nothing to complain of.
extension SimulatedWorld {
    /// How much later than due something may be done by servers that are well, microseconds.
    static let promptness: Int64 = 1_000_000
    /// After how long a server is as if nothing had ever gone wrong: the agenda is read once a minute, a
    /// clock that was set is noticed after a quarter of one.
    static let recovery: Int64 = 76_000_000
    /// For how long at most the scheduler leaves alone what has just failed several times.
    static let longestBackoff: Int64 = 2_000_000

    /// Looks at once and then again and again.
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
                fail("nobody noted that \(startsAt) was served")
            }
            // Nobody takes over before the lease of a server that is gone, or has its troubles, is over.
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

    /// The others do not look until the lease is over, though its holder may have given it back.
    private func isLeftAlone(_ slot: ModelTables.Slot) -> Bool {
        guard let (lease, since) = leases[slot.startsAt], lease.until.adding(.seconds(1)) > now else {
            return false
        }
        // Taken over a moment ago.
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

    /// At the very end.
    func checkEnd() {
        for slot in tables.slots.values.sorted(by: { $0.startsAt < $1.startsAt }) {
            if slot.closedAt == nil { fail("\(slot.startsAt) was never closed") }
            // Nobody takes over before the lease of a server that is gone, or has its troubles, is over.
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
