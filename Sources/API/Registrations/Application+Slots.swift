import Contract
import Scheduling
import Settings

extension Application {
    /// Whether it is too late to register for a slot.
    func isTooLate(_ startsAt: Timestamp, at now: Timestamp) -> Bool {
        now > startsAt.adding(.seconds(configuration.lateSeconds)) || now >= rules.endsAt(startsAt)
    }

    /// Whether it is too early to register for a slot.
    func isTooFarAhead(_ startsAt: Timestamp, at now: Timestamp) -> Bool {
        startsAt > now.adding(.seconds(configuration.maxDaysAhead * 86_400))
    }
}
