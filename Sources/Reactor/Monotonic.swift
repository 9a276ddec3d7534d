import CLinux
import Glibc

/// The monotonic clock, which no one sets.
package enum Monotonic {
    package static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

extension Monotonic {
    /// Microseconds since the machine was started, also those in which it was suspended.
    package static func sinceBoot() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
    }
}

extension Duration {
    /// How many seconds it is, as near as a number of 64 bits comes.
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

    /// Whole nanoseconds, from zero to a hundred years.
    package var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        if seconds > 3_153_600_000 { return 3_153_600_000_000_000_000 }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

extension Monotonic {
    /// Milliseconds, a few behind at most; cheap enough to ask for each read.
    package static func coarseMilliseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) &* 1_000 &+ UInt64(time.tv_nsec) / 1_000_000
    }
}

extension Duration {
    /// Whole milliseconds, from zero to 24 days.
    package var milliseconds: UInt32 { UInt32(min(clampedNanoseconds / 1_000_000, 2_000_000_000)) }
}

/// The clock on the wall, which may be set.
package enum WallClock {
    /// Whole seconds since 1970.
    package static func seconds() -> Int { Int(microseconds() / 1_000_000) }

    /// Microseconds since 1970.
    package static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
    }
}
