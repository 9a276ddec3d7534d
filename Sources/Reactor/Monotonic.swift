import CLinux
import Glibc

/// The monotonic clock, which cannot be set.
package enum Monotonic {
    package static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Returns the whole milliseconds until that instant in nanoseconds, rounded up; zero if it has passed.
    static func milliseconds(until instant: UInt64) -> CInt {
        let now = nanoseconds()
        return now < instant ? CInt(clamping: (instant - now + 999_999) / 1_000_000) : 0
    }

    /// Returns the microseconds since the machine was started, including those during which it was suspended.
    package static func sinceBoot() -> Int64 { readMicroseconds(CLOCK_BOOTTIME) }

    /// Returns the time in milliseconds, at most a few behind, from a clock that is cheap to read.
    package static func coarseMilliseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) &* 1_000 &+ UInt64(time.tv_nsec) / 1_000_000
    }
}

/// The wall clock, which may be set.
package enum WallClock {
    /// Returns the whole seconds since 1970.
    package static func seconds() -> Int { Int(microseconds() / 1_000_000) }

    /// Returns the microseconds since 1970.
    package static func microseconds() -> Int64 { readMicroseconds(CLOCK_REALTIME) }
}

private func readMicroseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
}

extension Duration {
    /// The duration in seconds, rounded to a `Double`.
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

    /// The duration in whole nanoseconds, clamped to the range from zero to a hundred years.
    package var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        if seconds > 3_153_600_000 { return 3_153_600_000_000_000_000 }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// The duration in whole milliseconds, clamped to the range from zero to 24 days.
    package var milliseconds: UInt32 { UInt32(min(clampedNanoseconds / 1_000_000, 2_000_000_000)) }
}
