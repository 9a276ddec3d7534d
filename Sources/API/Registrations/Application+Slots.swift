package import Contract
package import Matching
import Settings

extension Application {
    package func endsAt(_ startsAt: Timestamp) -> Timestamp { startsAt.adding(.seconds(grid.slotSeconds)) }

    /// The slots whose rooms are open.
    package static func openSlots(at now: Timestamp, _ grid: SlotGrid, lead: Duration) -> [Timestamp] {
        let current = Timestamp(seconds: grid.start(containing: now.seconds))
        let next = current.adding(.seconds(grid.slotSeconds))
        return next.adding(.zero - lead) <= now ? [current, next] : [current]
    }

    /// Whether a slot can no longer be had.
    func isTooLate(_ startsAt: Timestamp, at now: Timestamp) -> Bool {
        now > startsAt.adding(.seconds(configuration.lateSeconds)) || now >= endsAt(startsAt)
    }

    /// Whether a slot cannot be had yet.
    func isTooFarAhead(_ startsAt: Timestamp, at now: Timestamp) -> Bool {
        startsAt > now.adding(.seconds(configuration.maxDaysAhead * 86_400))
    }
}
