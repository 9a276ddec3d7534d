package import Contract
package import Matching
import Settings

extension Application {
    package func endsAt(_ startsAt: Timestamp) -> Timestamp { startsAt.adding(.seconds(grid.slotSeconds)) }

    /// Returns the slots whose rooms are open.
    package static func openSlots(at now: Timestamp, _ grid: SlotGrid, lead: Duration) -> [Timestamp] {
        let current = Timestamp(seconds: grid.start(containing: now.seconds))
        let next = current.adding(.seconds(grid.slotSeconds))
        return next.adding(.zero - lead) <= now ? [current, next] : [current]
    }

    /// Whether it is too late to register for a slot.
    func isTooLate(_ startsAt: Timestamp, at now: Timestamp) -> Bool {
        now > startsAt.adding(.seconds(configuration.lateSeconds)) || now >= endsAt(startsAt)
    }

    /// Whether it is too early to register for a slot.
    func isTooFarAhead(_ startsAt: Timestamp, at now: Timestamp) -> Bool {
        startsAt > now.adding(.seconds(configuration.maxDaysAhead * 86_400))
    }
}
