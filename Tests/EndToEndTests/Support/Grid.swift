import Contract
import Reactor

/// The slots of a server under test.
struct Grid: Sendable {
    let slotSeconds: Int64
    let leadSeconds: Int64
    let lateSeconds: Int64

    /// Slots as long as a day, whose rooms open with the first registration.
    static let openNow = Grid(slotSeconds: 86_400, leadSeconds: 3600, lateSeconds: 86_400)

    var settings: [String: String] {
        [
            "SLOT_SECONDS": "\(slotSeconds)", "LEAD_SECONDS": "\(leadSeconds)",
            "LATE_SECONDS": "\(lateSeconds)",
        ]
    }

    /// The time that this machine's clock may be behind a server's, which follows the database's clock to
    /// within half a round trip.
    static let clockError = Duration.milliseconds(200)

    func opensAt(_ startsAt: Timestamp) -> Timestamp { startsAt.adding(.seconds(-leadSeconds)) }

    func endsAt(_ startsAt: Timestamp) -> Timestamp { startsAt.adding(.seconds(slotSeconds)) }

    /// Returns the first slot whose room opens that long from now or later.
    func slot(openingAfter margin: Duration) -> Timestamp {
        let earliest = Timestamp.now.adding(margin).adding(.seconds(leadSeconds)).microseconds
        let step = slotSeconds * 1_000_000
        return Timestamp(microseconds: (earliest + step - 1) / step * step)
    }

    /// The slot that is open now and does not end soon; for `openNow` only.
    var openSlot: Timestamp {
        let soon = Timestamp.now.seconds + leadSeconds / 2
        return Timestamp(seconds: soon / slotSeconds * slotSeconds)
    }

    /// The slot that runs now and does not end within a minute, which is waited for once a day; for
    /// `openNow` only. Of the half hour before midnight it is another one than `openSlot`.
    var runningSlot: Timestamp {
        get async throws {
            let next = Timestamp(seconds: (Timestamp.now.seconds / slotSeconds + 1) * slotSeconds)
            if next.since(.now) > .seconds(60) { return next.adding(.seconds(-slotSeconds)) }
            try await Timestamp.reach(next)
            return next
        }
    }
}

extension Timestamp {
    static var now: Timestamp { Timestamp(microseconds: WallClock.microseconds()) }

    /// Waits until that instant.
    static func reach(_ instant: Timestamp) async throws {
        try await ContinuousClock().sleep(for: instant.since(.now))
    }
}
