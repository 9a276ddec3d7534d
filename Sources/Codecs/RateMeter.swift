/// A rate limit: `burst` at once, and one more in each `interval`, in nanoseconds.
package struct Rate: Sendable {
    package let burst: Int
    package let interval: UInt64
    /// The nanoseconds in which a burst can be taken again.
    package let window: UInt64

    /// Creates a limit of `count` in a period of that many nanoseconds.
    package init(_ count: Int, perNanoseconds period: UInt64, burst: Int) {
        precondition(count > 0 && burst > 0)
        self.burst = burst
        interval = max(1, period / UInt64(count))
        window = interval &* UInt64(burst)
    }
}

extension Rate {
    /// The rate of log lines that would flood the log.
    package static let onceAMinute = Rate(1, perNanoseconds: 60_000_000_000, burst: 1)
}

/// The meter of one user of a rate limit, by the generic cell rate algorithm (ITU-T I.371).
///
/// Each that is taken adds its `interval` to a debt, which time pays off. What would raise the debt above
/// the `window` is refused and adds nothing. The state is one instant, the end of the debt, in nanoseconds of
/// a clock that is not set back; `ResettableRateMeter` is for others. A meter without debt equals a new one.
package struct RateMeter: Sendable {
    package var debtUntil: UInt64 = 0

    package init() {}

    /// Returns the nanoseconds until the meter is without debt.
    @inlinable package func debt(at now: UInt64) -> UInt64 { max(debtUntil, now) &- now }

    /// Takes so many. Returns false, and takes nothing, if they are not available.
    @inlinable package mutating func take(_ count: Int = 1, of rate: Rate, at now: UInt64) -> Bool {
        let debt = debt(at: now) &+ rate.interval &* UInt64(count)
        guard debt <= rate.window else { return false }
        debtUntil = now &+ debt
        return true
    }

    /// Takes so many, available or not: the next ones wait until the debt is within the window again.
    package mutating func charge(_ count: Int = 1, of rate: Rate, at now: UInt64) {
        debtUntil = now &+ debt(at: now) &+ rate.interval &* UInt64(count)
    }

    /// Gives back so many that were taken and not used.
    package mutating func giveBack(_ count: Int, of rate: Rate) {
        let cost = rate.interval &* UInt64(count)
        debtUntil = max(debtUntil, cost) &- cost
    }

    /// Returns how many can be taken.
    package func available(of rate: Rate, at now: UInt64) -> Int {
        let debt = debt(at: now)
        return Int((max(rate.window, debt) &- debt) / rate.interval)
    }

    /// Returns the nanoseconds until so many can be taken.
    package func wait(for count: Int, of rate: Rate, at now: UInt64) -> UInt64 {
        max(debt(at: now) &+ rate.interval &* UInt64(count), rate.window) &- rate.window
    }
}

/// A rate meter by a clock that can be set back. The time by which it is set back pays off no debt and adds
/// none: the meter continues from the instant of the next call that takes. It is on the path of every ale.
package struct ResettableRateMeter: Sendable {
    @usableFromInline var meter = RateMeter()
    /// The instant of the latest call that took.
    @usableFromInline var latest: UInt64 = 0

    package init() {}

    @inlinable package mutating func take(of rate: Rate, at now: UInt64) -> Bool {
        follow(now)
        return meter.take(of: rate, at: now)
    }

    package mutating func charge(of rate: Rate, at now: UInt64) {
        follow(now)
        meter.charge(of: rate, at: now)
    }

    package func available(of rate: Rate, at now: UInt64) -> Int {
        meter.available(of: rate, at: max(now, latest))
    }

    /// Returns the instant at which so many can be taken.
    package func available(_ count: Int, of rate: Rate, from now: UInt64) -> UInt64 {
        max(now, latest) &+ meter.wait(for: count, of: rate, at: max(now, latest))
    }

    @inlinable mutating func follow(_ now: UInt64) {
        if now < latest { meter.debtUntil = now &+ meter.debt(at: latest) }
        latest = now
    }
}
