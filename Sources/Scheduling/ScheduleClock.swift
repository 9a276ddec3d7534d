package import Contract

/// The clock of the scheduler, and what wakes it. A simulation owns one that moves only when it says so.
package protocol ScheduleClock: Sendable {
    func now() -> Timestamp

    /// False while it is not known what time it is: then nothing that is due is done.
    var isCertain: Bool { get }

    /// What took how long is measured by this one, which no one sets.
    func monotonicNanoseconds() -> UInt64

    /// Runs the body once on the scheduler's loop when that much time is over; the answer, called on that
    /// loop too, makes sure that it does not run any more. A second call of it does nothing.
    func wake(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}
