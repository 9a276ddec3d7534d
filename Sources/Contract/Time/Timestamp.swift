/// A function that returns the current time: in a server that of the database, in a test that of the test.
/// Any thread can call it.
package typealias CurrentTime = @Sendable () -> Timestamp

/// An instant, to the microsecond. It is written as RFC 3339 with `Z`.
public struct Timestamp: Hashable, Sendable {
    /// The microseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public var microseconds: Int64

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes an instant from seconds since 1970; stops at the ends of the range.
    public init(seconds: Int64) {
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflows ? (seconds < 0 ? .min : .max) : product
    }

    /// Makes the first instant that is not before that many nanoseconds since 1970.
    package init(nanoseconds: UInt64) { microseconds = Int64((nanoseconds &+ 999) / 1_000) }

    /// The nanoseconds since 1970, for years up to 2554; 0 before 1970.
    @inlinable package var nanoseconds: UInt64 { UInt64(clamping: microseconds) &* 1_000 }

    /// The whole seconds since 1970, rounded down, also before 1970.
    public var seconds: Int64 {
        let quotient = microseconds / 1_000_000
        return microseconds % 1_000_000 < 0 ? quotient - 1 : quotient
    }

    /// Returns the instant later by `duration`, or earlier if it is negative; stops at the ends of the range.
    public func adding(_ duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let step = Timestamp(seconds: seconds).microseconds
        let fraction = attoseconds / 1_000_000_000_000
        return Timestamp(microseconds: microseconds.addingClamped(step).addingClamped(fraction))
    }

    /// Returns the duration since `earlier`; negative if `earlier` is later than this.
    public func since(_ earlier: Timestamp) -> Duration {
        let (difference, overflows) = microseconds.subtractingReportingOverflow(earlier.microseconds)
        return .microseconds(overflows ? (microseconds < 0 ? .min : .max) : difference)
    }
}

extension Timestamp: Comparable {
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}
