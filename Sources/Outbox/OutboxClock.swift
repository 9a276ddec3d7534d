package import Contract

/// The time, and waiting for it; passed in, so that a test can own both.
package protocol OutboxClock: Sendable {
    /// By the clock on the wall, which may be set.
    func now() -> Timestamp
    /// Since some moment: it goes on evenly, and nobody sets it. For what must not end late.
    func uptime() -> Duration
    /// Returns early where the task is cancelled.
    func sleep(for duration: Duration) async
}
