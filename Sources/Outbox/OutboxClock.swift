package import Contract

/// A clock to read and to wait by; it is passed in, so that a test can control both.
package protocol OutboxClock: Sendable {
    /// Returns the wall-clock time, which may be set.
    func now() -> Timestamp
    /// Returns the time since a fixed moment, by a monotonic clock, which cannot be set. For deadlines that
    /// must not be late.
    func uptime() -> Duration
    /// Waits for the duration; returns early if the task is cancelled.
    func sleep(for duration: Duration) async
}
