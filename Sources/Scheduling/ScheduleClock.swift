package import Contract

/// The clock of the scheduler, and the alarm that wakes it. The clock of a simulation moves only when told.
package protocol ScheduleClock: Sendable {
    func now() -> Timestamp

    /// Whether the time is known. While it is not, no due task is done.
    var isCertain: Bool { get }

    /// Returns the monotonic time, by which durations are measured, and which cannot be set.
    func monotonicNanoseconds() -> UInt64

    /// Runs the body once on the scheduler's loop after `delay`. The returned function, called on that loop
    /// too, cancels it; a second call of that function does nothing.
    func wake(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}
