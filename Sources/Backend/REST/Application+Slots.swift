import Contract
import Matching

extension Application {
    func endsAt(_ startsAt: Timestamp) -> Timestamp { startsAt.adding(.seconds(grid.slotSeconds)) }

    /// Whether a slot can no longer be had.
    func isTooLate(_ startsAt: Timestamp, at now: Timestamp) -> Bool {
        now > startsAt.adding(.seconds(configuration.lateSeconds)) || now >= endsAt(startsAt)
    }

    /// Whether a slot cannot be had yet.
    func isTooFarAhead(_ startsAt: Timestamp, at now: Timestamp) -> Bool {
        startsAt > now.adding(.seconds(configuration.maxDaysAhead * 86_400))
    }
}
