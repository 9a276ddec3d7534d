import Contract
import Scheduling
import Settings

extension Application {
    /// Whether it is too late to register for the slot with that key.
    func isTooLate(_ key: Timestamp, at now: Timestamp) -> Bool {
        if now >= rules.endsAt(key) { return true }
        return switch configuration.registrationCloses {
        case .late: now > SlotKey(key).startsAt.adding(.seconds(configuration.lateSeconds))
        case .lead: now >= rules.opensAt(key)
        }
    }

    /// Whether a registration for a slot that is not over can no longer be cancelled.
    func isFixed(_ key: Timestamp, at now: Timestamp) -> Bool {
        switch configuration.cancelUntil {
        case .end: false
        case .opening: now >= rules.opensAt(key)
        }
    }

    /// Whether it is too early to register for a slot.
    func isTooFarAhead(_ startsAt: Timestamp, at now: Timestamp) -> Bool {
        startsAt > now.adding(.seconds(configuration.maxDaysAhead * 86_400))
    }
}
